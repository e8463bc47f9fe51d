"""The match network: positive patterns over flat facts in, activations out. Its host is the one door to durable_rules."""

from riftrules.engine.network.patterns import Join, NetPattern, NetRule
from riftrules.engine.network.session import Blueprint, Network

__all__ = ["Blueprint", "Join", "NetPattern", "NetRule", "Network"]
