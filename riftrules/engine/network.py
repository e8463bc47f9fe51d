"""The match network: positive patterns in, activations out. The one door to durable_rules.

Of durable_rules 2.0.28 only the compiled matcher is used, through its extension module: no host, no threads, no
actions of ours, no clock. Facts go in by `Network.apply`, activations come out of it, and nothing happens in between.
Only what tests/engine/test_durable_rules.py has measured to be sound is ever said to it.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from riftrules.engine.blueprint import WARM_UP, Channel, Join, Kind, Layout, NetPattern, NetRule, Values
from riftrules.errors import EngineError

__all__ = ["Assertion", "Blueprint", "Join", "NetPattern", "NetRule", "Network", "Retraction"]

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
# durable_rules numbers its texts after the name of the network, and when it clears away a delivered activation it may
# take the number of a text for that of a fact: a name longer than there are facts in a session keeps the two apart.
MOST_FACTS = 9_000
NAME = "n" * MOST_FACTS
ONLY_SESSION = "0"
FIRST_ROOM = 12
SPARE_ROOM = 6

MEANINGS = {
    101: "it is out of memory, or has too many sessions at once",
    106: "it has too many rules or kinds in one network",
    108: "too many rules begin with the same pattern",
    113: "a pattern has too many tests",
    302: "a fact has too many fields",
    303: "there are too many patterns over one kind",
    304: "a rule has too many patterns",
    311: "a fact lacks a field that a pattern joins on",
}
HOW_TO_INSTALL = (
    "the match network is not installed: `durable-rules` is built from source and needs a C compiler; with one in place type "
    "`CPPFLAGS=-DPyEval_CallObject=PyObject_CallObject pip install durable-rules==2.0.28`"
)


class _Extension(Protocol):
    """The part of the extension module that is used."""

    error: type[Exception]
    create_ruleset: Callable[[str, str], int]
    delete_ruleset: Callable[[int], None]
    delete_state: Callable[[int, str], None]
    assert_fact: Callable[[int, str], tuple[int, int]]
    retract_fact: Callable[[int, str], tuple[int, int]]
    start_action_for_state: Callable[[int, int], tuple[str, str] | None]
    complete_and_start_action: Callable[[int, int], str | None]


@cache
def _extension() -> Any:  # in truth an _Extension, which mypy cannot see in a module
    try:
        import durable_rules_engine  # type: ignore[import-not-found,unused-ignore]  # no stubs
    except ImportError as error:
        raise EngineError(HOW_TO_INSTALL) from error
    return durable_rules_engine


class Blueprint:
    """The networks for one set of rules: laid out once, built when first needed, handed from session to session.

    Raises EngineError, naming the rule, where a rule is beyond what a network can match.
    """

    def __init__(self, rules: Iterable[NetRule]) -> None:
        self.rules = tuple(rules)
        self.layout = Layout(self.rules)
        self.kinds: Mapping[str, Kind] = self.layout.kinds
        self.links = {link.name: link for link in self.layout.links.values()}
        self.link_of = {number: link.name for link in self.links.values() for number in link.rules}
        self._hosts: list[_Host] = []
        self._room = FIRST_ROOM

    def open(self) -> Network:
        """An empty network for one session; its `close` gives the built part back for the next."""
        return Network(self, self.host(self._room))

    def host(self, room: int) -> _Host:
        """An empty host with room for so many facts of a kind; every later one has at least as much."""
        self._room = max(room, self._room)
        fitting = next((host for host in self._hosts if host.room >= room), None)
        if fitting is None:
            return _Host(self.layout, self._room)
        self._hosts.remove(fitting)
        return fitting

    def take_back(self, host: _Host) -> None:
        """Keep an emptied host for the next session."""
        if host.room >= self._room:
            self._hosts.append(host)
        else:
            host.drop()


class _Host:
    """The networks of a blueprint as durable_rules has built them, for one live session at a time.

    When an activation has been delivered, its frame stays in the pool of its rule. As a fact of it is retracted,
    durable_rules crosses the fact off and counts the facts of the frame, past the frame's end where some have been
    crossed off before: AddressSanitizer shows it reading, and at times zeroing, what lies behind the pool, and random
    sessions died of it. INVARIANT: no more than `room` activations of a pair wait at once, and its pool is so much longer
    than that that the count ends within the pool, on the numbers by which its unused frames are linked.
    """

    def __init__(self, layout: Layout, room: int) -> None:
        self.engine: _Extension = _extension()
        self.room = room
        self._handles: list[int] = []
        self._states: list[int] = []
        self.drop = weakref.finalize(self, _drop, self.engine, self._handles)
        self.drop.atexit = False
        try:
            for definition in layout.definitions():
                self._handles.append(self.engine.create_ruleset(NAME, definition))
                self._states.append(_warm_up(self.engine, self._handles[-1]))
            for lead, seconds in layout.pairs():
                self._lengthen(lead, seconds)
        except (self.engine.error, MemoryError) as error:
            self.drop()
            raise _explained(error) from error

    def send(self, channel: Channel, slot: str, values: Values) -> None:
        """Assert a fact in a slot that is free."""
        code, _ = self.engine.assert_fact(
            self._handles[channel.network], channel.text % (slot, *[values[pick] for pick in channel.picks])
        )
        if code:
            message = f"the match network dropped a fact (code {code})"
            raise EngineError(message, code=code)

    def retract(self, channel: Channel, slot: str) -> None:
        """Take out the fact in a slot. INVARIANT: nothing waits then, or another activation could be lost."""
        self.engine.retract_fact(self._handles[channel.network], f'{{"id":"{slot}"}}')

    def waiting(self, network: int) -> list[str]:
        """Take the activations that wait in a network: `{"link":{"p0":{"id":"1","k7":1,…},"p1":{"id":"2",…}}}` each."""
        handle, state = self._handles[network], self._states[network]
        started = self.engine.start_action_for_state(handle, state)
        text = started[1] if started else None
        found = []
        while text is not None:
            found.append(text)
            text = self.engine.complete_and_start_action(handle, state)
        return found

    def _lengthen(self, lead: Channel, seconds: Iterable[Channel]) -> None:
        """Make the pools of the pairs that a channel leads as long as they must be, by letting so many activations wait.

        All facts are of zeros, which are equal. None stays: a fact that has once been in the last frames of a pool must
        not be crossed off after they have been used again.
        """
        zeros = (0,) * (1 + max((*lead.picks, *(pick for second in seconds for pick in second.picks)), default=0))
        sent = [(second, f"w{number}") for number, second in enumerate(seconds)]
        for second, slot in sent:
            self.send(second, slot, zeros)
            self.waiting(second.network)
        crowd = [(lead, f"v{number}") for number in range(self.room + SPARE_ROOM)]
        for channel, slot in crowd:
            self.send(channel, slot, zeros)
        self.waiting(lead.network)
        for channel, slot in (*crowd, *sent):
            self.retract(channel, slot)


def _warm_up(engine: _Extension, handle: int) -> int:
    """Let one action run: a session in which none has run cannot be deleted without a crash. Gives the session's number."""
    _, state = engine.assert_fact(handle, f'{{"id":"{WARM_UP}","{WARM_UP}":1}}')
    engine.start_action_for_state(handle, state)
    engine.complete_and_start_action(handle, state)
    engine.retract_fact(handle, f'{{"id":"{WARM_UP}"}}')
    return state


def _drop(engine: _Extension, handles: list[int]) -> None:
    """Free what durable_rules holds: sessions first, which deleting a ruleset would leak."""
    for handle in handles:
        engine.delete_state(handle, ONLY_SESSION)
        engine.delete_ruleset(handle)
    handles.clear()


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

    def __init__(self, blueprint: Blueprint, host: _Host) -> None:
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
            if isinstance(error, (_extension().error, MemoryError)):
                raise _explained(error) from error
            raise

    def close(self) -> None:
        """Empty the network and give its host back; a second time nothing happens."""
        if not self._open:
            return
        self._open = False
        try:
            for slot, held in self._slots.items():
                self._host.retract(held.channel, slot)
        except _extension().error as error:
            self._host.drop()
            raise _explained(error) from error
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


def _explained(error: Exception) -> EngineError:
    """What durable_rules reports as a number, in words."""
    number = re.search(r"error code: (\d+)", str(error))
    code = int(number[1]) if number else 0
    return EngineError(f"the match network refused: {MEANINGS.get(code, str(error))}", code=code)
