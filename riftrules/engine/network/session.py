"""The match network as a session sees it: facts go in by `Network.apply`, and `Network.matches` tells what they activate."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from riftrules.engine.network.host import MOST_FACTS, Host, explained, extension
from riftrules.engine.network.layout import Channel, Kind, Layout, Values
from riftrules.engine.network.patterns import NetRule
from riftrules.errors import EngineError

Key: TypeAlias = int | str
Keys: TypeAlias = tuple[Key, ...]
"""The keys of an activation: that of the fact which each pattern of the rule matched."""
Retraction: TypeAlias = tuple[str, Key]
"""(kind, key)"""
Assertion: TypeAlias = tuple[str, Key, Values]
"""(kind, key, a value for each field of the kind)"""
Slots: TypeAlias = tuple[str, ...]
Match: TypeAlias = tuple[str, Slots]
"""(name of a link, the slots of the facts that match it)"""

LARGEST = 1 << 62
FIRST_ROOM = 12


class Blueprint:
    """The networks for one set of rules: laid out once, built when first needed, handed from session to session.

    Raises EngineError, naming the rule, where a rule is beyond what a network can match.
    """

    def __init__(self, rules: Iterable[NetRule]) -> None:
        self.rules = tuple(rules)
        self.layout = Layout(self.rules)
        self.kinds = self.layout.kinds
        self.links = {link.name: link for link in self.layout.links.values()}
        self.link_of = {number: link.name for link in self.links.values() for number in link.rules}
        self._hosts: list[Host] = []
        self._room = FIRST_ROOM

    def open(self) -> Network:
        """An empty network for one session; its `close` gives the built part back for the next."""
        return Network(self, self.host(self._room))

    def host(self, room: int) -> Host:
        """An empty host with room for so many facts of a kind; every later one has at least as much."""
        self._room = max(room, self._room)
        fitting = next((host for host in self._hosts if host.room >= room), None)
        if fitting is None:
            return Host(self.layout, self._room)
        self._hosts.remove(fitting)
        return fitting

    def take_back(self, host: Host) -> None:
        """Keep an emptied host for the next session."""
        if host.room >= self._room:
            self._hosts.append(host)
        else:
            host.drop()


class _Held(NamedTuple):
    """A fact as it was sent: its values, and a slot for each channel of its kind."""

    values: Values
    slots: Slots


class _Slot(NamedTuple):
    """Which channel a slot's fact went by, the keys it stands for (several in a partial match), and its values."""

    channel: Channel
    keys: Keys
    values: Values


