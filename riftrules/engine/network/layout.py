"""How rules are laid out in durable_rules: pure planning, no network in sight.

Facts are sent as *kinds*: flat projections, whole numbers only. The layout is a chain of pairs. A rule of one pattern is
one rule of durable_rules; the first two patterns of a longer one are a rule whose activations are partial matches,
asserted again as facts of a kind of their own, and joined with the third pattern by the next. Rules that begin alike
share these links, and rules that are alike are one. durable_rules joins by equality alone; other tests between two facts
are made when it delivers the pair.

Why no more than pairs and equalities: durable_rules looks past the end of a delivered activation when the facts of it
are retracted (see host.py). What it may find there must be ours, and for pairs that match when all is 0 it can be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from riftrules.engine.network.patterns import COMPARISONS, NetPattern, NetRule, fields_of_kinds

Prefix: TypeAlias = tuple[NetPattern, ...]
Reference: TypeAlias = tuple[int, str]
"""(index of a pattern, a field of it)"""
Values: TypeAlias = tuple[int, ...]

# Each with a margin; tests/engine/test_durable_rules.py shows what lies beyond the limits of durable_rules.
PATTERNS_PER_CHANNEL = 48
CHANNELS_PER_NETWORK = 128
WARM_UP = "warm"


@dataclass(frozen=True, slots=True)
class PairTest:
    """The value of the pair's second fact at `second`, compared with that of the first at `first` plus `plus`."""

    compare: Callable[[int, int], bool]
    second: int
    first: int
    plus: int

    def holds(self, first: Values, second: Values) -> bool:
        """Whether it holds of the values of the two facts."""
        return self.compare(second[self.second], first[self.first] + self.plus)


@dataclass(slots=True)
class Channel:
    """One way in for the facts of a kind: `text` takes a slot and the values picked, and gives what is asserted."""

    network: int
    number: int
    use: int
    patterns: int = 0
    picked: dict[int, str] = field(default_factory=dict)
    guarded: bool = False
    text: str = ""
    picks: tuple[int, ...] = ()

    def name_of(self, index: int) -> str:
        """The name under which the value at `index` is sent, which it has from now on."""
        return self.picked.setdefault(index, f"f{len(self.picked)}")

    @property
    def mark(self) -> str:
        """The property that tells facts of this channel from all others."""
        return f"k{self.number}"

    @property
    def width(self) -> int:
        """How many properties a fact has beside its id."""
        return 1 + self.guarded + len(self.picked)

    def finish(self) -> None:
        """Write down what is sent, now that it is known."""
        guard = ',"g":1' if self.guarded else ""
        values = "".join(f',"{name}":%d' for name in self.picked.values())
        self.text = f'{{"id":"%s","{self.mark}":1{guard}{values}}}'
        self.picks = tuple(self.picked)


@dataclass(slots=True)
class Kind:
    """What facts may be sent: the fields in the order of their values, and the channels that want them."""

    fields: tuple[Reference | str, ...]
    channels: list[Channel] = field(default_factory=list)

    def room(self, network: int, use: int) -> Channel | None:
        """The channel for the `use`-th use of the kind in one rule, if there is one with room for one pattern more."""
        fitting = (channel for channel in self.channels if (channel.network, channel.use) == (network, use))
        return next((channel for channel in fitting if channel.patterns < PATTERNS_PER_CHANNEL), None)


@dataclass(slots=True)
class Link:
    """One rule of durable_rules: `rules` are those of the blueprint that are matched when it is and `tests` hold.

    `places` are where the slots stand in an activation's text split at quotes. `partial` is the kind in which its
    matches are asserted again, with the values (which fact, which value of it) in `carried`.
    """

    network: int
    name: str
    definition: dict[str, Any]
    channels: tuple[Channel, ...]
    tests: tuple[PairTest, ...] = ()
    rules: list[int] = field(default_factory=list)
    places: tuple[int, ...] = ()
    partial: Kind | None = None
    carried: tuple[tuple[int, int], ...] = ()

    def finish(self) -> None:
        """Find the places: `{"name":{"p0":{"id":"1","mark":1,…},"p1":{"id":"2",…}}}`."""
        first, last = 7, 13 + 2 * self.channels[0].width
        self.places = (first, last)[: len(self.channels)]


