"""The modules that may be compiled with mypyc, which lets nothing interpreted inherit from what is compiled."""

from __future__ import annotations

import inspect
import pkgutil
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import riftrules

ROOT = Path(__file__).parents[1]
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]
FILES = HOOK["mypyc"]["include"]
COMPILED = {file.removesuffix(".py").replace("/", ".") for file in FILES}


def below(cls: type) -> Iterator[type]:
    for one in cls.__subclasses__():
        yield one
        yield from below(one)


def test_what_is_compiled_is_compiled_only_where_that_is_asked_for() -> None:
    assert HOOK["mypyc"]["enable-by-default"] is False
    assert [file for file in FILES if not (ROOT / file).is_file()] == []
    assert sorted(FILES) == FILES


def test_all_or_none_of_it_is_compiled() -> None:
    assert len({str(import_module(name).__file__).endswith(".py") for name in COMPILED}) == 1


def test_nothing_was_compiled_before_its_source_was_changed() -> None:
    sources = {ROOT / file for file in FILES}
    stale = [
        binary
        for one in sources
        for binary in one.parent.glob(f"{one.stem}.*.so")
        if binary.stat().st_mtime < one.stat().st_mtime
    ]
    assert stale == [], "delete these, or build anew: Python runs them and not the sources beside them"


def test_no_class_that_is_compiled_has_a_subclass_that_is_not() -> None:
    for module in pkgutil.walk_packages(riftrules.__path__, "riftrules."):
        if not module.name.endswith(".__main__"):
            import_module(module.name)
    classes = {
        cls
        for name in COMPILED
        for _, cls in inspect.getmembers(import_module(name), inspect.isclass)
        if cls.__module__ in COMPILED
    }
    assert {(str(one), str(cls)) for cls in classes for one in below(cls) if one.__module__ not in COMPILED} == set()
