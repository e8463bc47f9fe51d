"""The engine: a ruleset compiled once to a program, and sessions that run it."""

from riftrules.engine.program import Program, compile_ruleset
from riftrules.engine.session import Session

__all__ = ["Program", "Session", "compile_ruleset"]
