"""Random rules, boards and requests for the game of keepers, rooms and lamps: valid by construction, mostly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import yaml

from riftrules.facts.types import Call
from tests.engine.houses import RULESET

FIELDS: Mapping[str, Mapping[str, str]] = {
    "keeper": {"seat": "int", "points": "int", "team": "text"},
    "room": {"keeper": "keeper?", "heat": "int"},
    "lamp": {
        "at": "room+",
        "owner": "keeper?",
        "lit": "bool",
        "glow": "int",
        "marks": "marks",
        "fans": "keepers",
        "queue": "queue",
        "votes": "votes",
        "shine": "int!",
        "twice": "int!",
    },
    "boost": {"lamp": "lamp", "amount": "int"},
    "seal": {"by": "keeper", "at": "room", "worth": "int"},
    "note": {"text": "text", "number": "int"},
    "work": {"by": "keeper?", "amount": "int"},
    "more": {"amount": "int"},
    "party": {"room": "room?", "guests": "keepers"},
    "flip": {"by": "keeper", "lamp": "lamp"},
    "rest": {"by": "keeper"},
    "flipped": {"lamp": "lamp", "by": "keeper?"},
    "rang": {"number": "int"},
}
"""The fields by type: `?` may be none, `+` may be a word, `!` is derived."""

STANDING = ("keeper", "keeper", "room", "room", "lamp", "lamp", "lamp", "lamp", "boost", "seal", "note")
FRAME_OF = {
    "first": ("work",),
    "second": ("work",),
    "extra": ("more",),
    "greet": ("party",),
    "talk": ("party",),
    "farewell": ("party",),
    "flipping": ("flip",),
    "resting": ("rest",),
}
STEPS = (
    "first",
    "first",
    "second",
    "extra",
    "tidying",
    "together",
    "greet",
    "talk",
    "farewell",
    "flipping",
    "flipping",
    "resting",
)
BEGUN = ("more", "tidy", "joint", "again", "again", "party", "chores", "work")


@dataclass
class Names:
    """The variables bound so far in one scope and those around it, by what they are."""

    prefix: str
    of: dict[str, str] = field(default_factory=dict)
    made: int = 0

    def new(self, kind: str) -> str:
        """A variable not used yet."""
        self.made += 1
        name = f"{self.prefix}{kind[0]}{self.made}"
        self.of[name] = kind
        return name

    def known(self, kind: str) -> list[str]:
        """The variables that are of this kind."""
        return [name for name, other in self.of.items() if other == kind]

    def inner(self, prefix: str) -> Names:
        """A scope within this one."""
        return Names(self.prefix + prefix, dict(self.of))


class RuleMaker:
    """Writes one rule after another, as YAML."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def often(self, percent: int) -> bool:
        """Whether something happens that happens so often."""
        return self.random.randint(1, 100) <= percent

    def one(self, some: Sequence[Any]) -> Any:
        """One of them."""
        return some[self.random.randint(0, len(some) - 1)]

    # -------------------------------------------------------------------------------------------- expressions

    def number(self, names: Names, depth: int = 2) -> str:
        """An expression that is a whole number, or none."""
        reads = [f"${name}" for name in names.known("int")]
        for template, fields in FIELDS.items():
            reads += [
                f"${name}.{one}" for name in names.known(template) for one, kind in fields.items() if kind.startswith("int")
            ]
        reads += [f"${name}.owner.points" for name in names.known("lamp")] + ["$settings.target", "$turn.keeper.points"]
        reads += (
            [f"${lamp}.votes at ${keeper}" for lamp in names.known("lamp") for keeper in names.known("keeper")]
            if depth > 1
            else []
        )
        if not depth or self.often(30):
            return str(self.random.randint(0, 4))
        if self.often(60):
            return str(self.one(reads))
        left, right = (
            self.number(names, 0),
            self.one([str(self.random.randint(0, 3)), self.one(reads) if " at " not in reads[-1] else "1"]),
        )
        if " at " in right:
            right = "1"
        return str(
            self.one(
                [f"{left} + {right}", f"{left} - {right}", f"{left} mod {right}", f"greater of {left} and {right}", f"{left} * 2"]
            )
        )

    def reference(self, names: Names, kind: str) -> str | None:
        """An expression that is the id of a fact of this kind, or none."""
        found = [f"${name}" for name in names.known(kind)]
        for template, fields in FIELDS.items():
            found += [
                f"${name}.{one}" for name in names.known(template) for one, type_ in fields.items() if type_.rstrip("?+") == kind
            ]
        found += ["$turn.keeper"] if kind == "keeper" else []
        return str(self.one(found)) if found else None

    def value(self, names: Names, kind: str) -> str:
        """An expression for a field of this kind, which may turn out to be out of range."""
        base = kind.rstrip("?+!")
        if base in FIELDS:
            words = ["none"] * kind.endswith("?") + ["store"] * kind.endswith("+")
            known = self.reference(names, base)
            given = {"keeper": ["ann", "bob"], "room": ["hall", "attic"], "lamp": ["a", "b"]}.get(base, [])
            return str(self.one([*words, *([known] * 3 if known else []), *([] if known else given)]))
        return {
            "int": lambda: self.number(names),
            "bool": lambda: self.one(["true", "false"]),
            "text": lambda: self.one(["red", "tea"]),
        }[base]()

    # -------------------------------------------------------------------------------------------- patterns

    def test(self, names: Names, kind: str, *, binds: bool) -> str | None:
        """A test of a field of this kind; with `binds` it may bind a variable."""
        base = kind.rstrip("?+!")
        if binds and (base in FIELDS or base == "int") and self.often(45):
            known = names.known(base)
            return f"${self.one(known)}" if known and self.often(70) else f"${names.new(base)}"
        if base == "int":
            number = self.number(names)
            return str(
                self.one([number, f"at least {number}", f"more than {number}", f"less than {number}", f"not {number}", "1 or 2"])
            )
        if base in FIELDS:
            known = self.reference(names, base)
            found = ["some"] + ["none"] * kind.endswith("?") + ["store", "not store"] * kind.endswith("+")
            return str(self.one(found + ([known, f"not {known}", f"not {known}"] if known else [])))
        if base == "keepers":
            known = self.reference(names, "keeper")
            return f"has {known}" if known else None
        return {"bool": self.one(["true", "false", "not true"]), "marks": "has red", "text": self.one(["red", "not tea"])}.get(
            base
        )

    def pattern(self, names: Names, template: str, *, named: bool, binds: bool = True, name: str = "") -> str:
        """A pattern, which binds what it names."""
        known = names.known(template)
        if named and not name:
            name = self.one(known) if known and self.often(15) else names.new(template)
        tests = {}
        for one, kind in FIELDS[template].items():
            if self.often(35):
                said = self.test(names, kind, binds=binds)
                if said is not None:
                    tests[one] = said
        if template in ("keeper", "lamp", "room") and known and self.often(35):
            tests["id"] = f"{self.one(['not ', 'not ', ''])}${self.one(known)}"
        if template == "keeper" and names.known("party") and self.often(50):
            tests["id"] = f"{self.one(['in', 'not in'])} ${self.one(names.known('party'))}.guests"
        said = ", ".join(f"{one}: {test}" for one, test in tests.items())
        return f"{template}{' $' + name if named else ''}: {{{said}}}"

    # -------------------------------------------------------------------------------------------- conditions

    def body(self, names: Names, depth: int) -> list[str]:
        """What a quantifier is about: conditions within its own scope."""
        inner = names.inner(self.one(["q", "r", "s"]))
        if self.often(60) or depth <= 0:
            return [self.pattern(inner, self.one(STANDING), named=self.often(40))]
        found = [
            self.pattern(inner, self.one(STANDING), named=True),
            self.pattern(inner, self.one(STANDING), named=self.often(70), binds=self.often(50)),
        ]
        if self.often(40):
            found.append(self.condition(inner, depth - 1))
        return found

    def condition(self, names: Names, depth: int = 1) -> str:
        """A condition that is not a pattern of its own."""
        makers: list[Callable[[], str | None]] = [
            lambda: self.quantified("no", names, depth),
            lambda: self.quantified("no", names, depth),
            lambda: self.quantified("some", names, depth),
            lambda: self.pattern(names, self.one(STANDING), named=False, binds=False),
            lambda: self.every(names, depth),
            lambda: f"where: {self.number(names)} {self.one(['is', 'is not', 'at least', 'less than'])} {self.number(names)}",
            lambda: self.counted(names, depth),
            lambda: self.summed(names),
            lambda: self.each(names),
            lambda: self.use(names),
        ]
        for _ in range(4):
            found = self.one(makers)()
            if found is not None:
                return found
        return "night"

    def quantified(self, word: str, names: Names, depth: int) -> str:
        """`no:` or `some:`."""
        return f"{word}: [{', '.join(_flow(one) for one in self.body(names, depth))}]"

    def every(self, names: Names, depth: int) -> str:
        """`every:` with its `has`, which sees what the body binds."""
        inner = names.inner("e")
        first = self.pattern(inner, self.one(STANDING), named=True)
        second = self.pattern(inner, self.one(STANDING), named=False, binds=depth > 0)
        return f"every: [{_flow(first)}]\n  has: [{_flow(second)}]"

    def counted(self, names: Names, depth: int) -> str:
        """`count:`; its variable is new, and known only from here on."""
        said = ", ".join(_flow(one) for one in self.body(names, depth))
        return f"count: [{said}]\n  as: ${names.new('int')}"

    def summed(self, names: Names) -> str:
        """`sum:` over lamps or boosts."""
        inner = names.inner("z")
        template, one = self.one([("lamp", "shine"), ("boost", "amount"), ("lamp", "glow"), ("seal", "worth")])
        name = inner.new(template)
        body = self.pattern(inner, template, named=True, name=name)
        return f"sum: ${name}.{one}\n  over: {_flow(body)}\n  as: ${names.new('int')}"

    def each(self, names: Names) -> str | None:
        """`each:` of a set, a list or a map."""
        lamps, parties = names.known("lamp"), names.known("party")
        if parties and self.often(50):
            return f"each: ${self.one(parties)}.guests\n  as: ${names.new('keeper')}"
        if not lamps:
            return None
        lamp = self.one(lamps)
        if self.often(40):
            return f"each: ${lamp}.votes\n  as: [${names.new('keeper')}, ${names.new('int')}]"
        return f"each: ${lamp}.{self.one(['fans', 'queue'])}\n  as: ${names.new('keeper')}"

    def use(self, names: Names) -> str | None:
        """A definition."""
        rooms, lamps = names.known("room"), names.known("lamp")
        found = ["night"]
        found += [f"dark-at: ${self.one(rooms)}"] * 2 if rooms else []
        found += [f"neighbours: [${self.one(lamps)}, ${self.one(lamps)}]"] * 2 if lamps else []
        found += [f"dark-at: ${self.one(lamps)}.at"] if lamps else []
        said = str(self.one(found))
        return f"no: [{_flow(said)}]" if self.often(30) else said

    # -------------------------------------------------------------------------------------------- consequents

    def consequent(self, names: Names, step: str) -> str | None:
        """Something a rule does."""
        makers: list[Callable[[], str | None]] = [
            lambda: self.modify(names),
            lambda: self.modify(names),
            lambda: self.modify(names),
            lambda: self.asserted(names),
            lambda: self.asserted(names),
            lambda: self.retract(names),
            lambda: self.emit(names),
            lambda: self.begin(names),
            lambda: self.begin(names),
            lambda: self.leave(names),
            lambda: "end game" if self.often(15) else None,
            lambda: "begin each of $does.does" if step == "doing" else None,
        ]
        return self.one(makers)()

    def modify(self, names: Names) -> str | None:
        """A change of some fields of a fact or frame."""
        template = self.one(("keeper", "room", "lamp", "lamp", "party", "seal", "work"))
        known = names.known(template)
        if not known:
            return None
        changes = {}
        for one, kind in FIELDS[template].items():
            if (
                (template, one) in {("seal", "by"), ("seal", "at"), ("keeper", "seat")}
                or kind.endswith("!")
                or not self.often(40)
            ):
                continue
            if kind == "int":
                changes[one] = self.one(["", "plus ", "plus ", "minus "]) + self.number(names)
            elif kind == "marks":
                changes[one] = self.one(["add red", "remove red", "add blue"])
            elif kind in ("keepers", "queue"):
                keeper = self.reference(names, "keeper")
                changes[one] = f"{self.one(['add', 'remove'])} {keeper}"
            elif kind != "votes":
                changes[one] = self.value(names, kind)
        if not changes:
            return None
        return f"modify ${self.one(known)}: {{{', '.join(f'{one}: {said}' for one, said in changes.items())}}}"

    def asserted(self, names: Names) -> str | None:
        """A new fact, or one with a key, or a singleton."""
        frames = [name for kind in ("party", "work", "more") for name in names.known(kind)]
        within = f" within ${self.one(frames)}" if frames and self.often(35) else ""
        keeper, room, lamp = self.reference(names, "keeper"), self.reference(names, "room"), self.reference(names, "lamp")
        found = [f"assert note{within}: {{text: {self.value(names, 'text')}, number: {self.number(names)}}}"]
        if keeper and room:
            worth = f", worth: {self.number(names)}" if self.often(50) else ""
            found += [f"assert seal{within}: {{by: {keeper}, at: {room}{worth}}}"] * 2
        if lamp:
            found.append(f"assert boost{within}: {{lamp: {lamp}, amount: {self.number(names)}}}")
        if keeper:
            found.append(f"assert turn: {{keeper: {keeper}, phase: {self.one(['day', 'night'])}}}")
        return str(self.one(found))

    def named(self, names: Names) -> list[str]:
        """A new fact with a name, within a frame or not, and what is made with its id."""
        keeper, room, lamp = (self.reference(names, kind) for kind in ("keeper", "room", "lamp"))
        frames = [name for kind in ("party", "work", "more") for name in names.known(kind)]
        within = f" within ${self.one(frames)}" if frames and self.often(25) else ""
        number, word = self.number(names), self.one(["begin", "due"])
        lamps = [f"assert lamp $new{within}: {{at: {room or 'store'}, glow: {number}}}"]
        lamps += ["assert boost: {lamp: $new, amount: 1}", "emit flipped: {lamp: $new}"]
        rooms = [f"assert room $new{within}: {{heat: {number}}}", f"{word} party: {{room: $new}}"]
        rooms += ["assert lamp: {at: $new}", *([f"assert seal: {{by: {keeper}, at: $new}}"] if keeper else [])]
        keepers = [f"assert keeper $new{within}: {{points: {number}}}", f"{word} work: {{by: $new, amount: 1}}"]
        keepers += [f"emit flipped: {{lamp: {lamp}, by: $new}}"] if lamp else []
        keepers += [f"assert seal $seal: {{by: $new, at: {room}}}"] if room else []
        seals = [f"assert seal $new: {{by: {keeper}, at: {room}, worth: {number}}}"] if keeper and room else []
        first, *after = self.one([lamps, rooms, keepers, seals or lamps])
        return [first, *self.random.sample(after, len(after))]

    def retract(self, names: Names) -> str | None:
        """A fact goes."""
        kind = self.one(("boost", "seal", "note", "lamp", "boost", "seal", "room"))
        return f"retract ${self.one(names.known(kind))}" if names.known(kind) else None

    def emit(self, names: Names) -> str:
        """An event."""
        lamp, keeper = self.reference(names, "lamp"), self.reference(names, "keeper")
        if lamp and self.often(60):
            return f"emit flipped: {{lamp: {lamp}{', by: ' + keeper if keeper else ''}}}"
        return f"emit rang: {{number: {self.number(names)}}}"

    def begin(self, names: Names) -> str:
        """A procedure begins, or is due."""
        name = self.one(BEGUN)
        fields = {
            one: self.value(names, kind) for one, kind in FIELDS.get(name, {}).items() if kind != "keepers" and self.often(60)
        }
        word = self.one(["begin", "due"])
        said = ", ".join(f"{one}: {value}" for one, value in fields.items())
        return f"{word} {name}: {{{said}}}" if said else f"{word} {name}"

    def leave(self, names: Names) -> str | None:
        """A frame ends."""
        frames = [name for kind in ("party", "work", "more") for name in names.known(kind)]
        return f"leave ${self.one(frames)}" if frames and self.often(50) else None

    # -------------------------------------------------------------------------------------------- rules

    def rule(self, number: int) -> str:
        """One rule, as an item of a YAML list."""
        kind = self.one(["step"] * 7 + ["after"] * 2 + ["refuses", "asks"])
        names = Names("")
        head, when, step = self.opening(kind, names)
        for _ in range(self.one([0, 1, 1, 2, 2, 2, 3])):
            when.append(self.pattern(names, self.one(STANDING), named=True))
        for _ in range(self.one([0, 0, 1, 1, 2])):
            when.append(self.condition(names))
        then = self.consequents(kind, names, step)
        tail = self.choice(names, step) if kind in ("step", "after") else []
        salience = [f"salience: {self.random.randint(-1, 1)}"] if self.often(20) and kind != "refuses" else []
        lines = [f"- rule: r{number}", *(f"  {line}" for line in (*head, *salience, *tail))]
        if when:
            lines.append("  when:")
            lines += [f"    - {condition.replace(chr(10), chr(10) + '    ')}" for condition in when]
        lines.append("  then:")
        return "\n".join([*lines, *(f"    - {said}" for said in then)])

    def opening(self, kind: str, names: Names) -> tuple[list[str], list[str], str]:
        """Where a rule is at home, and the pattern of its frame or request."""
        if kind == "after":
            event = self.one(["flipped", "rang"])
            return [f"after: {{{self.pattern(names, event, named=True)}}}"], [], ""
        if kind == "refuses":
            name = self.one(["flip", "flip", "rest"])
            return [], [self.pattern(names, name, named=True, name=_named(names, "request", name))], ""
        if kind == "asks":
            return ["step: talk"], [self.pattern(names, "party", named=True)], "talk"
        step = self.one((*STEPS, "doing"))
        if step == "doing":
            return [f"step: {step}"], ["do $does: {}"], step
        frames = FRAME_OF.get(step, ())
        wanted = frames if self.often(75) else ("party",) if self.often(20) else ()
        named = self.often(85)
        return [f"step: {step}"], [self.pattern(names, frame, named=named, binds=named) for frame in wanted], step

    def consequents(self, kind: str, names: Names, step: str) -> list[str]:
        """What a rule of this kind does."""
        if kind == "refuses":
            return ["refuse $request"]
        if kind == "asks":
            return [f"ask {self.reference(names, 'keeper')}: {self.one(['[rest]', '[flip]', '[rest, flip]'])}"]
        found = [said for _ in range(self.random.randint(1, 3)) if (said := self.consequent(names, step)) is not None]
        found += self.named(names) if self.often(15) else []
        return found or [f"assert note: {{text: tea, number: {self.number(names)}}}"]

    def choice(self, names: Names, step: str) -> list[str]:
        """Now and then somebody chooses."""
        options = [name for kind in ("lamp", "keeper", "room") for name in names.known(kind)]
        if not options or step == "together" or not self.often(40):
            return []
        by = self.one(["$turn.keeper", "$turn.keeper", self.reference(names, "keeper")])
        per = f", per: ${self.one(options)}" if self.often(30) else ""
        optional = ", optional: true" if self.often(30) else ""
        return [f"choose: {{by: {by}, one: ${self.one(options)}{per}{optional}}}"]


