"""The commands that stand for the calls of tasks in a line, where a caller has a say in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ralph.guardrails.config.called import appended, just, make, scripts, sessions, taskfile
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
    "task": taskfile.commands,
    "go-task": taskfile.commands,
    "tox": sessions.of_tox,
    "nox": sessions.of_nox,
    "pdm run": appended.of_pdm,
    "poe": appended.of_poe,
    "composer": appended.of_composer,
    "composer run": appended.of_composer,
    "composer run-script": appended.of_composer,
    "rake": appended.of_rake,
    "inv": scripts.of_invoke,
    "invoke": scripts.of_invoke,
}


def expanded(line: str, keys: Collection[tuple[str, str]], side: Side, environment: Mapping[str, str]) -> str:
    """The line with the commands in the place of each call that is meant; as it is where none hands on what its callers
    say."""
    return _expanded(line, lambda call: not call.keys.isdisjoint(keys), side, environment, DEEPEST)


def _expanded(line: str, meant: Callable[[Call], bool], side: Side, around: Mapping[str, str], deep: int) -> str:
    """What a task calls in turn is put in, too."""
    parts: list[str] = []
    at = 0
    for call in calls(line, around) if deep else ():
        commands = RUNNERS.get(call.program, scripts.of_shell)(call, side) if meant(call) else []
        if commands:
            texts = (with_values(each, call.environment) for each in commands)
            inner = (_expanded(text, _any, side, call.environment, deep - 1) for text in texts)
            parts += (line[at : call.start], " && ".join(inner))
            at = call.end
    return "".join((*parts, line[at:]))


def _any(_: Call) -> bool:
    return True
