"""The page of scenarios, looked at in a browser: of the lamps, which are no card game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from riftrules.report.html.index import rulebook_page
from riftrules.report.html.page import report_page
from riftrules.report.html.rules import Library
from riftrules.report.html.stories import Pair, share_of, story_of
from riftrules.report.rulebook import numbers_of
from tests.report.browser import Chromium, accessible
from tests.report.conftest import Record

SCENARIOS = """
scenarios:
  - scenario: a bright lamp scores and owns the room
    id: L-1
    says: The brightest of the lamps.
    cites: ["3", "2"]
    callouts:
      room hall: Nobody's yet.
      lamp beacon: The brightest.
    when:
      - light: {lamp: beacon}
    then:
      room hall: {owner: ada, lit: 1}
  - scenario: a lamp that is not as expected
    when:
      - light: {lamp: wreck}
        refused: {rule: broken-lamps-stay-dark}
      - light: {lamp: beacon}
      - expect:
          player ada: {score: 2}
    then:
      room hall: {owner: ben}
      outcome: {winner: ada}
  - scenario: <script>alert("&")</script>
    given:
      players: {<img src=x onerror=alert(1)>: {}}
      lamps: {"</script><script>alert(1)</script>": {owner: "<img src=x onerror=alert(1)>", at: attic, lit: true}}
    when:
      - light: {lamp: beacon}
    then: {fired: [a-lamp-is-lit]}
  - scenario: nothing is done here
    skip: not yet
"""


@dataclass
class Look:
    """A page that is open in the browser, and everything it said or asked for."""

    page: Any
    said: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements, on one line each."""
        drawn = " svg " in selector
        found = self.page.locator(selector)
        return [" ".join(text.split()) for text in (found.all_text_contents() if drawn else found.all_inner_texts())]

    def text(self, selector: str) -> str:
        """The text of the one element."""
        (found,) = self.texts(selector)
        return found

    def open(self, fragment: str) -> None:
        """Follow a link within the page, and wait until it is there."""
        self.page.goto(self.page.url.split("#")[0] + fragment)
        at = "document.querySelector('.timeline a[aria-current]')?.getAttribute('href')"
        self.page.wait_for_function(f"{at} === '{fragment}'")

    def here(self) -> str:
        """The fragment of the address."""
        return str(self.page.evaluate("location.hash"))


