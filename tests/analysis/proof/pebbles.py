"""A small game of pebbles carried from room to room, with scopes, to be broken a little in each test."""

from __future__ import annotations

from pathlib import Path

from riftrules.language.loader import load_ruleset
from riftrules.language.model import Ruleset

RULESET = """\
name: pebbles
procedures:
  carry:
    request: true
    fields: {by: {ref: keeper}, pebble: {ref: pebble}, to: {ref: room, or: [bag]}}
    steps: [carrying]
    then: tidy
  drop: {fields: {pebble: {ref: pebble}}, steps: [dropping], then: tidy}
  tidy: {steps: [lose, own], repeat: until stable}
"""

TEMPLATES = """\
templates:
  keeper: {plural: keepers, symmetric: true, fields: {points: {int: {min: 0, max: 9}, default: 0}}}
  room: {plural: rooms, symmetric: true, fields: {name: {text: any, default: $id}, owner: {ref: keeper, optional: true}}}
  pebble: {plural: pebbles, symmetric: true, fields: {keeper: {ref: keeper}, at: {ref: room, or: [bag], default: bag}}}
  clock: {singleton: true, fields: {ticks: {int: {min: 0}, default: 0}}}
"""

SCOPES = """\
scopes:
  small:
    says: Two keepers with a pebble each and two rooms.
    boards:
      keepers: {count: 2, names: [ann, bob]}
      rooms: {count: 2, names: [hall, attic]}
      pebbles: {count: 1, each: keeper, by: keeper, names: [a, b]}
      clock: {ticks: 0}
    requests: [carry]
    effects: [drop]
    ignored: [clock.ticks]
    agreement: 1
  crowded:
    boards:
      keepers: {count: 2, names: [ann, bob]}
      rooms: {count: 2, names: [hall, attic]}
      pebbles: {count: 2, each: keeper, by: keeper, names: [a, b, c, d], fields: {at: hall}}
      clock: {ticks: 0}
    requests: [carry]
    effects: [drop]
    ignored: [clock.ticks]
  games:
    boards:
      keepers: {count: 2}
      rooms: {count: 2}
      pebbles: {count: 2, each: keeper, by: keeper}
      clock: {ticks: 0}
    requests: [carry]
    effects: [drop]
    seldom: [drop]
    bound: {clock.ticks: 30}
"""

CARRIED = """\
  - rule: pebbles-are-carried
    house: true
    step: carrying
    when:
      - carry $c: {pebble: $p, to: $to}
      - pebble $p: {at: not $to}
    then:
      - modify $p: {at: $to}
      - modify $clock: {ticks: plus 1}
"""

REFUSED = """\
  - rule: keepers-carry-their-own
    house: true
    when:
      - carry $c: {by: $k}
      - pebble: {id: $c.pebble, keeper: not $k}
    then: [refuse $c]
"""

DROPPED = """\
  - rule: pebbles-are-dropped
    house: true
    step: dropping
    when:
      - drop $d: {pebble: $p}
      - pebble $p: {}
    then: [retract $p]
"""

LOST = """\
  - rule: rooms-without-a-pebble-are-lost
    house: true
    step: lose
    when:
      - room $r: {owner: $k}
      - no: {pebble: {at: $r, keeper: $k}}
    then:
      - modify $r: {owner: none}
"""

OWNED = """\
  - rule: one-keeper-alone-owns-a-room
    house: true
    step: own
    when:
      - room $r: {owner: none}
      - pebble $p: {at: $r, keeper: $k}
      - no: {pebble: {at: $r, keeper: not $k}}
    then:
      - modify $r: {owner: $k}
"""

FIRST = """\
  - rule: whoever-is-first-owns-a-room
    house: true
    step: own
    when:
      - room $r: {owner: none}
      - pebble $p: {at: $r, keeper: $k}
    then:
      - modify $r: {owner: $k}
"""

RESTLESS = """\
  - rule: owners-tire-of-their-rooms
    house: true
    step: lose
    when:
      - room $r: {owner: some}
    then:
      - modify $r: {owner: none}
"""

POORER = """\
  - rule: owners-pay
    house: true
    step: own
    when:
      - room $r: {owner: $k}
      - keeper $k: {}
    then:
      - modify $k: {points: minus 1}
"""

INVARIANTS = """\
invariants:
  - invariant: an-owner-has-a-pebble-there
    house: true
    says: Nobody owns a room without a pebble of theirs in it.
    when:
      - room $r: {owner: $k}
      - no: {pebble: {at: $r, keeper: $k}}
  - invariant: nobody-has-ten-points
    house: true
    says: Nobody has ten points.
    when:
      - keeper: {points: at least 9}
"""

SOUND = (CARRIED, REFUSED, DROPPED, LOST, OWNED)
WITHOUT_LOSS = (CARRIED, REFUSED, DROPPED, OWNED)
UNDECIDED = (CARRIED, REFUSED, DROPPED, LOST, FIRST)
ENDLESS = (CARRIED, REFUSED, DROPPED, LOST, OWNED, RESTLESS)
IMPOSSIBLE = (CARRIED, REFUSED, DROPPED, LOST, OWNED, POORER)


def folder_of(root: Path, rules: tuple[str, ...] = SOUND, *, scopes: str = SCOPES, templates: str = TEMPLATES) -> Path:
    """A folder `rulesets/pebbles` with these rules."""
    folder = root / "rulesets" / "pebbles"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"ruleset": RULESET, "templates": templates, "scopes": scopes, "rules": "rules:\n" + "".join(rules) + INVARIANTS}
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def pebbles(root: Path, rules: tuple[str, ...] = SOUND, *, scopes: str = SCOPES, templates: str = TEMPLATES) -> Ruleset:
    """The game with these rules."""
    return load_ruleset(folder_of(root, rules, scopes=scopes, templates=templates), shown="pebbles")
