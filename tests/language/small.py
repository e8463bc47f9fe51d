"""A small game of lamps and rooms, to be changed a little in each test of the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from riftrules.errors import Problem, RulesetError
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset

RULESET = """\
name: lamps
settings: {target: {int: {min: 1}, default: 3}}
modes: {short: {target: 1}, long: {target: 5}}
procedures:
  round: {steps: [light, dim], repeat: until stable}
  flip:
    request: true
    fields: {by: {ref: keeper, default: $asked}, lamps: {list: {ref: lamp}}}
    steps: [flipping]
    then: round
  watch: {yields: true, fields: {keeper: {ref: keeper}}, steps: [waiting]}
steps:
  dim: {together: true}
"""

TEMPLATES = """\
templates:
  keeper: {plural: keepers, fields: {team: {text: any, default: $id}, points: {int: {min: 0}, default: 0}}}
  room: {plural: rooms, fields: {keeper: {ref: keeper, optional: true, internal: true}}}
  lamp:
    plural: lamps
    fields:
      at: {ref: room, or: [store]}
      lit: {bool: any, default: false}
      glow: {int: {min: 0, max: 9}, default: 1}
      marks: {set: [red, blue]}
  turn: {singleton: true, fields: {keeper: {ref: keeper}, phase: {one of: [day, night]}}}
events:
  flipped: {lamp: {ref: lamp}}
definitions:
  - define: dark $r
    when: [{no: {lamp: {at: $r, lit: true}}}]
"""

RULES = """\
rules:
  - rule: dark-rooms-are-lost
    house: true
    step: light
    when:
      - room $r: {keeper: some}
      - dark: $r
    then:
      - modify $r: {keeper: none}
"""


def load(folder: Path, rules: str = RULES, templates: str = TEMPLATES, ruleset: str = RULESET, **others: str) -> Ruleset:
    """The ruleset these texts make. `others` are further files, `/` in their names written `__`."""
    root = folder / "lamps"
    root.mkdir(parents=True, exist_ok=True)
    for name, text in {"ruleset": ruleset, "templates": templates, "rules": rules, **others}.items():
        path = root / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_ruleset(root, shown="lamps")


def problems(
    folder: Path, rules: str = RULES, templates: str = TEMPLATES, ruleset: str = RULESET, **others: str
) -> list[Problem]:
    """What is wrong with the ruleset these texts make."""
    with pytest.raises(RulesetError) as error:
        load(folder, rules, templates, ruleset, **others)
    return list(error.value.problems)


def rule(body: str, head: str = "step: light") -> str:
    """One rule with this body, each line as under `- rule:`."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    return f"rules:\n  - rule: tried\n    house: true\n    {head}\n{lines}"