def _named(names: Names, name: str, kind: str) -> str:
    names.of[name] = kind
    return name


def _flow(said: str) -> str:
    """A condition within brackets."""
    return "{" + said.replace("\n  ", ", ") + "}" if ":" in said else said


PLAIN = (
    """\
- rule: lamp-is-flipped
  step: flipping
  when:
    - flip $f: {lamp: $l, by: $k}
    - lamp $l: {}
  then:
    - emit flipped: {lamp: $l, by: $k}
""",
    """\
- rule: guest-rests
  step: resting
  when:
    - rest $r: {by: $k}
    - party $p: {}
  then:
    - modify $p: {guests: add $k}
""",
    """\
- rule: guests-are-asked
  step: talk
  when:
    - party $p: {}
    - keeper $k: {id: not in $p.guests}
  then:
    - ask $k: [rest, flip]
""",
    """\
- rule: lamp-is-chosen
  step: first
  choose: {by: $turn.keeper, one: $l, optional: true}
  when:
    - work $w: {}
    - lamp $l: {glow: less than 5}
  then:
    - modify $l: {glow: plus 1}
""",
)
"""Rules by which requests are accepted and somebody is asked, so that games get somewhere."""


def rules(random: Random, count: int) -> list[str]:
    """So many random rules, and most of the plain ones."""
    maker = RuleMaker(random)
    found = [maker.rule(number) for number in range(count)]
    for plain in PLAIN:
        if maker.often(70):
            found.insert(random.randint(0, len(found)), plain.rstrip())
    return found


