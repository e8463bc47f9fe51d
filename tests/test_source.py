# ruff: noqa: E501 - messages are quoted whole
"""The strict YAML reader: what is read as typed, and every mistake with its place, words and hint."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riftrules.errors import Place
from riftrules.source import MAX_BYTES, Entries, Items, Node, Scalar, parse, read


def said(text: str) -> list[str]:
    """The problems of a text, as printed."""
    return [str(problem) for problem in parse(text, "f.yaml")[1]]


def texts(node: Node | None) -> object:
    """A node without places, quoted scalars in quotes."""
    match node:
        case Scalar(text, quoted):
            return f"'{text}'" if quoted else text
        case Items(items):
            return [texts(item) for item in items]
        case Entries(pairs):
            return {key.text: texts(value) for key, value in pairs}
    return None


def test_plain_scalars_stay_what_was_typed() -> None:
    written = "NO: y\non: 12:30\n010: 0x1F\nempty:\nnull: ~\n1.0: 1e3\ndate: 2024-01-01\n<<: x\n"
    expected = {"NO": "y", "on": "12:30", "010": "0x1F", "empty": "", "null": "~", "1.0": "1e3", "date": "2024-01-01", "<<": "x"}
    assert texts(parse(written, "f.yaml")[0]) == expected
    assert said(written) == []


def test_quoted_and_block_scalars_are_marked() -> None:
    assert texts(parse("a: '5'\nb: \"no\"\nc: |\n  x\nd: >\n  y\ne: ''\n", "f")[0]) == {
        "a": "'5'",
        "b": "'no'",
        "c": "'x\n'",
        "d": "'y\n'",
        "e": "''",
    }


def test_every_node_has_its_place_counted_from_one() -> None:
    node, problems = parse("rules:\n  - rule: ünique\n    when: [a, {b: c}]\n", "r.yaml")
    assert problems == ()
    assert isinstance(node, Entries)
    assert node.place == Place("r.yaml", 1, 1)
    rules = node.get("rules")
    assert isinstance(rules, Items)
    assert (rules.place, rules.flow) == (Place("r.yaml", 2, 3), False)
    rule = rules.items[0]
    assert isinstance(rule, Entries)
    assert rule.keys() == ("rule", "when")
    when = rule.get("when")
    assert isinstance(when, Items)
    assert (when.place, when.flow) == (Place("r.yaml", 3, 11), True)
    assert when.items[1].place == Place("r.yaml", 3, 15)


def test_a_byte_order_mark_moves_no_place() -> None:
    node, problems = parse("\ufeffa: 1", "f")
    assert (problems, node and node.place) == ((), Place("f", 1, 1))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "a: 1\nb: 2\na: 3",
            "f.yaml:3:1: error: `a` is here twice: it stands at f.yaml:1:1 already [doubled-key]\n    hint: keep one of them",
        ),
        (
            "a: &x 1",
            (
                "f.yaml:1:4: error: anchors and aliases are not part of the language [anchor]\n"
                "    hint: write it out; quote the text if the `&` or `*` belongs to it"
            ),
        ),
        (
            "a: *x",
            (
                "f.yaml:1:4: error: anchors and aliases are not part of the language [anchor]\n"
                "    hint: write it out; quote the text if the `&` or `*` belongs to it"
            ),
        ),
        (
            "a: !!str 1",
            "f.yaml:1:4: error: tags (`tag:yaml.org,2002:str`) are not part of the language [tag]\n    hint: quote the text if the `!` belongs to it",
        ),
        (
            "[a]: 1",
            "f.yaml:1:1: error: a key is a text, not a list or a mapping [bad-key]\n    hint: quote it if its brackets belong to it",
        ),
        ("{'': 1}", "f.yaml:1:2: error: there is no key before this `:` [bad-key]\n    hint: write one, or take the `:` away"),
        (
            "a: 1\n---\nb: 2",
            "f.yaml:2:1: error: a second document begins here [many-documents]\n    hint: one file holds one document: write a second file",
        ),
        ("", "f.yaml:1:1: error: nothing is in this file [empty-file]\n    hint: write the document, or delete the file"),
        (
            "# only a comment\n",
            "f.yaml:1:1: error: nothing is in this file [empty-file]\n    hint: write the document, or delete the file",
        ),
        ("---\n", "f.yaml:1:1: error: nothing is in this file [empty-file]\n    hint: write the document, or delete the file"),
        (
            "[" * 65 + "]" * 65,
            "f.yaml:1:65: error: more than 64 levels are nested in each other [too-deep]\n    hint: write it flatter",
        ),
        (
            "a: b: c",
            "f.yaml:1:5: error: a `:` stands where no key can be [syntax]\n    hint: quote a text that has `: ` in it; look at the indentation",
        ),
        (
            "x: {a: 1",
            (
                "f.yaml:2:1: error: a `{` is not closed before this [syntax]\n"
                "    hint: put a `,` between entries and a `}` at the end (it opens in line 1, column 4)"
            ),
        ),
        ("a:\n\tb: 1", "f.yaml:2:1: error: a tab is used to indent [syntax]\n    hint: indent with spaces"),
        ("a: @x", "f.yaml:1:4: error: a text cannot begin with `@` unless it is quoted [syntax]\n    hint: quote it"),
        ("a: 'x", "f.yaml:1:4: error: a quoted text is never closed [syntax]\n    hint: close the quote"),
        (
            "a: 1\x07",
            "f.yaml:1:5: error: there is a control character here [syntax]\n    hint: take it away, or write it as an escape in double quotes",
        ),
        ("a: \ud800", "f.yaml:1:4: error: there is half a character here [syntax]\n    hint: type it anew"),
    ],
)
def test_each_mistake_has_its_place_words_and_hint(written: str, expected: str) -> None:
    assert said(written) == [expected]


def test_a_doubled_key_and_a_tag_are_all_told_and_the_rest_is_read() -> None:
    node, problems = parse("a: 1\na: !x 2\nb: &y 3\nb: 4\n", "f")
    assert [problem.code for problem in problems] == ["tag", "doubled-key", "anchor", "doubled-key"]
    assert texts(node) == {"a": "1", "b": "3"}


def test_a_hundred_thousand_brackets_are_a_problem_and_no_crash() -> None:
    assert parse("[" * 100_000, "f")[1][0].code in {"too-deep", "syntax"}


class TestFiles:
    """Reading from a path: every way it can go wrong is a problem, never an exception."""

    def codes(self, path: Path) -> list[str]:
        return [problem.code for problem in read(path)[1]]

    def test_a_file_is_read_and_shown_as_asked(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
        node, problems = read(path, "rules/a.yaml")
        assert (texts(node), problems) == ({"a": "1", "b": "2"}, ())
        assert node is not None
        assert node.place == Place("rules/a.yaml", 1, 1)

    def test_missing_files_folders_and_pipes(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
        assert self.codes(tmp_path / "none.yaml") == ["missing-file"]
        assert self.codes(tmp_path / "nowhere") == ["missing-file"]
        assert self.codes(tmp_path) == ["directory"]
        assert self.codes(tmp_path / "pipe") == ["unreadable"]
        assert self.codes(tmp_path / ("x" * 300)) == ["unreadable"]
        assert self.codes(Path("a\0b")) == ["unreadable"]

    def test_a_file_that_is_not_utf8_says_where(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes(b"a: 1\nb: caf\xe9\n")
        assert [str(problem) for problem in read(path, "a.yaml")[1]] == [
            "a.yaml:2:7: error: this file is not UTF-8 from here on [not-utf-8]\n    hint: save it as UTF-8 (without a choice of code page)"
        ]

    def test_a_file_of_more_than_five_megabytes_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes(b"#" * (MAX_BYTES + 1))
        assert [str(problem) for problem in read(path, "a.yaml")[1]] == [
            "a.yaml:1:1: error: this file is larger than 5 MB [too-large]\n    hint: split it into several files"
        ]
