"""Asking the tools of a command line for reports: the line with arguments added, or variables that reach them.

Rules (design decision 1): every start of a known tool gets a report path of its own, so that a second start cannot
write over the first one's findings; a tool that the context names but the line hides (make, tox) is asked by
environment if it can be, and is otherwise not believed without a report. Nothing else of the line is changed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from ralph.record import record
from ralph.steps.commandline import Edit, edited
from ralph.steps.invocation import Found, Invocation, find
from ralph.steps.tools import generic
from ralph.steps.tools.recipe import AS_WRITTEN, Kind, Manner, Recipe, filled
from ralph.steps.tools.registry import recipe_for


@record
class Asked:
    """One tool that is asked, and where its report will stand (None: its output is read)."""

    recipe: Recipe
    report: Path | None
    invocations: int


@record
class Armed:
    """What to run, and what to read afterwards. `obstacle` says why a known tool could not be asked."""

    line: str
    env: Mapping[str, str]
    asked: tuple[Asked, ...]
    alone: bool
    """Only the asked tools can have decided the exit code."""
    measures: bool = True
    """False when the line runs nothing but words of the shell (`true`, `echo ok`)."""
    obstacle: str | None = None


def arm(command: str, *, kind: Kind, hint: str | None, root: Path, reports: Path, manner: Manner = AS_WRITTEN) -> Armed:
    """How to run `command` so that its tools report into the directory `reports`."""
    found = find(command, kind, root)
    wanted = recipe_for(hint)
    wanted = wanted if wanted and wanted.kind == kind else None
    if found.obstacle and not found.invocations:
        return Armed(command, {}, (), alone=False, obstacle=found.obstacle)
    if found.invocations:
        return _by_arguments(command, found, reports, manner)
    if wanted is not None:
        return _by_environment(command, wanted, reports, manner)
    working = [each for each in found.line.commands if not each.neutral]
    asked = () if kind == "tests" else (Asked(generic.RECIPE, None, 1),)
    measures = bool(working) or not found.line.commands
    return Armed(command, {}, asked, alone=len(working) <= 1, measures=measures)


def _by_arguments(command: str, found: Found, reports: Path, manner: Manner) -> Armed:
    edits: list[Edit] = []
    asked: list[Asked] = []
    for number, each in enumerate(found.invocations, start=1):
        report = _report(reports, each.recipe, number if len(found.invocations) > 1 else 0)
        edits += _edits(each, report, manner)
        asked.append(Asked(each.recipe, report, 1))
    return Armed(edited(command, edits), {}, tuple(_together(asked)), alone=found.alone, obstacle=found.obstacle)


def _together(asked: list[Asked]) -> Iterator[Asked]:
    """Tools whose output is read have one output between them, however often they are started."""
    texts: dict[str, Asked] = {}
    for each in asked:
        if each.report is not None:
            yield each
        else:
            known = texts.get(each.recipe.tool)
            texts[each.recipe.tool] = Asked(each.recipe, None, each.invocations + (known.invocations if known else 0))
    yield from texts.values()


def _by_environment(command: str, recipe: Recipe, reports: Path, manner: Manner) -> Armed:
    report = _report(reports, recipe, 0)
    if report is None:
        return Armed(command, {}, (Asked(recipe, None, 0),), alone=False)
    env = filled(recipe.environment, report, recipe.arguments_of(manner))
    obstacle = None if env else f"{recipe.tool} cannot be asked for a report behind this command"
    return Armed(command, env, (Asked(recipe, report, 0),), alone=False, obstacle=obstacle)


def _report(reports: Path, recipe: Recipe, number: int) -> Path | None:
    if recipe.report is None:
        return None
    name = Path(recipe.report)
    return reports / (f"{name.stem}-{number}{name.suffix}" if number else name.name)


def _edits(each: Invocation, report: Path | None, manner: Manner) -> Iterator[Edit]:
    """Take out what the tool would not accept twice, add what it needs, put variables before it."""
    recipe = each.recipe
    skip = 0
    words = each.own_words
    for word in words:
        option = word.text.partition("=")[0]
        if skip or option in recipe.replaces:
            yield Edit(word.start, word.end, "")
            skip = skip - 1 if skip else int(recipe.replaces[option] and "=" not in word.text)
        elif word.text == "--":
            break
    added = (*each.glue, *recipe.arguments_for(each.words, report, manner))
    end = next((word.start for word in words if word.text == "--"), None)
    text = " ".join(shlex.quote(argument) for argument in added)
    yield Edit(each.end, each.end, f" {text}") if end is None else Edit(end, end, f"{text} ")
    if variables := filled(recipe.variables, report):
        start = each.command.words[0].start
        shown = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        yield Edit(start, start, f"{shown} ")