NESTED = ("tidy", "nothing", "more", "work", "joint", "again", "chores")
"""Procedures without required fields: the steps of each may be those before it."""


def procedures(random: Random) -> str:
    """The ruleset as it is, or with other steps, yields and thens for some of its procedures."""
    if random.random() < 0.5:
        return RULESET
    written = yaml.safe_load(RULESET)
    for place, name in enumerate(NESTED):
        procedure = written["procedures"][name]
        if random.random() < 0.6:
            inner = [*NESTED[:place], "first", "second", "extra", "tidying", "together", "first", "second"]
            procedure["steps"] = list(dict.fromkeys(random.choice(inner) for _ in range(random.randint(1, 4))))
        if random.random() < 0.4:
            procedure["then"] = random.choice(NESTED[:2])
        if random.random() < 0.5:
            procedure["yields"] = True
    return str(yaml.safe_dump(written, sort_keys=False))


def board(random: Random) -> dict[str, Any]:
    """A random board: two or three keepers, two rooms, up to four lamps, boosts, seals and notes."""
    maker = RuleMaker(random)
    keepers = ["ann", "bob", "cyd"][: random.randint(2, 3)]
    rooms = ["hall", "attic"]
    lamps = ["a", "b", "c", "d"][: random.randint(1, 4)]
    given: dict[str, Any] = {
        "keeper": {name: {"points": random.randint(0, 2), "team": maker.one(["red", "tea", name])} for name in keepers},
        "room": {name: {"keeper": maker.one([None, *keepers]), "heat": random.randint(0, 3)} for name in rooms},
        "lamp": {name: _lamp(maker, keepers, rooms) for name in lamps},
        "boost": {
            f"boost-{number}": {"lamp": maker.one(lamps), "amount": random.randint(-1, 2)}
            for number in range(1, random.randint(1, 3))
        },
        "note": {
            f"note-{number}": {"text": maker.one(["red", "tea"]), "number": number} for number in range(1, random.randint(1, 3))
        },
    }
    if maker.often(50):
        by, at = maker.one(keepers), maker.one(rooms)
        given["seal"] = {f"{by}, {at}": {"by": by, "at": at}}
    if maker.often(85):
        given["turn"] = {"keeper": maker.one(keepers), "phase": maker.one(["day", "night"])}
    return given


