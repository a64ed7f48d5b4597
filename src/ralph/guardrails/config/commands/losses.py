"""The commands of a tree before and after: a checker must not be called with less than it was.

1. Only the changed files matter; a command that moved from one of them to another is the same command.
2. A command is compared with the one that stands in its place: same script, job or target, else same file, else same
   program (`PASSES`). A new command that replaces none takes nothing away; one of another program in the place of one
   that is gone must not forgive what that did not, nor leave its coverage unmeasured; a command that is gone takes
   its coverage floor with it, unless another place runs the program too, which is for a person to look at.
3. An option that takes the place of what a configuration file says is compared with that (`overriding`).
4. A coverage floor that a script, a CI file or a Makefile names must not fall or vanish; it may move to a file that did
   not name it before.
5. Tests that a command leaves out, and that the CI of the head runs by another one, are for a person (`completed`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, filterfalse, pairwise

from ralph.guardrails.config.command_files.scripts import Commands, Run, command_files, read_commands
from ralph.guardrails.config.commands.addopts import put_aside
from ralph.guardrails.config.commands.arguments import argument_floors, lower
from ralph.guardrails.config.commands.cargo import (
    in_its_place,
    is_run_beside,
    sees_to_packages,
    without_new_features,
)
from ralph.guardrails.config.commands.cargo_parts import is_left_to_others
from ralph.guardrails.config.commands.cargo_words import verb
from ralph.guardrails.config.commands.completed import is_completed, looks_at_less, run_for_every_change
from ralph.guardrails.config.commands.counters import is_measured
from ralph.guardrails.config.commands.given import lost_tests
from ralph.guardrails.config.commands.overriding import Units, overridden, unconfigured, usual_places
from ralph.guardrails.config.commands.shadowed import as_read
from ralph.guardrails.config.commands.split import is_one_shard, is_whole, parts
from ralph.guardrails.config.commands.successors import forgiven, of_successor
from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.node import Key, Node
from ralph.guardrails.config.options import flags
from ralph.guardrails.config.options.harm import EXCLUDED, FILTERED, PARTLY
from ralph.guardrails.config.own_files import of_own_files
from ralph.guardrails.config.rows import MINOR_EXCLUSION, MOVED, Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import LOOKED_AT_BY
from ralph.record import replace
from ralph.system.patterns import later

Floors = Mapping[str, Mapping[Key, Node]]
SNAPSHOTS = "cfg.test.snapshots-rewritten"
BEFORE_TESTS = later(r"\bpre(?:test|check|ci|verify|validate|coverage)\b")
THRESHOLD, OFF = "cfg.coverage.threshold", "cfg.coverage.off"
CHOOSES, COLLECTION = frozenset((FILTERED, EXCLUDED)), "cfg.test.collection"
NAMED_FLOORS = (
    Row("variable.*", floor(), THRESHOLD),
    Row("test.*", floor(), THRESHOLD),
    Row("action.*.*", floor(), THRESHOLD),
    Row("switch.*.*", flag(good=True), "cfg.coverage.report-optional"),
    Row("argument.*.*.*", lower, THRESHOLD),
)
RUNS_SCRIPTS = frozenset(("npm", "pnpm", "yarn", "turbo", "nx", "lerna"))
NAMES_CHECK = later(
    r"(?i)(?:^|[:_./,-])(?:tests?|testing|lint\w*|checks?|type-?checks?|types|tsc|specs?|cov|coverage|verify|validate"
    r"|e2e|unit|integration|quality|audit|jest|vitest|mocha|eslint)(?:$|[:_./,-])"
)


def losses(before: Side, after: Side, changed: frozenset[str], units: Units) -> Iterator[Loss]:
    """`units`: the configurations of the base."""
    old = {path: read_commands(before, path) for path in sorted(changed & before.paths)}
    new = {path: read_commands(after, path) for path in sorted(changed & after.paths)}
    as_read(old, new, before, after, changed)
    floors_before = {path: _floors(found) for path, found in old.items()}
    floors_after = {path: _floors(found) for path, found in new.items()}
    for path, floors in floors_before.items():
        if floors:
            moved = _arrived(path, floors_before, floors_after)
            yield from compare_rows(NAMED_FLOORS, floors, {**moved, **floors_after.get(path, {})}, ())
    runs_before, runs_after = _runs(old), [without_new_features(run, before, after) for run in _runs(new)]
    pairs, fresh = _pairs(runs_before, runs_after)
    yield from _unmatched(fresh, units)
    paths = sorted(after.paths) if pairs or fresh else []
    for was, is_now in (*pairs, *((run.bare(), run) for run in fresh)):
        if is_now is not None and is_now.implied and is_now.words[0] == "pytest":
            yield from lost_tests(was.words, is_now.words, is_now.node, paths, usual_places(is_now.node, units))

    @cache
    def kept() -> list[Run]:
        return _runs({path: read_commands(after, path) for path in command_files(after)})

    had = forgiven(runs_before, _weaker)
    for was, is_now in pairs:
        left = partial(is_left_to_others, was=was, now=is_now, runs=kept, after=after)
        for loss in filterfalse(left, _lost(was, is_now, runs_after, paths, units)):
            if is_now is not None and is_measured(loss, is_now, runs_after):
                continue
            loss = _with_others(loss, was, is_now, runs_after, (before, after))
            if is_now is None:
                loss = _of_gone(loss, was, kept(), paths)
            elif loss.old and loss.old.path != was.node.path and loss.rule == THRESHOLD and _reported(runs_after):
                loss = replace(loss, rule=MOVED, text="is left to the report of all runs")
            yield loss
        if is_now is None:
            yield from of_successor(was, had, fresh, before, _weaker)


def _with_others(loss: Loss, was: Run, now: Run | None, runs: Sequence[Run], sides: tuple[Side, Side]) -> Loss:
    """The loss as it is seen beside the other runs: worse where they do not do the rest, and milder where they do."""
    if is_one_shard(loss, runs):
        return replace(loss, rule=FILTERED)
    too = now is not None and loss.rule in (*CHOOSES, COLLECTION) and _is_run_too(loss, was, now, *sides)
    return replace(loss, rule=PARTLY) if too else loss


def _is_run_too(loss: Loss, was: Run, now: Run, before: Side, after: Side) -> bool:
    """What the command leaves out, the CI of the head runs by others."""

    def less(one: Sequence[str], other: Sequence[str]) -> bool:
        return weaker_options(one, other) or looks_at_less(one, other, before, after)

    if now.implied:
        return False
    own = parts(was.node.path, was.slot, was.words[0], after) if was.node.path == now.node.path else []
    if was.words[0] == "cargo":  # which lints as well, on whatever `cargo test` leaves out
        own = [words for words in own if verb(words) == verb(was.words)]
    if is_whole(was.words, own, was.node.path, after, less):
        return True
    if loss.rule == COLLECTION:
        return False
    old, new = (run_for_every_change(now.words, side) for side in (before, after))
    return is_completed(loss.key, was.words, now.words, old, new, less)


def _lost(was: Run, now: Run | None, runs: Sequence[Run], paths: Sequence[str], units: Units) -> Iterator[Loss]:
    """What one command says less, without what another run of the head does in its place."""
    for loss in _weaker(was, now, paths, units):
        if now is None or not is_run_beside(loss, now, (run for run in runs if not any(_weaker(was, run, paths)))):
            yield loss


def _of_gone(loss: Loss, was: Run, kept: Iterable[Run], paths: Sequence[str]) -> Loss:
    """A loss with a command that is gone, milder where another one of the program has no such loss."""
    same = (run for run in kept if run.words[0] == was.words[0])
    if any(loss.rule not in {other.rule for other in _weaker(was, run, paths)} for run in same):
        return replace(loss, rule=MOVED, text="is left to another place that runs the same program")
    return loss


def _reported(runs: Iterable[Run]) -> bool:
    """coverage.py compares what several runs measured with the floor of its configuration."""
    return any(
        run.words[0] == "coverage" and "report" in run.words and not any("fail-under" in word for word in run.words)
        for run in runs
    )


def _floors(found: Commands) -> Mapping[Key, Node]:
    return {**found.floors, **argument_floors(found.runs)}


def _arrived(path: str, before: Floors, after: Floors) -> Mapping[Key, Node]:
    """What other files name that did not before."""
    return {
        key: node
        for other, floors in after.items()
        if other != path
        for key, node in floors.items()
        if key not in before.get(other, {})
    }


def weaker_options(was: Sequence[str], now: Sequence[str]) -> bool:
    """True if one call of a program checks less than another, by its options. That few tests are left out is minor, and
    so is which packages' scripts are run: others may run the rest."""
    minor = (MINOR_EXCLUSION, PARTLY) if was[0] in RUNS_SCRIPTS else (MINOR_EXCLUSION,)
    return any(loss.rule not in minor for loss in weaker(was, now))


