"""The ruleset with rules in it that never apply, as cards of battlefields nobody has would bring them."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from riftrules.engine import Program, compile_ruleset
from riftrules.language.loader import load_ruleset
from tests.benchmarks.on_riftrules import RULESET

RULE = """
  - rule: inert-{number}
    house: true
    says: Nobody has this card.
    step: control-loss
    when:
      - battlefield $bf: {{name: card {number}}}
      - unit $u: {{at: $bf, exhausted: true}}
      - no: {{unit: {{at: $bf, damage: 0}}}}
    then:
      - modify $u: {{exhausted: false}}
"""


@cache
def grown(rules: int) -> Program:
    """Riftbound and so many rules more in a step of every cleanup."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "riftbound").symlink_to(RULESET)
        house = Path(folder) / "house"
        (house / "rules").mkdir(parents=True)
        (house / "ruleset.yaml").write_text("name: house\nversion: 1.0.0\nedition: grown\nextends: riftbound\n", encoding="utf-8")
        text = "rules:" + "".join(RULE.format(number=number) for number in range(rules))
        (house / "rules" / "inert.yaml").write_text(text, encoding="utf-8")
        return compile_ruleset(load_ruleset(house))
