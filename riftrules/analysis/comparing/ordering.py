"""The edits of a ruleset as a whole: its name, the order of its modes and of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from riftrules.analysis.comparing.edits import ORDER, Edit
from riftrules.analysis.comparing.wording import said
from riftrules.language.model import Rule, Ruleset


def ruleset_edits(old: Ruleset, new: Ruleset, renamed: Mapping[str, str]) -> Iterator[Edit]:
    """What the two say of themselves, and how they order what both have."""
    for name in ("name", "version", "edition"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield Edit("ruleset", new.name, name, before or "nothing", after or "nothing", plays=False, item=("ruleset", name))
    first, second = (next(iter(one.modes), "") for one in (old, new))
    if list(old.modes) != list(new.modes) and set(old.modes) == set(new.modes):
        yield Edit(
            "ruleset",
            new.name,
            "order of modes",
            said(list(old.modes)),
            said(list(new.modes)),
            plays=first != second,
            item=("modes", ORDER),
        )
    were = [renamed.get(rule.id, rule.id) for rule in _declared(old)]
    are = [rule.id for rule in _declared(new)]
    before_, after_ = [name for name in were if name in are], [name for name in are if name in were]
    if before_ != after_:
        moved = list(_moved(before_, after_))
        yield Edit("ruleset", new.name, "order of rules", _beside(before_, moved), _beside(after_, moved), item=("rules", ORDER))


def _declared(ruleset: Ruleset) -> list[Rule]:
    return sorted(ruleset.rules, key=lambda rule: rule.number)


def _moved(before: list[str], after: list[str]) -> Iterator[str]:
    """The fewest names that stand elsewhere."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    kept = {name for block in matcher.get_matching_blocks() for name in before[block.a : block.a + block.size]}
    yield from (name for name in after if name not in kept)


def _beside(names: list[str], moved: list[str]) -> str:
    """Where the names that moved stand in a list."""
    places = [(names[names.index(name) - 1] if names.index(name) else "", name) for name in moved]
    return ", ".join(f"{name} after {other}" if other else f"{name} first" for other, name in places)
