"""Debian's Chromium, driven over pages that are on the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PLACES = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Chromium:
    """The browser, from which pages are opened."""

    browser: Any

    def page(self, *, width: int, height: int, **how: Any) -> Any:
        """A page of this size in a context of its own."""
        return self.browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce", **how)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PLACES)), None)
    if found is None:
        pytest.skip("no Chromium here: `apt-get install chromium`, or name one in CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield Chromium(browser)
        browser.close()


def accessible(page: Any) -> list[str]:
    """What axe finds wrong with the page: each rule with the elements concerned."""
    script = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page.evaluate(script)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {node['target']} {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]
