"""riftrules: a declarative rules engine on a production system.

`load_ruleset` reads a folder of rules, `open_session` opens a board, `Session.request` asks for what a player may do,
`play` plays the scenarios of a fixture. Everything riftrules raises on purpose is a `RiftrulesError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from riftrules.errors import RiftrulesError as RiftrulesError
    from riftrules.facts.memory import Fact as Fact
    from riftrules.facts.trace import Firing as Firing
    from riftrules.facts.trace import Refusal as Refusal
    from riftrules.facts.trace import Trace as Trace
    from riftrules.facts.trace import Waiting as Waiting
    from riftrules.facts.types import Call as Call
    from riftrules.language.loader import load_ruleset as load_ruleset
    from riftrules.language.model import Ruleset as Ruleset
    from riftrules.scenario.model import Run as Run
    from riftrules.scenario.model import Verdict as Verdict
    from riftrules.scenario.opening import open_session as open_session
    from riftrules.scenario.opening import play as play
    from riftrules.scenario.session import Session as Session

# Each name with the module that has it and what it is called there; a module is loaded when a name of it is first used.
_PUBLIC = {
    "Call": ("riftrules.facts.types", "Call"),
    "Fact": ("riftrules.facts.memory", "Fact"),
    "Firing": ("riftrules.facts.trace", "Firing"),
    "Refusal": ("riftrules.facts.trace", "Refusal"),
    "RiftrulesError": ("riftrules.errors", "RiftrulesError"),
    "Ruleset": ("riftrules.language.model", "Ruleset"),
    "Run": ("riftrules.scenario.model", "Run"),
    "Session": ("riftrules.scenario.session", "Session"),
    "Trace": ("riftrules.facts.trace", "Trace"),
    "Verdict": ("riftrules.scenario.model", "Verdict"),
    "Waiting": ("riftrules.facts.trace", "Waiting"),
    "load_ruleset": ("riftrules.language.loader", "load_ruleset"),
    "open_session": ("riftrules.scenario.opening", "open_session"),
    "play": ("riftrules.scenario.opening", "play"),
}

__all__ = [
    "Call",
    "Fact",
    "Firing",
    "Refusal",
    "RiftrulesError",
    "Ruleset",
    "Run",
    "Session",
    "Trace",
    "Verdict",
    "Waiting",
    "load_ruleset",
    "open_session",
    "play",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        message = f"module `riftrules` has no attribute `{name}`"
        raise AttributeError(message)
    module, called = _PUBLIC[name]
    return getattr(import_module(module), called)


def __dir__() -> list[str]:
    return sorted(_PUBLIC)
