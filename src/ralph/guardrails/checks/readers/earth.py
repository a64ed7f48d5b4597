"""The checks of an Earthfile: what its targets run, and the targets that they build by name.

What stands in an `IF` of a target runs only under its condition.
"""

from __future__ import annotations

from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.shell.conditions import doubt
from ralph.guardrails.config.command_files import embedded
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

TARGET = later(r"(?P<name>[a-z][\w.-]*):\s*$")
BUILD = later(r"\s*BUILD\s+(?:--\S+\s+)*(?P<name>\+[\w.-]+)")
CONDITION = later(r"\s*(?P<word>IF|ELSE IF|ELSE|END|FOR|WITH|WAIT|TRY)\b(?P<rest>.*)")


def earthfile(collector: Collector, text: str) -> None:
    commands = {line: command for command, line in embedded.commands("earthfile", text)}
    slot = "image"
    around: list[dict[Flaw, str]] = []
    for whole, line in embedded.instructions(text):
        if (match := TARGET.match(whole)) is not None:
            slot, around = f"+{match['name']}", []
        elif (match := CONDITION.match(whole)) is not None:
            _enter(around, match["word"], match["rest"].strip())
        flaws = {flaw: said for each in around for flaw, said in each.items()}
        if (match := BUILD.match(whole)) is not None and is_named(match["name"].lstrip("+")):
            collector.add(("earthly", match["name"]), "named", line, slot, flaws)
        elif line in commands:
            collector.text(commands[line], line, slot, Shell(named=is_named(slot.lstrip("+"))), flaws)


def _enter(around: list[dict[Flaw, str]], word: str, rest: str) -> None:
    """Blocks that are no `IF` change nothing."""
    if word == "END":
        del around[-1:]
    elif word == "IF":
        kind: Flaw = "run-if" if doubt(rest) == "variable" else "run-maybe"
        around.append({kind: f"it runs only if {cut(rest, 80)}"})
    elif not word.startswith("ELSE"):
        around.append({})
