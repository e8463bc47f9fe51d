"""`riftrules new workspace`: a folder with a small ruleset and its fixture, ready to run."""

from __future__ import annotations

from pathlib import Path

from riftrules.cli.exits import Exit
from riftrules.errors import Place, Problem, RulesetError
from riftrules.report.console import console, styled

TEMPLATES = Path(__file__).parent / "workspace"
KEPT = ".riftrules"
"""Where proofs and mutation runs keep what is done: nothing to commit."""


def workspace(folder: Path) -> Exit:
    """Write the workspace. Raises RulesetError where the folder holds something already: nothing is overwritten."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        hint = "name a folder that is not there yet"
        raise RulesetError((Problem(Place(folder.as_posix()), "not-empty", "something is here already", hint),))
    to = console()
    for source in sorted(TEMPLATES.rglob("*")):
        if source.is_file():
            written = folder / source.relative_to(TEMPLATES)
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
            to.print(styled(("wrote ", "green"), written.as_posix()))
    (folder / ".gitignore").write_text(f"{KEPT}/\n", encoding="utf-8")
    to.print(styled(f"try: cd {folder.as_posix()} && riftrules test && riftrules run fixtures/garden/watering.yaml"))
    return Exit.AS_EXPECTED
