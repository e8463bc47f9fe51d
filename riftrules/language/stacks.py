"""Says what is wrong with a frame of a stack that a fixture or a scope gives: a procedure, and the step it is in beside it."""

from __future__ import annotations

from riftrules.language.model import Procedure, Ruleset
from riftrules.language.problems import Problems, misspelt, near
from riftrules.source import Entries, Node, Scalar, place_at

STEP = "step"


def tell_frame(item: Node, ruleset: Ruleset, problems: Problems) -> None:
    """Tell why this is no procedure with one of its steps beside it."""
    pairs = [pair for pair in item.pairs if pair[0].text != STEP] if isinstance(item, Entries) else []
    named = next((key for key, _ in pairs if key.text in ruleset.procedures), None)
    if not isinstance(item, Entries) or not pairs or (named is not None and len(pairs) > 1):
        others = [key for key, _ in pairs if key is not named]
        hint = next((f"did you mean `{STEP}`?" for key in others if misspelt(key.text, (STEP,))), "") or _example(ruleset)
        problems.say(item.place, "shape", "one procedure belongs here, and the step it is in beside it", hint)
    elif named is None:
        key = pairs[0][0]
        known, of = ruleset.procedures, ("word", key.text)
        problems.unknown(key.place, "unknown-procedure", f"`{key.text}` is no procedure", near(key.text, known), name=of)
    else:
        _tell_step(item, ruleset.procedures[named.text], problems)


def _tell_step(item: Entries, procedure: Procedure, problems: Problems) -> None:
    step = item.get(STEP)
    if not isinstance(step, Scalar):
        said = f"`{procedure.name}` on the stack needs one of its steps beside it, as `step`"
        problems.say(item.place, "unknown-step", said, near("", procedure.steps))
    elif step.text not in procedure.steps:
        said, of = f"`{step.text}` is no step of `{procedure.name}`", ("step", step.text)
        problems.unknown(place_at(item, STEP), "unknown-step", said, near(step.text, procedure.steps), name=of)


def _example(ruleset: Ruleset) -> str:
    """A frame as it is written, of a procedure that there is."""
    found = next((one for one in ruleset.procedures.values() if one.yields and one.steps), None)
    return f"`{{{found.name}: {{…}}, {STEP}: {found.steps[0]}}}`" if found else "`{PROCEDURE: {…}, step: STEP}`"
