"""Reads a fixture that has been put together and is not written yet, as it would be read from its file."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from riftrules.analysis.comparing.reading import read_on
from riftrules.language.model import Ruleset
from riftrules.scenario.model import Scenario


def reread(text: str, ruleset: Ruleset, called: tuple[str, ...]) -> Scenario | None:
    """The scenario of a fixture that names one of these rulesets, under this one; None where it cannot be read."""
    with TemporaryDirectory(prefix="riftrules-") as folder:
        path = Path(folder) / "made.yaml"
        path.write_text(text, encoding="utf-8")
        loaded = read_on(path, ruleset, called)
    return loaded[0].scenario if loaded else None