class Network:
    """The facts of one session and the activations they give, the one always up to date with the other."""

    def __init__(self, blueprint: Blueprint, host: Host) -> None:
        self._blueprint = blueprint
        self._links = blueprint.links
        self._host = host
        self._open = True
        self._facts: dict[Retraction, _Held] = {}
        self._slots: dict[str, _Slot] = {}
        self._spare: list[str] = []
        self._crowd = [0] * len(blueprint.layout.channels)
        self._live: dict[str, dict[Slots, Keys]] = {name: {} for name in self._links}
        # A match is listed under each of its facts, and stays with the others when one of them goes.
        self._matches_of: dict[str, dict[Match, None]] = {}
        self._partial: dict[Match, Slots] = {}

    def matches(self, rule: int) -> Collection[Keys]:
        """The activations of a rule as they stand, in no order of meaning."""
        return self._live[self._blueprint.link_of[rule]].values()

    def apply(self, retracts: Iterable[Retraction] = (), asserts: Iterable[Assertion] = ()) -> None:
        """Make one change, after which `matches` tells the activations that stand.

        A fact asserted again is modified. After an error the network is closed: EngineError says what it was.
        """
        if not self._open:
            message = "the match network of this session is closed"
            raise EngineError(message)
        new = {(kind, key): values for kind, key, values in asserts}
        try:
            # INVARIANT: nothing is retracted while an activation waits: it could be lost.
            for fact in dict.fromkeys((*retracts, *(fact for fact in new if fact in self._facts))):
                if new.get(fact) == self._held(fact).values:
                    del new[fact]
                else:
                    self._retract(self._facts.pop(fact).slots)
            for fact, values in new.items():
                self._facts[fact] = _Held(values, self._assert(self._kind(fact[0]), (fact[1],), values))
        except BaseException as error:
            self._open = False
            self._host.drop()
            if isinstance(error, (extension().error, MemoryError)):
                raise explained(error) from error
            raise

    def close(self) -> None:
        """Empty the network and give its host back; a second time nothing happens."""
        if not self._open:
            return
        self._open = False
        try:
            for slot, held in self._slots.items():
                self._host.retract(held.channel, slot)
        except extension().error as error:
            self._host.drop()
            raise explained(error) from error
        self._blueprint.take_back(self._host)

    def _assert(self, kind: Kind, keys: Keys, values: Values) -> Slots:
        """Send a fact by each of its channels, and take what it activates at once, so that little ever waits."""
        for value in values:
            if not -LARGEST < value < LARGEST:
                message = f"{value} is too large a number for the match network"
                raise EngineError(message)
        slots = []
        for channel in kind.channels:
            self._crowd[channel.number] += 1
            if self._crowd[channel.number] > self._host.room:
                self._move(self._host.room * 4)
            slot = self._spare.pop() if self._spare else self._new_slot()
            self._slots[slot] = _Slot(channel, keys, values)
            self._matches_of[slot] = {}
            slots.append(slot)
            self._host.send(channel, slot, values)
            for delivered in self._host.waiting(channel.network):
                self._note(delivered)
        return tuple(slots)

    def _move(self, room: int) -> None:
        """Go to a host with more room; what its facts activate is known."""
        self._host.drop()
        self._host = self._blueprint.host(room)
        for slot, held in self._slots.items():
            self._host.send(held.channel, slot, held.values)
            self._host.waiting(held.channel.network)

    def _note(self, delivered: str) -> None:
        """Keep an activation, if the tests that are ours hold of it; a partial match goes in again as a fact."""
        parts = delivered.split('"')
        link = self._links[parts[1]]
        slots = tuple([parts[place] for place in link.places])
        facts = [self._slots[slot] for slot in slots]
        if link.tests and not all(test.holds(facts[0].values, facts[1].values) for test in link.tests):
            return
        match = (link.name, slots)
        keys = tuple([key for fact in facts for key in fact.keys])
        self._live[link.name][slots] = keys
        for slot in slots:
            self._matches_of[slot][match] = None
        if link.partial is not None:
            values = tuple([facts[fact].values[index] for fact, index in link.carried])
            self._partial[match] = self._assert(link.partial, keys, values)

    def _retract(self, slots: Slots) -> None:
        """Take facts out, and with them their activations and the partial matches that rest on them."""
        leaving = list(slots)
        while leaving:
            slot = leaving.pop()
            channel = self._slots.pop(slot).channel
            self._host.retract(channel, slot)
            self._crowd[channel.number] -= 1
            for match in self._matches_of.pop(slot):
                name, matched = match
                if self._live[name].pop(matched, None) is not None:
                    leaving += self._partial.pop(match, ())
            self._spare.append(slot)

    def _new_slot(self) -> str:
        # Ids are compared by their hashes alone; those of the numerals up to 797,185 differ.
        number = len(self._slots) + 1
        if number > MOST_FACTS:
            message = f"more than {MOST_FACTS} facts at once are too many for the match network"
            raise EngineError(message)
        return str(number)

    def _held(self, fact: Retraction) -> _Held:
        held = self._facts.get(fact)
        if held is None:
            message = f"`{fact[0]} {fact[1]}` is not in the match network"
            raise EngineError(message)
        return held

    def _kind(self, name: str) -> Kind:
        kind = self._blueprint.kinds.get(name)
        if kind is None:
            message = f"no rule has a pattern over kind `{name}`"
            raise EngineError(message)
        return kind
