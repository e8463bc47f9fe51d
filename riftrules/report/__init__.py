"""Renders problems, verdicts, runs and boards: for the terminal, as JSON, as JUnit, as annotations."""
