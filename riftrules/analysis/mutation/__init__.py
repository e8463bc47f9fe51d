"""Edits of the rules that a set of scenarios should notice, and whether it does."""
