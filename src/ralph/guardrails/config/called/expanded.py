"""The commands that stand for the calls of tasks in a line, where a caller has a say in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ralph.guardrails.config.called import appended, chosen, invoke, just, make, programs, scripts, sessions, tables
from ralph.guardrails.config.called.call import Call, calls
from ralph.guardrails.config.called.environments import with_values
from ralph.guardrails.config.side import Side

DEEPEST = 3
"""Tasks that call one another are followed so far."""
Commands = Callable[[Call, Side], list[str]]
RUNNERS: dict[str, Commands] = {
    "just": just.commands,
    "make": make.commands,
    "gmake": make.commands,
    "task": tables.of_task,
    "go-task": tables.of_task,
    "hatch run": tables.of_hatch,
    "mise run": tables.of_mise,
    "deno task": tables.of_deno,
    "cargo": tables.of_cargo,
    "bazel": chosen.of_bazel,
    "bazelisk": chosen.of_bazel,
    "mvn": chosen.of_maven,
    "./mvnw": chosen.of_maven,
    "tox": sessions.of_tox,
    "nox": sessions.of_nox,
    "pdm run": appended.of_pdm,
    "poe": appended.of_poe,
    "composer": appended.of_composer,
    "composer run": appended.of_composer,
    "composer run-script": appended.of_composer,
    "rake": appended.of_rake,
    "inv": invoke.commands,
    "invoke": invoke.commands,
}


def expanded(
    line: str, keys: Collection[tuple[str, str]], side: Side, environment: Mapping[str, str], asked: frozenset[str]
) -> str:
    """The line with the commands in the place of each call that is meant; as it is where none hands on what its callers
    say. `asked`: the variables that such calls are given."""
    return _expanded(line, lambda call: not call.keys.isdisjoint(keys), side, environment, asked, DEEPEST)


def _expanded(
    line: str,
    meant: Callable[[Call], bool],
    side: Side,
    around: Mapping[str, str],
    asked: frozenset[str],
    deep: int,
) -> str:
    """What a task calls in turn is put in, too."""
    parts: list[str] = []
    at = 0
    for call in calls(line, around, asked) if deep else ():
        commands = _runner(call.program)(call, side) if meant(call) else []
        if commands:
            texts = (with_values(each, call.environment) for each in commands)
            inner = (_expanded(text, _any, side, call.environment, asked, deep - 1) for text in texts)
            parts += (line[at : call.start], " && ".join(inner))
            at = call.end
    return "".join((*parts, line[at:]))


def _runner(program: str) -> Commands:
    return RUNNERS.get(program) or (programs.of_program if programs.is_program(program) else scripts.of_shell)


def _any(_: Call) -> bool:
    return True