@pytest.fixture(scope="module")
def page_file(record: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = Library()
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(report_page([share_of(story_of(told, library) for told in record(SCENARIOS))], "the lamps"), encoding="utf-8")
    return file


@pytest.fixture
def look(chromium: Chromium, page_file: Path) -> Iterator[Look]:
    yield from looked_at(chromium, page_file)


def looked_at(chromium: Chromium, file: Path, fragment: str = "", **how: Any) -> Iterator[Look]:
    """Open a page; when the test is done, it has said nothing and asked for nothing."""
    page = chromium.page(**{"width": 1400, "height": 900, **how})
    seen = Look(page)
    page.on("console", lambda message: seen.said.append(message.text))
    page.on("pageerror", lambda error: seen.said.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(file.as_uri()) else seen.said.append(request.url))
    page.goto(f"{file.as_uri()}{fragment}")
    yield seen
    assert seen.said == []
    page.close()


def test_what_failed_comes_first_and_is_open_at_its_end(look: Look) -> None:
    assert look.texts("#list a .name") == [
        "a lamp that is not as expected",
        "a bright lamp scores and owns the room L-1",
        '<script>alert("&")</script>',
        "nothing is done here",
    ]
    assert look.text("h2 >> nth=0") == "a lamp that is not as expected"
    assert look.texts(".differences li strong") == ["player ada.score", "room hall.owner", "outcome"]
    assert look.texts(".differences .want") == ["2", "ben", "it is there"] or look.texts(".differences .want")[:2] == ["2", "ben"]
    assert "✗ owner ada, expected ben" in look.texts("figure svg text")
    assert look.page.locator("figure svg .halo.wrong").count() == 1


def test_the_picture_has_its_text(look: Look) -> None:
    look.open("#l-1/0")
    words = look.texts(".words p")
    assert words[3] == "room attic (owned by ben, lit 1): bulb of ben, light 10, lit."
    described = look.page.locator("figure svg").get_attribute("aria-describedby")
    assert look.page.locator(f"#{described}").count() == 1
    drawn = look.texts("figure svg text")
    assert {"attic", "hall", "ada", "ben", "beacon", "on turn"} <= set(drawn)


def test_callouts_of_the_author_stand_on_the_given_board(look: Look) -> None:
    look.open("#l-1/0")
    assert look.texts(".callouts li") == ["1 room hall: Nobody's yet.", "2 lamp beacon: The brightest."]
    assert look.texts("figure svg .ball-text") == ["1", "2"]


def test_stepping_with_keys_changes_board_words_time_line_and_address(look: Look) -> None:
    look.open("#l-1/0")
    keys = ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"]
    where = []
    for key in keys:
        look.page.keyboard.press(key)
        where.append(look.here())
    assert where == ["#l-1/0.1", "#l-1/1", "#l-1/2", "#l-1/1", "#l-1/end", "#l-1/0"]
    look.page.keyboard.press("ArrowRight")
    look.page.keyboard.press("ArrowRight")
    assert look.text("figcaption .happened") == "1. a-lamp-is-lit"
    assert look.texts(".callouts li") == ["1 lamp beacon lit: false → true"]
    assert look.text(".timeline a[aria-current]").startswith("1 a-lamp-is-lit lamp beacon: lit false → true lit lit-1")
    assert look.text("#told") == "firing 1: a-lamp-is-lit; lamp beacon: lit false → true"
    assert "beacon of ada, light 60, lit" in look.texts(".words p")[4]


def test_stepping_with_the_mouse_and_the_slider(look: Look) -> None:
    look.open("#l-1/0")
    look.page.click("button[aria-label='One step on']")
    assert look.here() == "#l-1/0.1"
    look.page.click("button[aria-label='The end']")
    assert look.here() == "#l-1/end"
    assert look.page.locator("button[aria-label='One step on']").is_disabled()
    look.page.locator("input[type=range]").fill("2")
    assert look.here() == "#l-1/1"
    look.page.click(".timeline a[data-row='3']")
    assert look.here() == "#l-1/2"


def test_a_link_leads_to_a_firing(chromium: Chromium, page_file: Path) -> None:
    for look in looked_at(chromium, page_file, "#l-1/3"):
        assert look.text("h2 >> nth=0") == "a bright lamp scores and owns the room"
        assert look.text(".rule h3") == "the-first-light-owns"
        assert look.texts(".rule tbody tr") == [
            "room hall.owner none ada",
            "mark ada, hall.at none hall",
            "mark ada, hall.by none ada",
        ]
        assert look.texts(".rule .cites li")[0] == "2 Rooms belong to the first light in them."
        assert "when room $r: {owner: none}" in look.text(".rule pre")


def test_a_link_to_nowhere_opens_the_first(chromium: Chromium, page_file: Path) -> None:
    for look in looked_at(chromium, page_file, "#no-such/thing"):
        assert look.text("h2 >> nth=0") == "a lamp that is not as expected"


def test_why_is_asked_with_the_mouse_on_the_picture(look: Look) -> None:
    look.open("#l-1/end")
    look.page.locator("figure svg g[data-key='room\thall\towner'] text").first.click()
    assert look.text(".why h3") == "Why is room hall.owner so?"
    look.page.locator(".why", has_text="firing 3 the-first-light-owns [2]: owner none → ada").wait_for()
    look.page.locator(".why summary", has_text="lamp beacon.lit").first.click()
    look.page.locator(".why", has_text="firing 1 a-lamp-is-lit [1]: lit false → true").wait_for()
    look.page.keyboard.press("Escape")
    look.page.locator(".why").wait_for(state="hidden")


def test_why_is_asked_with_keys_alone_and_gives_the_focus_back(look: Look) -> None:
    look.open("#l-1/end")
    look.page.keyboard.press("w")
    for _ in range(40):
        if look.page.evaluate("document.activeElement.textContent") == "owned by ada":
            break
        look.page.keyboard.press("Tab")
    look.page.keyboard.press("Enter")
    assert look.text(".why h3") == "Why is room hall.owner so?"
    look.page.keyboard.press("Escape")
    assert look.page.evaluate("document.activeElement.textContent") == "owned by ada"


def test_why_of_what_was_given_and_of_what_is_derived(look: Look) -> None:
    look.open("#l-1/0")
    look.page.locator(".words .value", has_text="owned by ben").click()
    assert "It was given: no firing has written it." in look.text(".why")
    look.page.locator(".words .value", has_text="lit 1").first.click()
    assert "It is worked out from the board" in look.text(".why")


def test_the_list_is_filtered_by_words_and_by_status(look: Look) -> None:
    def shown() -> list[str]:
        return look.texts("#list li:not([hidden]) .name")

    look.page.keyboard.press("/")
    look.page.keyboard.type("bright L-1")
    assert shown() == ["a bright lamp scores and owns the room L-1"]
    assert look.text("#shown") == "1 of 4 shown"
    look.page.locator("#filter").fill("the-first-light-owns")
    assert len(shown()) == 3
    look.page.locator("#filter").fill("")
    look.page.locator("label.check", has_text="passed").click()
    assert shown() == ["a lamp that is not as expected", "nothing is done here"]
    look.page.locator("h2").first.click()
    look.page.keyboard.press("]")
    assert look.here() == "#nothing-is-done-here"


def test_refusals_and_expectations_have_their_stops(look: Look) -> None:
    look.open("#a-lamp-that-is-not-as-expected/0.1")
    assert "broken-lamps-stay-dark" in look.text(".rule")
    look.open("#a-lamp-that-is-not-as-expected/3.1")
    assert look.texts(".rule .expected li") == ["not so: player ada.score: 2"]
    assert "✗ score 1, expected 2" in look.texts("figure svg text")


def test_names_are_names_whatever_they_hold(look: Look) -> None:
    look.open("#script-alert-script/end")
    assert look.text("h2 >> nth=0") == '<script>alert("&")</script>'
    assert look.page.locator("main img, main script").count() == 0
    words = " ".join(look.texts(".words p"))
    assert "</script><script>alert(1)</script> of <img src=x onerror=alert(1)>" in words
    assert look.page.locator(".callouts li").count() == 0


@pytest.mark.parametrize("width", [320, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_inaccessible(chromium: Chromium, page_file: Path, width: int, scheme: str) -> None:
    for look in looked_at(chromium, page_file, "#l-1/3", width=width, color_scheme=scheme):
        assert accessible(look.page) == []
        look.open("#a-lamp-that-is-not-as-expected/end")
        look.page.locator(".words .value").first.click()
        assert accessible(look.page) == []


def test_no_width_scrolls_sideways(look: Look) -> None:
    for fragment in ("#l-1/3", "#a-lamp-that-is-not-as-expected/end", "#script-alert-script/1"):
        look.open(fragment)
        for width in (320, 360, 414, 600, 768, 992, 1024, 1280, 1312, 1600):
            look.page.set_viewport_size({"width": width, "height": 900})
            look.page.wait_for_timeout(50)
            assert look.page.evaluate("document.documentElement.scrollWidth") <= width
            drawn = "document.querySelector('figure svg').viewBox.baseVal.width"
            look.page.wait_for_function(f"Math.abs({drawn} - document.querySelector('figure').clientWidth) <= 3")


def test_light_and_dark_can_be_chosen(look: Look) -> None:
    def paper() -> str:
        return str(look.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = paper()
    look.page.click("#theme")
    assert paper() == light
    look.page.click("#theme")
    assert paper() != light
    assert look.text("#theme") == "Light/dark: dark"


def test_the_keys_are_listed(look: Look) -> None:
    look.page.keyboard.press("?")
    assert look.page.locator("dialog").is_visible()
    look.page.keyboard.press("Escape")
    assert look.page.locator("dialog").is_hidden()


def test_on_paper_the_board_is_as_wide_as_the_sheet(look: Look) -> None:
    look.open("#l-1/3")
    look.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert look.page.locator("figure svg").get_attribute("viewBox").split()[2] == "680"
    look.page.emulate_media(media="print")
    assert look.page.locator(".index").is_hidden()
    assert look.page.locator(".timeline").is_visible()
    assert look.page.pdf(format="A4")[:4] == b"%PDF"


def test_without_its_script_the_page_is_still_a_list(chromium: Chromium, page_file: Path) -> None:
    page = chromium.page(width=800, height=600, java_script_enabled=False)
    page.goto(page_file.as_uri())
    assert page.locator("#list a").count() == 4
    assert "switched off" in page.locator("main").inner_text()
    page.close()


def test_a_pair_stands_side_by_side_with_its_differences_marked(chromium: Chromium, record: Record, tmp_path: Path) -> None:
    text = "scenario: lit\nwhen: [light: {lamp: beacon}]\nthen: {fired: [a-lamp-is-lit]}\n"
    (new,) = record(text)
    (old,) = record(text.replace("beacon", "candle"))
    file = tmp_path / "pair.html"
    file.write_text(report_page([share_of([story_of(Pair(old, new), Library())])], "old and new"), encoding="utf-8")
    for look in looked_at(chromium, file, width=1600):
        assert look.texts(".boards h3") == ["By the old rules", "By the new rules"]
        left, right = (look.texts(f".boards > div:nth-child({n}) svg text") for n in (1, 2))
        assert "≠ score 0 of 3" in left
        assert "≠ score 1 of 3" in right
        assert "only new" in look.texts(".timeline .tag")
        assert accessible(look.page) == []
        assert look.page.evaluate("document.documentElement.scrollWidth") <= 1600


def test_the_rulebook_shares_the_look(chromium: Chromium, lamps: Any, tmp_path: Path) -> None:
    file = tmp_path / "rulebook.html"
    file.write_text(rulebook_page(numbers_of(lamps, []), lamps.name, lamps.edition), encoding="utf-8")
    for width in (320, 1600):
        for look in looked_at(chromium, file, width=width):
            assert look.texts(".numbers li .cite")[:3] == ["1", "1.1", "1.2"]
            assert look.page.evaluate("document.documentElement.scrollWidth") <= width
            assert accessible(look.page) == []


# ------------------------------------------------------------------------------------------------ without a browser


def test_the_page_holds_everything_and_names_no_address(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'<>`]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a namespace
    assert not re.search(r"<(?:link|script|img)[^>]+(?:src|href)=\"(?!data:|#)", text)
    assert "default-src 'none'" in text


def test_no_name_ends_the_script_that_holds_the_data(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert text.count("<script") == 2
    assert text.count("</script>") == 2


def test_the_same_runs_make_the_same_page(record: Record) -> None:
    first, second = (report_page([share_of(story_of(told, Library()) for told in record(SCENARIOS))], "x") for _ in range(2))
    assert first == second


def _colours(text: str) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(int(value[at : at + 2], 16) / 255 for at in (0, 2, 4))
        for name, value in re.findall(r"--([\w-]+): #(\w{6})", text)
    }


def _luminance(colour: tuple[float, ...]) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_drawn_can_be_read(scheme: str) -> None:
    look = files("riftrules.report.html").joinpath("look.css").read_text(encoding="utf-8")
    light, dark = look.split("@media (prefers-color-scheme: dark)")[:2]
    colours = _colours(light if scheme == "light" else dark.split("}")[0])
    players = [f"p{number}" for number in range(1, 7)]
    pairs = [
        *(
            ("ink", ground)
            for ground in ("paper", "sheet", "raised", "faint", "accent-soft", *(f"{player}-soft" for player in players))
        ),
        *(("quiet", ground) for ground in ("paper", "sheet", "raised", "faint", "accent-soft")),
        *(("on-player", player) for player in players),
        ("on-accent", "accent"),
        ("on-bad", "bad"),
        ("bad", "bad-soft"),
        ("good", "good-soft"),
        ("doubt", "doubt-soft"),
        ("paper", "ink"),
    ]
    assert {pair: round(contrast, 2) for pair in pairs if (contrast := _contrast(*(colours[name] for name in pair))) < 4.5} == {}
