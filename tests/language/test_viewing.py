# ruff: noqa: E501 - messages are quoted whole
"""What can be wrong with a view, in full sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.small import load, problems


def test_a_view_of_what_there_is_is_right(tmp_path: Path) -> None:
    view = """\
view:
  place: room
  here: [{template: lamp, at: at}]
  elsewhere: store
  owner: keeper
  players: keeper
  shows: {lamp: [glow, lit], room: [], turn: [phase]}
  seal: {lamp: glow}
  against: {lamp: glow}
  turned: {lamp: lit}
  order: {keeper: points}
  titles: {keeper: team}
  lists: [watch]
  marks: {watch: watched by $keeper}
  labels: {lit: [lit, dark], glow: light}
  score: {field: points, of: settings.target}
  turn: turn
"""
    assert load(tmp_path, view=view).view["labels"] == {"lit": ["lit", "dark"], "glow": "light"}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "plaice: room",
            "lamps/view.yaml:2:3: error: unknown key `plaice` in a view [unknown-key]\n    hint: did you mean `place`?",
        ),
        (
            "place: rooom",
            "lamps/view.yaml:2:10: error: `rooom` is no template [unknown-template]\n    hint: did you mean `room`?",
        ),
        ("place: [room, lamp]", "lamps/view.yaml:2:10: error: one word belongs here [shape]"),
        (
            "place: flipped",
            "lamps/view.yaml:2:10: error: `flipped` is no template [unknown-template]\n    hint: did you mean `flip`?",
        ),
        (
            "shows: {lamp: [glows]}",
            "lamps/view.yaml:2:18: error: `lamp` has no field `glows` [unknown-field]\n    hint: did you mean `glow`?",
        ),
        ("shows: lamp", "lamps/view.yaml:2:10: error: this is written as `{template: …}` [shape]"),
        ("seal: {lamp: [glow]}", "lamps/view.yaml:2:16: error: one word belongs here [shape]"),
        (
            "owner: keepr",
            "lamps/view.yaml:2:10: error: no template has a field `keepr` [unknown-field]\n    hint: did you mean `keeper`?",
        ),
        (
            "here: [{template: lamp}]",
            "lamps/view.yaml:2:10: error: what stands in a place is written as `{template: T, at: FIELD}` [shape]",
        ),
        (
            "here: [{template: lamp, at: room}]",
            "lamps/view.yaml:2:31: error: `lamp` has no field `room` [unknown-field]\n    hint: known here: `at`, `glow`, `id`, `lit`, `marks`",
        ),
        (
            "here: [{template: lamp, at: lit}]",
            "lamps/view.yaml:2:31: error: `lit` of `lamp` is not a place [type]",
        ),
        (
            "seal: {lamp: lit}",
            "lamps/view.yaml:2:16: error: `lit` of `lamp` is not a number [type]",
        ),
        (
            "turned: {lamp: glow}",
            "lamps/view.yaml:2:18: error: `glow` of `lamp` is not true or false [type]",
        ),
        (
            "marks: {lamp: lights $at of $rum}",
            "lamps/view.yaml:2:17: error: `lamp` has no field `rum` [unknown-field]\n    hint: known here: `at`, `glow`, `id`, `lit`, `marks`",
        ),
        (
            "marks: [lampe]",
            "lamps/view.yaml:2:11: error: `lampe` is no template [unknown-template]\n    hint: did you mean `lamp`?",
        ),
        (
            "labels: {glows: light}",
            "lamps/view.yaml:2:12: error: no template has a field `glows` [unknown-field]\n    hint: did you mean `glow`?",
        ),
        (
            "score: {field: points}",
            "lamps/view.yaml:2:10: error: a score is written as `{field: F, of: SINGLETON.FIELD}` [shape]",
        ),
        (
            "score: {field: points, of: settings.targets}",
            "lamps/view.yaml:2:30: error: `settings` has no field `targets` [unknown-field]\n    hint: did you mean `target`?",
        ),
    ],
)
def test_a_mistake_in_a_view_is_told_with_its_place(tmp_path: Path, written: str, said: str) -> None:
    view = f"view:\n  {written}\n"
    assert [str(problem) for problem in problems(tmp_path, view=view)] == [said]