def weaker(was: Sequence[str], now: Sequence[str]) -> list[Loss]:
    """What one call of a program checks less than another, by its options."""
    nowhere = Node(None, "")
    runs = Run(tuple(was), nowhere, ""), Run(tuple(now), nowhere, "")
    return list(_weaker(*runs, ())) if was[0] in flags.OPTIONS else []


def _weaker(was: Run, now: Run | None, paths: Sequence[str], units: Units = unconfigured) -> Iterator[Loss]:
    """What one command says less than another of the same program; of one that is gone, its floors, and of options for
    every call that are gone, all that they said."""
    program = was.words[0]
    place = now.node if now else None
    settings = flags.settings(program, now.words[1:], now.node) if now else {}
    said = flags.settings(program, was.words[1:], was.node)
    held = overridden(program, settings, now.node, units) if now else {}
    lost = partial(compare_rows, flags.rows(program), {**held, **said}, settings)
    weaker = of_own_files(lost, paths, LOOKED_AT_BY.get(program, ()))
    for loss in chain(weaker, put_aside(was, now, paths, units)):
        if place or was.implied or loss.rule == THRESHOLD:
            loss = in_its_place(loss, was.words)
            yield replace(loss, key=f"{program} --{loss.key}", node=loss.node or place, removed=loss.node is None)


