"""A check that ran others by name, and whose work the same file now does one by one.

Rule: each program that a target, script or environment led to must be run where the name was run (by the pipeline, by
the target of that name), on no fewer paths, with no weaker options, and with no new way for its failure to get lost. So
it is with each command that stands as a list in a script of Python which ran them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.model import Flaw, Gate
from ralph.guardrails.checks.programs.listed_commands import commands_of
from ralph.guardrails.checks.programs.tables import SCRIPTS
from ralph.guardrails.checks.reach import RUNNERS, Reach, program
from ralph.guardrails.checks.scope.narrowed import narrowed
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.checks.spoken import spoken
from ralph.guardrails.config.command_files.shellwords import unwrapped
from ralph.guardrails.config.commands.losses import weaker_options
from ralph.guardrails.config.commands.split import is_whole, parts
from ralph.guardrails.config.commands.started import STARTS
from ralph.record import replace

ELSEWHERE = frozenset(("-C", "--directory", "--prefix", "--cwd", "--dir", "--workspace", "-w"))
"""The names of another folder: what they lead to is not known."""
HARMS: frozenset[Flaw] = frozenset(("lost", "lost-if", "not-run", "run-if", "allowed", "off", "retried"))


def runs_apart(was: Gate, before: Reach, after: Reach) -> bool:
    """True if the file that ran `was` runs all that it led to."""
    if (listed := commands_of(was, before)) is not None:
        return was.place == "ci" and _runs_all(listed, was, before, after)
    inside = [leaf for leaf in before.leaves(was) if leaf is not was]
    if any(ELSEWHERE.intersection(leaf.words) for leaf in inside):
        return False
    wanted = [leaf for leaf in inside if leaf.kind != "named" or not before.steps(leaf)]
    # What people run by name they may run by another, so the name itself must run it; CI runs all that its file says.
    by_name = was.kind == "named" or was.words[0] in RUNNERS or was.words[0] in SCRIPTS
    if not (was.place == "ci" or (was.place == "local" and was.slot)) or not wanted or not by_name:
        return False
    found = list(_sound(was, after))
    return all(any(_does(leaf, old, before, after) for leaf in found) for old in wanted)


def is_split(old: Gate, now: Gate, after: Reach) -> bool:
    """True if all parts of `old` stand where `now` does, of which each chooses something else; in CI, in its jobs."""
    own = parts(now.path, now.slot, old.words[0], after.side)
    if is_whole(old.words, own, now.path, after.side, weaker_options):
        return True
    if now.place != "ci" or old.words[0] not in STARTS:
        return False
    sure = (leaf for gate in after.of_file(now.path) if not gate.flaws for leaf in after.leaves(gate) if not leaf.flaws)
    every = list(dict.fromkeys(leaf.words for leaf in sure if leaf.words[0] == old.words[0]))
    return is_whole(old.words, every, now.path, after.side, weaker_options)


def _runs_all(listed: Sequence[tuple[str, ...]], was: Gate, before: Reach, after: Reach) -> bool:
    found = list(_sound(was, after))
    said = {one.words for one in spoken(after.side, was.path) if not one.variable}
    for words in listed:
        check = check_of(words)
        if check is None:
            bare = [tuple(level) for level in unwrapped(list(words))]
            if not bare or bare[-1] not in said:
                return False
        elif not any(_does(leaf, replace(was, words=check[0], kind=check[1]), before, after) for leaf in found):
            return False
    return True


def _sound(was: Gate, after: Reach) -> Iterator[Gate]:
    """What the file runs now, by itself or by name, and as surely as it ran `was`."""
    for gate in after.of_file(was.path):
        if (was.place == "ci" or gate.slot == was.slot) and not HARMS & (gate.flaws.keys() - was.flaws.keys()):
            yield from after.leaves(gate)


def _does(leaf: Gate, old: Gate, before: Reach, after: Reach) -> bool:
    if program(leaf) != program(old) or HARMS & (leaf.flaws.keys() - old.flaws.keys()):
        return False
    if weaker_options(old.words, leaf.words):
        return False
    return narrowed(old, leaf, [leaf], before.side.paths, after.side.paths) is None
