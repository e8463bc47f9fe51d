"""Which module may import which: the contracts of pyproject.toml, and what they cannot say."""

from __future__ import annotations

import sys
from pathlib import Path

import grimp
import pytest
from importlinter import cli

ROOT = Path(__file__).parents[1]
THIRD_PARTY = {
    "distributed",
    "durable_rules_engine",
    "jinja2",
    "lark",
    "markupsafe",
    "pydantic",
    "pytest",
    "rich",
    "typer",
    "watchfiles",
    "yaml",
}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("riftrules", include_external_packages=True, cache_dir=None)


def test_the_contracts_on_imports_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    code = cli.lint_imports(no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_the_reference_and_the_engine_do_not_know_each_other(graph: grimp.ImportGraph) -> None:
    package = "riftrules.engine"
    reference = {name for name in graph.modules if name.startswith(f"{package}.reference")}
    engine = {name for name in graph.modules if name.startswith(f"{package}.")} - reference
    assert reference
    assert {
        (name, other) for name in reference for other in graph.find_modules_directly_imported_by(name) if other in engine
    } == set()
    assert {
        (name, other) for name in engine for other in graph.find_modules_directly_imported_by(name) if other in reference
    } == set()


def test_no_other_package_is_imported_than_those_that_have_a_door(graph: grimp.ImportGraph) -> None:
    outside = {name for name in graph.modules if not name.startswith("riftrules")}
    assert outside - set(sys.stdlib_module_names) == THIRD_PARTY