def _program(run: Run) -> tuple[object, ...]:
    """The program, with the word that says what it does where it does many things; options for every call are apart."""
    verbs = [verb(run.words)] if run.words[0] == "cargo" else list(_plain(run.words))
    does = tuple(verbs[:1]) if run.words[0] in flags.MANY_TRADES else ()
    return run.words[0], does, run.implied


def _does(run: Run) -> str:
    """`pre-commit install` and `pre-commit run` may stand side by side, and one of them may go elsewhere."""
    return next(_plain(run.words), "")


def _plain(words: Sequence[str]) -> Iterator[str]:
    """The words that are neither options nor the values of those."""
    for before, word in pairwise(words):
        if not word.startswith("-") and not flags.has_value(words[0], before):
            yield word


def _unmatched(fresh: list[Run], units: Units) -> Iterator[Loss]:
    """Options for every call hold for calls that had none; a new command that rewrites recorded results is shown."""
    for run in fresh:
        for loss in _weaker(run.bare(), run, (), units):
            if run.implied:
                yield replace(loss, rule=FILTERED) if is_one_shard(loss, fresh) else loss
            elif loss.rule == SNAPSHOTS:
                yield loss if BEFORE_TESTS.search(run.slot) else replace(loss, rule="cfg.test.snapshots-command")


def _runs(files: dict[str, Commands]) -> list[Run]:
    known = (run for found in files.values() for run in found.runs if run.words and run.words[0] in flags.OPTIONS)
    return [run for run in known if not sees_to_packages(run.words) and not _only_builds(run.words)]


def _only_builds(words: Sequence[str]) -> bool:
    """A call of what runs scripts of packages that names no check: `pnpm --filter web build`, `npm install -w web`."""
    return words[0] in RUNS_SCRIPTS and not any(map(NAMES_CHECK.search, _plain(words)))


Slot = Callable[[Run], tuple[object, ...]]

PASSES: tuple[Slot, ...] = (
    lambda run: (run.words, run.node.path, run.slot, run.implied),
    lambda run: (_program(run), _does(run), run.node.path, run.slot),
    lambda run: (_program(run), run.node.path, run.slot),
    lambda run: (run.words, run.implied),
    lambda run: (_program(run), run.node.path),
    lambda run: (_program(run),),
)
"""What a command of the base must share with the one that it has become, nearest first. An equal command elsewhere
comes after another one in its own place: a copy that nothing runs must not answer for it."""


def _pairs(old: list[Run], new: list[Run]) -> tuple[list[tuple[Run, Run | None]], list[Run]]:
    """What each command of the base has become, None where it is gone, and those of the head that replace none.

    Equal ones are left out.
    """
    found_pairs: list[tuple[Run, Run | None]] = []
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
                found_pairs.append((run, found))
        old, new = rest, [run for runs in waiting.values() for run in runs]
    return [*found_pairs, *((run, None) for run in old)], new
