"""Benchmarks run only when they are asked for, and end in one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.subjects import NETWORK

HERE = Path(__file__).parent


def _asked(config: pytest.Config) -> bool:
    return bool(config.option.benchmark_only or config.option.benchmark_enable)


def pytest_configure(config: pytest.Config) -> None:
    if _asked(config):
        config.option.benchmark_quiet = True  # the table below says it in fewer columns


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _asked(config):
        return
    for item in items:
        if HERE in item.path.parents and "benchmark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="to measure: pytest tests/benchmarks --benchmark-only"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    session = getattr(config, "_benchmarksession", None)
    measured = (
        [one for one in session.benchmarks if one.group and not one.has_error and "subject" in one.extra_info]
        if session is not None
        else []
    )
    if not measured or not _asked(config):
        return
    write = terminalreporter.write_line
    write("")
    write("Time of the processor at the least and in the middle; `ratio` is of the least to that of the network in the same run.")
    for group in dict.fromkeys(one.group for one in measured):
        rows = [one for one in measured if one.group == group]
        base = next((_least(one) for one in rows if one.extra_info["subject"] == NETWORK), None)
        write("")
        write(f"{group:<58}{'least':>12}{'middle':>12}{'a second':>12}{'ratio':>10}")
        for one in rows:
            each, info = one.extra_info.get("each", 1), one.extra_info
            least, middle = _least(one), one.stats.median / each
            ratio = f"{least / base:>10.3f}" if base else ""
            note = f"   {info['note']}" if "note" in info else ""
            if "amount" in info:
                write(f"  {info['subject']:<56}{info['amount']:>12}")
                continue
            write(f"  {info['subject']:<56}{_time(least):>12}{_time(middle):>12}{1 / least:>12,.0f}{ratio}{note}")


def _least(one: object) -> float:
    return one.stats.min / one.extra_info.get("each", 1)  # type: ignore[attr-defined,no-any-return]


def _time(seconds: float) -> str:
    if seconds < 0.001:
        return f"{seconds * 1e6:,.1f} us"
    return f"{seconds * 1e3:,.2f} ms" if seconds < 1 else f"{seconds:,.2f} s"
