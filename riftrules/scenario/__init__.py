"""Scenarios: loads fixtures, plays them on a session, judges what has come of them."""
