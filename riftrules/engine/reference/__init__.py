"""The whole cycle by brute force: no network, no agenda, no caches of results. It defines what is right."""

from riftrules.engine.reference.session import Session

ReferenceSession = Session

__all__ = ["ReferenceSession", "Session"]
