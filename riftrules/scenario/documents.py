"""The shape of fixture files: which keys may stand where."""

from __future__ import annotations

from riftrules.language.behind_keys import Anything, Flag, Keyed, Line, Listed, Text, Texts
from riftrules.language.documents import Document


class BoardDocument(Document):
    """A board that scenarios share by `uses`."""

    uses: Texts = ()
    ruleset: Text | None = None
    mode: Text | None = None
    says: Text = ""
    note: Text = ""
    given: Keyed | None = None


class ScenarioShape(BoardDocument):
    """One scenario."""

    scenario: Line
    id: Text = ""
    cites: Texts = ()
    skip: Text = ""
    lenient: Flag = False
    any_order: Flag = False
    callouts: Keyed | None = None
    when: Listed | None = None
    then: Keyed | None = None


class ScenarioListDocument(BoardDocument):
    """Several scenarios in one file; what stands beside `scenarios` is shared by all of them."""

    cites: Texts = ()
    skip: Text = ""
    lenient: Flag = False
    scenarios: Listed


class ExpectationShape(Document):
    """What an expectation may ask besides facts."""

    waiting: Text | None = None
    asked: Text | None = None
    choosing: Text | None = None
    options: Texts | None = None
    fired: Anything = None
    not_fired: Texts = ()
    events: Anything = None
    exactly: Flag = False


class RefusedShape(Document):
    """How a request is refused."""

    rule: Text | None = None
    rules: Texts | None = None
    cites: Text | None = None
    reason: Text | None = None
