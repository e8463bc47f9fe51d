"""The engine knows no game: what the rules of the game declare is not spoken of in the package, not even as an example."""

from __future__ import annotations

import re
from pathlib import Path

from riftrules.language.loader import load_ruleset

ROOT = Path(__file__).parents[1]
PLAIN_ENGLISH = frozenset(
    (  # noqa: SIM905 - to be read as a sentence
        "arrived assign chain channel closes declare died draw effect ends excused exhaust focus held hide holding kill "
        "leads leaving main mark match move moved open opens outcome pass passing permission place play played player "
        "point ready resolve result role score scored settings turn unit"
    ).split()
)
"""What the game calls something by and everybody says."""


def declared() -> frozenset[str]:
    """What the game calls its facts, events, procedures, steps, definitions and modes, and itself."""
    ruleset = load_ruleset(ROOT / "rulesets" / "riftbound")
    steps = {step for procedure in ruleset.procedures.values() for step in procedure.steps}
    return frozenset({ruleset.name, *ruleset.templates, *ruleset.procedures, *ruleset.definitions, *ruleset.modes, *steps})


def test_no_word_of_the_game_is_in_the_package() -> None:
    words = sorted(declared() - PLAIN_ENGLISH)
    said = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})s?(?![\w-])", re.IGNORECASE)
    files = [path for path in (ROOT / "riftrules").rglob("*") if path.suffix in {".py", ".lark", ".html", ".css", ".js", ".j2"}]
    assert len(files) > 200
    found = {match.group().lower() for path in files for match in said.finditer(path.read_text(encoding="utf-8"))}
    assert found == set()