class Layout:
    """The kinds, and the links in the order of their names, that match all `rules`; in as many networks as it takes."""

    def __init__(self, rules: tuple[NetRule, ...]) -> None:
        self.kinds = {name: Kind(fields) for name, fields in fields_of_kinds(rules).items()}
        self.links: dict[Prefix, Link] = {}
        self.channels: list[Channel] = []
        self.networks = 1
        self._in_newest = 0
        self._carried = _references(rules)
        for number, rule in enumerate(rules):
            self._link(rule.patterns).rules.append(number)
        for channel in self.channels:
            channel.finish()
        for link in self.links.values():
            link.finish()

    def pairs(self) -> tuple[tuple[Channel, tuple[Channel, ...]], ...]:
        """For each channel that is the first of a pair, the channels that are second to it."""
        found: dict[int, dict[int, Channel]] = {}
        for link in self.links.values():
            first, *others = link.channels
            found.setdefault(first.number, {}).update((second.number, second) for second in others)
        return tuple((self.channels[number], tuple(seconds.values())) for number, seconds in found.items() if seconds)

    def definitions(self) -> tuple[str, ...]:
        """What each network is built from, as durable_rules reads it. `warm` lets an action run before any fact is sent."""
        warm_up = {WARM_UP: {"all": [{"p0": {WARM_UP: 1}}]}}
        found: list[dict[str, Any]] = [dict(warm_up) for _ in range(self.networks)]
        for link in self.links.values():
            found[link.network][link.name] = link.definition
        return tuple(json.dumps(definition) for definition in found)

    def _link(self, prefix: Prefix) -> Link:
        found = self.links.get(prefix)
        if found is None:
            found = self._single(prefix[0]) if len(prefix) == 1 else self._pair(prefix)
            self.links[prefix] = found
        return found

    def _single(self, pattern: NetPattern) -> Link:
        network = self._network()
        channel = self._channel(self.kinds[pattern.kind], network, 0)
        return Link(network, f"r{len(self.links)}", {"all": [{"p0": {channel.mark: 1}}]}, (channel,))

    def _pair(self, prefix: Prefix) -> Link:
        pattern = prefix[-1]
        left, columns = self._left(prefix[:-1])
        right = self.kinds[pattern.kind]
        network = self._network()
        first = self._channel(left, network, 0)
        # A rule may not have two patterns over one kind: the second use of a kind goes by a channel of its own.
        second = self._channel(right, network, int(left is right))
        body: dict[str, Any] = {second.mark: 1}
        tests: list[PairTest] = []
        equal: list[dict[str, Any]] = []
        for join in pattern.joins:
            own, other = right.fields.index(join.field), columns[join.pattern, join.other]
            if join.op == "==" and not join.plus:
                equal.append({second.name_of(own): {"p0": first.name_of(other)}})
            else:
                tests.append(PairTest(COMPARISONS[join.op], own, other, join.plus))
        if equal:
            # The guard is last: past a false last test durable_rules runs over the end of the tests.
            body = {"$and": [body, *equal, {"g": {"p0": "g"}}]}
            first.guarded = second.guarded = True
        definition = {"all": [{"p0": {first.mark: 1}}, {"p1": body}]}
        return Link(network, f"r{len(self.links)}", definition, (first, second), tuple(tests))

    def _left(self, prefix: Prefix) -> tuple[Kind, dict[Reference, int]]:
        """The kind of what comes before a pair's last pattern, and where in it each field referred to is."""
        if len(prefix) == 1:
            kind = self.kinds[prefix[0].kind]
            return kind, {(0, str(name)): index for index, name in enumerate(kind.fields)}
        link = self._link(prefix)
        fields = self._carried[prefix]
        if link.partial is None:
            link.partial = Kind(fields)
            link.carried = tuple(self._source(prefix, reference) for reference in fields)
        return link.partial, {reference: index for index, reference in enumerate(fields)}

    def _source(self, prefix: Prefix, reference: Reference) -> tuple[int, int]:
        """Which of a pair's two facts has the field referred to, and where."""
        pattern, name = reference
        if pattern == len(prefix) - 1:
            return 1, self.kinds[prefix[-1].kind].fields.index(name)
        if len(prefix) == 2:
            return 0, self.kinds[prefix[0].kind].fields.index(name)
        return 0, self._carried[prefix[:-1]].index(reference)

    def _network(self) -> int:
        """The network the next link goes to: the newest, while it has room for two channels more."""
        if self._in_newest + 2 > CHANNELS_PER_NETWORK:
            self.networks += 1
            self._in_newest = 0
        return self.networks - 1

    def _channel(self, kind: Kind, network: int, use: int) -> Channel:
        found = kind.room(network, use)
        if found is None:
            found = Channel(network, len(self.channels), use)
            kind.channels.append(found)
            self.channels.append(found)
            self._in_newest += 1
        found.patterns += 1
        return found


def _references(rules: Iterable[NetRule]) -> dict[Prefix, tuple[Reference, ...]]:
    """For each way in which rules of three and more patterns begin, the fields that later patterns of them refer to."""
    found: dict[Prefix, dict[Reference, None]] = {}
    for rule in rules:
        for length in range(2, len(rule.patterns)):
            fields = found.setdefault(rule.patterns[:length], {})
            fields.update(
                ((join.pattern, join.other), None)
                for later in rule.patterns[length:]
                for join in later.joins
                if join.pattern < length
            )
    return {prefix: tuple(fields) for prefix, fields in found.items()}
