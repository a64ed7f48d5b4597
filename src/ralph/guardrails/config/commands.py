"""The commands of a tree before and after: a checker must not be called with less than it was.

1. Only the changed files matter; a command that moved from one of them to another is the same command.
2. What is left is paired by program, first within a file, then across files, in order. A new command that replaces
   none takes nothing away; a command that is gone takes its coverage floor with it.
3. A coverage floor that a script, a CI file or a Makefile names must not fall or vanish.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from ralph.guardrails.config import flags
from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.rows import Loss, Row, compare_rows
from ralph.guardrails.config.scripts import Commands, read_commands
from ralph.guardrails.config.side import Side

Run = tuple[tuple[str, ...], Node]

NAMED_FLOORS = (
    Row("variable.*", floor(), "cfg.coverage.threshold"),
    Row("test.*", floor(), "cfg.coverage.threshold"),
    Row("action.*.*", floor(), "cfg.coverage.threshold"),
    Row("switch.*.*", flag(good=True), "cfg.coverage.report-optional"),
)


def losses(before: Side, after: Side, changed: frozenset[str]) -> Iterator[Loss]:
    old = {path: read_commands(before, path) for path in sorted(changed & before.paths)}
    new = {path: read_commands(after, path) for path in sorted(changed & after.paths)}
    for path, found in old.items():
        now = new.get(path, Commands((), {}))
        yield from compare_rows(NAMED_FLOORS, found.floors, now.floors, ())
    paths = sorted(before.paths | after.paths)
    for was, is_now in _pairs(_runs(old), _runs(new)):
        program = was[0][0]
        rows = [option.row for option in flags.OPTIONS[program]]
        place = is_now[1] if is_now else None
        settings = flags.settings(program, is_now[0][1:], is_now[1]) if is_now else {}
        for loss in compare_rows(rows, flags.settings(program, was[0][1:], was[1]), settings, paths):
            if place or loss.rule == "cfg.coverage.threshold":
                yield Loss(
                    rule=loss.rule,
                    key=f"{program} --{loss.key}",
                    text=loss.text,
                    node=loss.node or place,
                    old=loss.old,
                    was=loss.was,
                    now=loss.now,
                    removed=loss.node is None,
                )


def _runs(files: dict[str, Commands]) -> list[Run]:
    return [run for found in files.values() for run in found.runs if run[0] and run[0][0] in flags.OPTIONS]


def _pairs(old: list[Run], new: list[Run]) -> Iterator[tuple[Run, Run | None]]:
    """What each command of the base has become; None where it is gone. Equal ones are left out."""
    same = Counter(words for words, _ in old) & Counter(words for words, _ in new)
    old, new = _without(old, same), _without(new, same)
    for nearby in (True, False):
        waiting: dict[tuple[str, ...], list[Run]] = defaultdict(list)
        for run in new:
            waiting[_slot(run, nearby)].append(run)
        rest = []
        for run in old:
            if waiting[_slot(run, nearby)]:
                yield run, waiting[_slot(run, nearby)].pop(0)
            else:
                rest.append(run)
        old, new = rest, [run for runs in waiting.values() for run in runs]
    for run in old:
        yield run, None


def _slot(run: Run, nearby: bool) -> tuple[str, ...]:
    words, node = run
    return (words[0], node.path) if nearby else (words[0],)


def _without(runs: list[Run], same: Counter[tuple[str, ...]]) -> list[Run]:
    left, out = Counter(same), []
    for run in runs:
        if left[run[0]] > 0:
            left[run[0]] -= 1
        else:
            out.append(run)
    return out
