"""The commands of a tree before and after: a checker must not be called with less than it was.

1. Only the changed files matter; a command that moved from one of them to another is the same command.
2. A command is compared with the one that stands in its place: same script, job or target, else same file, else same
   program (`PASSES`). A new command that replaces none takes nothing away; a command that is gone takes its coverage
   floor with it, unless another place runs the program too, which is for a person to look at.
3. A coverage floor that a script, a CI file or a Makefile names must not fall or vanish.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ralph.guardrails.config import flags
from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.rows import MOVED, Loss, Row, compare_rows
from ralph.guardrails.config.scripts import Commands, Run, command_files, read_commands
from ralph.guardrails.config.side import Side

THRESHOLD = "cfg.coverage.threshold"
NAMED_FLOORS = (
    Row("variable.*", floor(), THRESHOLD),
    Row("test.*", floor(), THRESHOLD),
    Row("action.*.*", floor(), THRESHOLD),
    Row("switch.*.*", flag(good=True), "cfg.coverage.report-optional"),
)


def losses(before: Side, after: Side, changed: frozenset[str]) -> Iterator[Loss]:
    old = {path: read_commands(before, path) for path in sorted(changed & before.paths)}
    new = {path: read_commands(after, path) for path in sorted(changed & after.paths)}
    for path, found in old.items():
        if found.floors:
            now = new.get(path, Commands((), {}))
            yield from compare_rows(NAMED_FLOORS, found.floors, now.floors, ())
    pairs = list(_pairs(_runs(old), _runs(new)))
    paths = sorted(before.paths | after.paths) if pairs else []
    kept: list[Run] | None = None
    for was, is_now in pairs:
        for loss in _weaker(was, is_now, paths):
            if is_now is None:
                kept = (
                    _runs({path: read_commands(after, path) for path in command_files(after)}) if kept is None else kept
                )
                if any(
                    loss.rule not in {other.rule for other in _weaker(was, run, paths)}
                    for run in kept
                    if run.words[0] == was.words[0]
                ):
                    loss = replace(loss, rule=MOVED, text="is left to another place that runs the same program")
            yield loss


def _weaker(was: Run, now: Run | None, paths: Sequence[str]) -> Iterator[Loss]:
    """What one command says less than another of the same program; of one that is gone, its floors."""
    program = was.words[0]
    place = now.node if now else None
    rows = [option.row for option in flags.options(program)]
    settings = flags.settings(program, now.words[1:], now.node) if now else {}
    for loss in compare_rows(rows, flags.settings(program, was.words[1:], was.node), settings, paths):
        if place or loss.rule == THRESHOLD:
            yield replace(loss, key=f"{program} --{loss.key}", node=loss.node or place, removed=loss.node is None)


def _runs(files: dict[str, Commands]) -> list[Run]:
    return [run for found in files.values() for run in found.runs if run.words and run.words[0] in flags.OPTIONS]


Slot = Callable[[Run], tuple[object, ...]]

PASSES: tuple[Slot, ...] = (
    lambda run: (run.words, run.node.path, run.slot),
    lambda run: (run.words[0], run.node.path, run.slot),
    lambda run: (run.words,),
    lambda run: (run.words[0], run.node.path),
    lambda run: (run.words[0],),
)
"""What a command of the base must share with the one that it has become, nearest first. An equal command elsewhere
comes after another one in its own place: a copy that nothing runs must not answer for it."""


def _pairs(old: list[Run], new: list[Run]) -> Iterator[tuple[Run, Run | None]]:
    """What each command of the base has become; None where it is gone. Equal ones are left out."""
    for slot in PASSES:
        waiting: dict[tuple[object, ...], list[Run]] = defaultdict(list)
        for run in new:
            waiting[slot(run)].append(run)
        rest = []
        for run in old:
            found = waiting[slot(run)].pop(0) if waiting[slot(run)] else None
            if found is None:
                rest.append(run)
            elif found.words != run.words:
                yield run, found
        old, new = rest, [run for runs in waiting.values() for run in runs]
    for run in old:
        yield run, None