def _lamp(maker: RuleMaker, keepers: Sequence[str], rooms: Sequence[str]) -> dict[str, Any]:
    some = frozenset(name for name in keepers if maker.often(40))
    return {
        "at": maker.one([*rooms, *rooms, "store"]),
        "owner": maker.one([None, *keepers]),
        "lit": maker.often(50),
        "glow": maker.random.randint(0, 3),
        "marks": frozenset({"red"} if maker.often(40) else ()),
        "fans": some,
        "queue": tuple(maker.one(keepers) for _ in range(maker.random.randint(0, 2))),
        "votes": tuple((name, maker.random.randint(-1, 2)) for name in keepers if maker.often(40)),
    }


# ------------------------------------------------------------------------------------------------ what is done


def actions(random: Random, given: Mapping[str, Any], count: int) -> list[tuple[Any, ...]]:
    """What is done to a session, one thing after another; what is out of place is left out when it comes up."""
    maker = RuleMaker(random)
    keepers, lamps = list(given["keeper"]), list(given["lamp"])
    found: list[tuple[Any, ...]] = []
    for _ in range(count):
        kind = maker.one(["begin"] * 4 + ["flip", "flip", "flip", "rest", "rest", "choose", "choose", "mark", "undo", "legal"])
        if kind == "begin":
            calls = [_call(maker, keepers) for _ in range(random.randint(1, 2))]
            found.append(("begin", calls))
        elif kind == "flip":
            by = {"by": maker.one(keepers)} if maker.often(60) else {}
            found.append(("request", "flip", {"lamp": maker.one(lamps), **by}))
        elif kind == "rest":
            found.append(("request", "rest", {"by": maker.one(keepers)} if maker.often(30) else {}))
        else:
            found.append((kind, random.randint(0, 4)))
    return found


def _call(maker: RuleMaker, keepers: Sequence[str]) -> Call:
    name = maker.one(["work", "work", "again", "again", "joint", "party", "party", "chores", "do", "more"])
    fields: dict[str, Any] = {}
    if name == "work" and maker.often(70):
        fields = {"by": maker.one(keepers), "amount": maker.random.randint(0, 3)}
    if name == "party":
        fields = {"room": maker.one(["hall", "attic", None]), "guests": frozenset(name for name in keepers if maker.often(30))}
    if name == "do":
        fields = {"does": tuple(Call(maker.one(["more", "tidy", "again"])) for _ in range(maker.random.randint(0, 2)))}
    return Call(name, tuple(fields.items()))
