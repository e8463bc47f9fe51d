"""The engine, by either matcher, does to the byte what the reference does, on random rules, boards and requests.

The profile `long` (`RIFTRULES_EXAMPLES=20000`) plays as many games as it says; the usual one is for every run.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, example, given, reject, settings
from hypothesis import strategies as st

from riftrules.engine import Session, compile_ruleset
from riftrules.engine.reference import Session as Reference
from riftrules.errors import RulesetError, RunError
from riftrules.facts.memory import Fact
from riftrules.language.model import Ruleset
from tests.engine.houses import facts, load
from tests.engine.random_games import actions, board, procedures, rules

EXAMPLES = int(os.environ.get("RIFTRULES_EXAMPLES", "500"))
LIMIT = 25
CROWDED = 40
"""A board on which rules have made more facts than this is left: joins of four patterns would be all that is tested."""

usual = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="RIFTRULES_EXAMPLES" not in os.environ,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
games = st.integers(min_value=0, max_value=2**40)


def loaded(texts: Sequence[str], written: str) -> Ruleset:
    """The ruleset with these rules; a game whose rules do not load is not played."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return load(Path(folder), "\n".join(texts), ruleset=written)
        except RulesetError:
            reject()


def done(session: Any, action: tuple[Any, ...], marks: list[Any]) -> object:
    """What comes of doing one thing to a session; an error is an outcome too."""
    try:
        if session.waiting.choice is not None and action[0] in {"begin", "request"} and len(marks) % 2 == 0:
            action = ("choose", len(str(action)))
        match action:
            case ("begin", calls):
                return session.begin(calls)
            case ("request", name, fields):
                return session.request(name, fields)
            case ("choose", number):
                return _chosen(session, number)
            case ("legal", number):
                return tuple((name, tuple(fields.items())) for name, fields in session.legal()) if number == 0 else None
            case ("mark", _):
                marks.append(session.mark())
            case ("undo", number) if marks:
                del marks[number % len(marks) + 1 :]
                session.undo(marks[-1])
    except (RunError, ValueError) as error:
        return type(error), str(error), getattr(error, "cycle", ()), getattr(error, "bindings", ())
    return None


def _chosen(session: Any, number: int) -> object:
    choice = session.waiting.choice
    if choice is None:
        return None
    options = [*choice.options, *([None] if choice.optional else [])]
    return session.choose(options[number % len(options)])


def state(session: Any) -> object:
    """Everything that can be seen of a session."""
    held = [(fact, session.memory.within(fact.template, fact.id)) for fact in session.memory]
    return session.trace.lines(), held, session.waiting, session.violations()


def played(session: Any, todo: Sequence[tuple[Any, ...]]) -> list[object]:
    """What comes of each action, with what can be seen after it. A run that cannot be finished is the end."""
    marks: list[Any] = []
    found: list[object] = []
    for action in todo:
        outcome = done(session, action, marks)
        found.append((action, outcome, state(session)))
        if failed(outcome) or len(list(session.memory)) > CROWDED:
            break
    return found


def failed(outcome: object) -> bool:
    """Whether a run could not be finished."""
    return isinstance(outcome, tuple) and bool(outcome) and isinstance(outcome[0], type) and issubclass(outcome[0], RunError)


class Game(NamedTuple):
    """A random ruleset with its procedures and rules as written, a board and what is done."""

    ruleset: Ruleset
    written: str
    rules: list[str]
    board: list[Fact]
    todo: list[tuple[Any, ...]]
    random: Random


def game(seed: int) -> Game:
    """The random game of this seed."""
    random, written = Random(seed), procedures(Random(seed + 1))
    texts = rules(random, random.randint(4, 16))
    ruleset = loaded(texts, written)
    given_ = board(random)
    return Game(ruleset, written, texts, facts(ruleset, given_), actions(random, given_, random.randint(2, 7)), random)


@usual
@given(games)
def test_engine_and_reference_do_the_same(seed: int) -> None:
    ruleset, _, _, given_, todo, _ = game(seed)
    program = compile_ruleset(ruleset)
    expected = played(Reference(ruleset, given_, (), LIMIT), todo)
    assert expected == played(Session(program, given_, (), LIMIT, "demand"), todo)
    with Session(program, given_, (), LIMIT, "network") as session:
        assert expected == played(session, todo)


fewer = settings(usual, max_examples=max(EXAMPLES // 5, 1))


@fewer
@given(games)
def test_undo_to_any_mark_and_doing_it_again_gives_the_same_trace(seed: int) -> None:
    ruleset, _, _, given_, todo, _ = game(seed)
    todo = [action for action in todo if action[0] not in {"mark", "undo"}]
    with Session(compile_ruleset(ruleset), given_, (), LIMIT) as session:
        marks = [(session.mark(), state(session), 0)]
        for number, action in enumerate(todo, start=1):
            if failed(done(session, action, [])):
                todo = todo[: number - 1]
                session.undo(marks[-1][0])
                break
            # A request that was not accepted at last is undone, and with it the way to the marks made meanwhile.
            marks = [one for one in marks if one[0].entries <= len(session.trace.entries)]
            marks.append((session.mark(), state(session), number))
        last = state(session)
        for mark, then, number in reversed(marks):
            session.undo(mark)
            assert then == state(session)
            for action in todo[number:]:
                done(session, action, [])
            assert last == state(session)


def shuffled(text: str, random: Random) -> str:
    """A rule with its conditions in another order."""
    head, _, rest = text.partition("  when:\n")
    body, _, tail = rest.partition("  then:\n")
    if not rest:
        return text
    conditions = ["    - " + one for one in ("\n" + body).split("\n    - ")[1:]]
    random.shuffle(conditions)
    return head + "  when:\n" + "\n".join(one.rstrip("\n") for one in conditions) + "\n  then:\n" + tail


def renamed(text: str) -> str:
    """A rule with its variables named otherwise, so that their order by name is another."""
    return re.sub(
        r"\$(?!turn\b|settings\b)(\w+)", lambda found: f"${chr(ord('a') + len(text) % 26)}{found[1][::-1]}x{len(found[1])}", text
    )


def unnamed(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of a trace without the names of variables, which are other ones."""
    return [{**entry, "bindings": sorted(map(str, entry.get("bindings", {}).values()))} for entry in data]


@fewer
@given(games)
@example(1_000_000)  # one of two like patterns is chosen from: which is compared first hung on which was written first
def test_order_of_facts_and_conditions_and_names_of_variables_change_nothing(seed: int) -> None:
    ruleset, written, texts, given_, todo, random = game(seed)
    other = loaded([renamed(shuffled(text, random)) for text in texts], written)
    expected = Session(ruleset, given_, (), LIMIT)
    played(expected, todo)
    for matcher in ("network", "demand"):
        random.shuffle(given_)
        with Session(other, given_, (), LIMIT, matcher) as session:
            played(session, todo)
            assert unnamed(expected.trace.as_data()) == unnamed(session.trace.as_data())
            assert list(expected.memory) == list(session.memory)
