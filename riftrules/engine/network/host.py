"""The door to durable_rules: its extension module, and the networks it has built.

Of durable_rules 2.0.28 only the compiled matcher is used: no host of its own, no threads, no actions of ours, no clock.
Only what tests/engine/test_durable_rules.py has measured to be sound is ever said to it.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Protocol

from riftrules.engine.network.layout import WARM_UP, Channel, Layout, Values
from riftrules.errors import EngineError

# durable_rules numbers its texts after the name of the network, and when it clears away a delivered activation it may
# take the number of a text for that of a fact: a name longer than there are facts in a session keeps the two apart.
MOST_FACTS = 9_000
NAME = "n" * MOST_FACTS
ONLY_SESSION = "0"
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


class Extension(Protocol):
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
def extension() -> Any:  # in truth an Extension, which mypy cannot see in a module
    """The extension module of durable_rules. Raises EngineError, saying what to type, where it is not there."""
    try:
        import durable_rules_engine  # type: ignore[import-not-found,unused-ignore]  # no stubs
    except ImportError as error:
        raise EngineError(HOW_TO_INSTALL) from error
    return durable_rules_engine


class Host:
    """The networks of a blueprint as durable_rules has built them, for one live session at a time.

    When an activation has been delivered, its frame stays in the pool of its rule. As a fact of it is retracted,
    durable_rules crosses the fact off and counts the facts of the frame, past the frame's end where some have been
    crossed off before: AddressSanitizer shows it reading, and at times zeroing, what lies behind the pool, and random
    sessions died of it. INVARIANT: no more than `room` activations of a pair wait at once, and its pool is so much longer
    than that that the count ends within the pool, on the numbers by which its unused frames are linked.
    """

    def __init__(self, layout: Layout, room: int) -> None:
        self.engine: Extension = extension()
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
            raise explained(error) from error

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


def _warm_up(engine: Extension, handle: int) -> int:
    """Let one action run: a session in which none has run cannot be deleted without a crash. Gives the session's number."""
    _, state = engine.assert_fact(handle, f'{{"id":"{WARM_UP}","{WARM_UP}":1}}')
    engine.start_action_for_state(handle, state)
    engine.complete_and_start_action(handle, state)
    engine.retract_fact(handle, f'{{"id":"{WARM_UP}"}}')
    return state


def _drop(engine: Extension, handles: list[int]) -> None:
    """Free what durable_rules holds: sessions first, which deleting a ruleset would leak."""
    for handle in handles:
        engine.delete_state(handle, ONLY_SESSION)
        engine.delete_ruleset(handle)
    handles.clear()


def explained(error: Exception) -> EngineError:
    """What durable_rules reports as a number, in words."""
    number = re.search(r"error code: (\d+)", str(error))
    code = int(number[1]) if number else 0
    return EngineError(f"the match network refused: {MEANINGS.get(code, str(error))}", code=code)
