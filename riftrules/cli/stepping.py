"""`riftrules run --step`: through a run by hand, one firing at a time.

It is a plain prompt, drawn with Rich, and no full-screen program: it needs nothing installed, works through any
terminal or pipe, leaves behind what was seen so that it can be copied, and is tested by typing into it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from riftrules.analysis.edits import edit_text
from riftrules.analysis.questions import QuestionError
from riftrules.analysis.stepping import Stepper
from riftrules.cli.exits import Exit
from riftrules.language.model import Ruleset
from riftrules.report.console import console, styled
from riftrules.report.stepping import print_step
from riftrules.scenario.model import Scenario
from riftrules.source.writing import write_whole

HELP = """\
n, Enter    the next firing             b         back one
g N         to firing N                 e, s      to the end, to the start
set unit u.at: A      change a field here and go on from there
drop unit u           take a fact away
add unit: {at: A}     one fact more
undo        take the last change back   changes   what has been changed
save FILE   as a fixture                h, q      this help, the end"""


def step(scenario: Scenario, ruleset: Ruleset) -> Exit:
    """Go through a scenario as it is typed, until `q` or the end of what is typed."""
    _Prompt(Stepper(scenario, ruleset)).loop()
    return Exit.AS_EXPECTED


class _Prompt:
    def __init__(self, stepper: Stepper) -> None:
        self.stepper = stepper
        self.to = console()
        self.commands: dict[str, Callable[[str], None]] = {
            "n": lambda _: stepper.go(stepper.position + 1),
            "b": lambda _: stepper.go(stepper.position - 1),
            "g": self._go,
            "e": lambda _: stepper.go(stepper.last),
            "s": lambda _: stepper.go(0),
            "set": stepper.alter,
            "add": stepper.alter,
            "drop": lambda text: stepper.alter(f"no {text}"),
        }
        self.quiet: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "changes": self._changes,
            "save": self._save,
            "h": lambda _: self._say(HELP),
        }

    def loop(self) -> None:
        """Read and do, until it is over."""
        print_step(self.stepper, self.to)
        while True:
            try:
                line = self._ask()
            except EOFError:
                return
            word, _, rest = line.partition(" ")
            if word in {"q", "quit"}:
                return
            self._do(word or "n", rest.strip())

    def _ask(self) -> str:
        sys.stdout.write(f"{self.stepper.position}/{self.stepper.last}> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            sys.stdout.write("\n")
            raise EOFError
        if not sys.stdin.isatty():
            sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
        return line.strip()

    def _do(self, word: str, rest: str) -> None:
        try:
            if word in self.commands:
                self.commands[word](rest)
                print_step(self.stepper, self.to)
            elif word in self.quiet:
                self.quiet[word](rest)
            else:
                self._say(f"`{word}` is no command\n{HELP}")
        except QuestionError as error:
            self._say(str(error))

    def _say(self, text: str) -> None:
        self.to.print(styled((text, "yellow")))

    def _go(self, text: str) -> None:
        if not text.isdecimal():
            message = f"`{text}` is no number of a firing"
            raise QuestionError(message)
        self.stepper.go(int(text))

    def _undo(self, _: str) -> None:
        if self.stepper.restore():
            print_step(self.stepper, self.to)
        else:
            self._say("nothing has been changed")

    def _changes(self, _: str) -> None:
        stepper = self.stepper
        for one in stepper.alterations:
            where = f"after firing {one.after}" if one.after else "before the first firing"
            self._say(f"{where}: {edit_text(one.edit, stepper.given, stepper.ruleset)}")
        if not stepper.alterations:
            self._say("nothing has been changed")

    def _save(self, text: str) -> None:
        path = Path(text)
        if not text or path.exists():
            message = f"`{text}` is there already" if text else "say where: `save FILE`"
            raise QuestionError(message)
        written = self.stepper.fixture(
            f"{self.stepper.given.name}, changed" if self.stepper.alterations else self.stepper.given.name
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, written)
        self._say(f"written to {path.as_posix()}")
