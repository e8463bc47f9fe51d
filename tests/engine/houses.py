"""A small game of keepers, rooms and lamps; each test brings its own rules."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from riftrules.engine.reference import Session
from riftrules.facts.memory import Fact, WorkingMemory
from riftrules.facts.trace import Firing, StackedFrame, Waiting
from riftrules.facts.types import Call, Value
from riftrules.language.defaults import complete
from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset

RULESET = """\
name: houses
settings: {target: {int: {min: 0}, default: 3}}
modes: {plain: {}}
procedures:
  work: {fields: {by: {ref: keeper, optional: true}, amount: {int: any, default: 0}}, steps: [first, second]}
  more: {fields: {amount: {int: any, default: 0}}, steps: [extra]}
  again: {steps: [first, second], repeat: until stable}
  joint: {steps: [together, second]}
  tidy: {steps: [tidying]}
  chores: {steps: [first, tidy, second], then: tidy}
  nothing: {steps: [], then: tidy}
  echo: {steps: [second], then: echo}
  party:
    yields: true
    fields: {room: {ref: room, optional: true}, guests: {set: {ref: keeper}, default: []}}
    steps: [greet, talk, farewell]
    then: tidy
  flip:
    request: true
    fields: {by: {ref: keeper, default: $asked else $turn.keeper}, lamp: {ref: lamp}}
    steps: [flipping]
    then: tidy
  rest: {request: true, fields: {by: {ref: keeper, default: $asked}}, steps: [resting]}
  do: {fields: {does: {calls: any}}, steps: [doing]}
steps:
  together: {together: true}
"""

TEMPLATES = """\
templates:
  keeper:
    plural: keepers
    fields: {seat: {int: {min: 1}, default: position}, team: {text: any, default: $id}, points: {int: {min: 0}, default: 0}}
  room:
    plural: rooms
    fields: {keeper: {ref: keeper, optional: true}, heat: {int: {min: 0, max: 9}, default: 0}}
  lamp:
    plural: lamps
    fields:
      at: {ref: room, or: [store]}
      owner: {ref: keeper, optional: true}
      lit: {bool: any, default: false}
      glow: {int: {min: 0, max: 9}, default: 1}
      marks: {set: [red, blue, green], default: []}
      fans: {set: {ref: keeper}, default: []}
      queue: {list: {ref: keeper}, default: []}
      votes: {map: {ref: keeper}, to: {int: any}, default: {}}
    derived:
      shine:
        - when: [{lamp: {id: $this, lit: false}}]
          is: 0
        - when:
            - sum: $b.amount
              over: {boost $b: {lamp: $this}}
              as: $more
          is: $this.glow + $more
      twice:
        - is: $this.shine * 2
  boost: {plural: boosts, fields: {lamp: {ref: lamp}, amount: {int: any}}}
  seal: {key: [by, at], fields: {by: {ref: keeper}, at: {ref: room}, worth: {int: any, default: 1}}}
  note: {plural: notes, fields: {text: {text: any}, number: {int: any, default: 0}, list: {list: {int: any}, default: []}}}
  turn: {singleton: true, fields: {keeper: {ref: keeper}, phase: {one of: [day, night], default: day}}}
  outcome: {singleton: true, fields: {winner: {text: any}}}
events:
  flipped: {lamp: {ref: lamp}, by: {ref: keeper, optional: true}}
  rang: {number: {int: any, default: 0}}
definitions:
  - define: dark-at $r
    when: [{no: {lamp: {at: $r, lit: true}}}]
  - define: night
    when: [{turn: {phase: night}}]
  - define: neighbours $a $b
    when:
      - lamp $x: {id: $a, at: $r}
      - lamp $y: {id: $b, at: $r}
"""


def load(folder: Path, rules: str, templates: str = TEMPLATES, ruleset: str = RULESET) -> Ruleset:
    """The ruleset with these rules (the items of the list, in any indentation), each citing nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ruleset.yaml").write_text(ruleset, encoding="utf-8")
    (folder / "templates.yaml").write_text(templates, encoding="utf-8")
    text = textwrap.dedent(rules).strip("\n")
    body = "\n".join(f"{line}\n  house: true" if line.startswith("- rule:") else line for line in text.splitlines())
    (folder / "rules.yaml").write_text("rules:\n" + textwrap.indent(body, "  ") + "\n", encoding="utf-8")
    return load_ruleset(folder, shown="houses")


def facts(ruleset: Ruleset, given: Mapping[str, Any]) -> list[Fact]:
    """Complete facts: `{"lamp": {"a": {...}}, "turn": {...}}`."""
    memory = WorkingMemory(ruleset.shapes)
    found: list[Fact] = []
    for name, instances in {"settings": {}, **given}.items():
        template = ruleset.templates[name]
        one = {name: instances} if template.kind == "singleton" else instances
        for position, (id_, fields) in enumerate(one.items(), start=1):
            found.append(complete(template, id_, fields, memory, position=position))
            memory.put(found[-1])
    return found


HOUSE: Mapping[str, Any] = {
    "keeper": {"ann": {}, "bob": {}},
    "room": {"hall": {}, "attic": {}},
    "lamp": {"a": {"at": "hall", "owner": "ann"}, "b": {"at": "hall", "owner": "bob", "glow": 3}, "c": {"at": "store"}},
    "turn": {"keeper": "ann"},
}


def opened(
    ruleset: Ruleset, given: Mapping[str, Any] = HOUSE, stack: tuple[StackedFrame, ...] = (), limit: int = 10_000
) -> Session:
    """A session of this board."""
    return Session(ruleset, facts(ruleset, given), stack, limit)


def house(**changed: Any) -> dict[str, Any]:
    """The usual board with some templates given otherwise."""
    return {**HOUSE, **changed}


def begun(session: Session, procedure: str, **fields: Value) -> Waiting:
    """The session after a procedure has begun in it."""
    waiting = session.begin([Call(procedure, tuple(fields.items()))])
    assert isinstance(waiting, Waiting)
    return waiting


def played(folder: Path, rules: str, procedure: str = "work", given: Mapping[str, Any] = HOUSE, **fields: Value) -> Session:
    """The session in which one procedure has run with these rules."""
    session = opened(load(folder, rules), given)
    begun(session, procedure, **fields)
    return session


def firings(session: Session) -> list[Firing]:
    """What has fired."""
    return list(session.trace.firings())


def fired(session: Session) -> list[str]:
    """The names of the rules that have fired, in order."""
    return [firing.rule for firing in firings(session)]


def bound(session: Session, variable: str) -> list[Value]:
    """The value of a variable in each firing."""
    return [dict(firing.bindings)[variable] for firing in firings(session)]


def value(session: Session, template: str, id_: str, field: str) -> Value:
    """A field as it is now."""
    return session.read(template, id_, field)


def notes(session: Session) -> list[tuple[str, int]]:
    """The notes that rules have left, in the order of their ids."""
    return [(fact.values["text"], fact.values["number"]) for fact in session.memory.all("note")]
