"""Scenarios: loads fixtures, plays them, judges the outcome."""
