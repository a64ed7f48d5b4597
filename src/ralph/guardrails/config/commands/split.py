"""A run of all tests that was split into several, one behind the other in the script that had it (class G09).

Rules: the script of the head leads to all the parts, and nothing stands in their way. Together they hold what the one
run held: each project that the configuration names (`--selectProjects`), each test of the tree (`--testPathPattern`, or
what one part leaves out and another one names; each folder from which one starts, `started`), each expression
(`-m slow` and `-m "not slow"`); but for its choice a part checks no less.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.commands.completed import EXPRESSIONS, Weaker, is_completed
from ralph.guardrails.config.commands.started import all_started
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.options.harm import PARTLY
from ralph.guardrails.config.patterns import COSTLY, covers, is_test
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

Words = Sequence[str]
PROJECTS, PATTERNS = ("--selectProjects",), ("--testPathPattern", "--testPathPatterns")
CONFIGS = (*(f"jest.config.{end}" for end in ("js", "ts", "mjs", "cjs", "json")), "package.json")
IGNORING: Mapping[str, Sequence[str]] = {
    "jest": ("--testPathIgnorePatterns",),
    "vitest": ("--exclude",),
    "mocha": ("--ignore", "--exclude"),
}
SWITCHES = frozenset(
    names(
        "--ci --runInBand -i --coverage --verbose --silent --bail --detectOpenHandles --no-cache --recursive --run "
        "--no-coverage --colors --color --exit --expand --errorOnDeprecated"
    )
)
"""Options behind which a word is none of their own."""
VERBS = frozenset(("run", "watch", "related", "bench"))
SHARD = later(
    r"--(?:test-)?shard[= ](\d{1,3})/(\d{1,3})(?= |$)|--splits[= ](\d{1,3}) (?:.* )?--group[= ](\d{1,3})(?= |$)"
)
SCRIPT = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts")


def is_one_shard(loss: Loss, runs: Sequence[Run]) -> bool:
    """`--shard=1/4`, or `--splits 4 --group 1`, and nothing runs the other three."""
    program, _, option = loss.key.partition(" --")
    if loss.rule != PARTLY or loss.node is None or option not in ("shard", "group"):
        return False
    parts = {part for run in runs if run.words[0] == program for part in SHARD.findall(" ".join(run.words))}
    found = {(one or group, of or splits) for one, of, splits, group in parts}
    return any(len([each for each in found if each[1] == of]) < int(of) for _, of in found)


def parts(path: str, slot: str, program: str, side: Side) -> list[tuple[str, ...]]:
    """The runs of a program that a script, job or target leads to; none if something stands in the way of one."""
    from ralph.guardrails.checks.reach import Reach

    reach = Reach(side)
    name = slot.rpartition("/")[2]
    own = [gate for gate in reach.of_file(path) if gate.slot.rpartition("/")[2] == name]
    found = [leaf for gate in own for leaf in reach.leaves(gate)]
    if any(leaf.flaws for leaf in found):
        return []
    return list(dict.fromkeys(leaf.words for leaf in found if leaf.words[0] == program))


def is_whole(was: Words, runs: Sequence[Words], path: str, side: Side, weaker: Weaker) -> bool:
    """`path`: of the file that runs them."""
    if len(runs) < 2:
        return False
    if any(is_completed(key, was, runs[0], (), runs[1:], weaker) for key in (*EXPRESSIONS, "")):
        return True
    if was[0] in IGNORING and _all_by_path(was, runs, side, weaker):
        return True
    if all_started(was, runs, side, weaker):
        return True
    if was[0] != "jest":
        return False
    return any(_all_of_jest(was, runs, options, path, side, weaker) for options in (PROJECTS, PATTERNS))


def _all_by_path(was: Words, runs: Sequence[Words], side: Side, weaker: Weaker) -> bool:
    """Each test that the one run held is in one of the parts, by what they name and what they leave out."""
    wanted, left_out, _ = _places(was)
    said = [(named, out) for run in runs for named, out, rest in (_places(run),) if not weaker(_places(was)[2], rest)]
    if wanted or len(said) < 2 or not all(_is_cheap(each) for named, out in said for each in (*named, *out)):
        return False
    tests = [each for each in side.paths if is_test(each) and each.endswith(SCRIPT) and not _any(left_out, each)]
    return bool(tests) and all(
        any((not named or _any(named, each)) and not _any(out, each) for named, out in said) for each in tests
    )


def _places(run: Words) -> tuple[list[str], list[str], tuple[str, ...]]:
    """What a call names without an option or as a pattern, what it leaves out, and the rest of it."""
    left_out, rest = _chosen(run, IGNORING[run[0]])
    named, rest = _chosen(rest, PATTERNS)
    bare = [
        word
        for before, word in pairwise(rest)
        if not word.startswith("-") and (not before.startswith("-") or before in SWITCHES or "=" in before)
    ]
    bare = [word for word in bare if word not in VERBS]
    places = [word.strip("\"'").removeprefix("./") for word in (*named, *bare)]
    return places, left_out, tuple(word for word in rest if word not in bare)


def _any(patterns: Sequence[str], path: str) -> bool:
    return any(covers(each, path) for each in patterns)


def _is_cheap(pattern: str) -> bool:
    return not re.search(COSTLY, pattern)


def _all_of_jest(
    was: Words, runs: Sequence[Words], options: Sequence[str], path: str, side: Side, weaker: Weaker
) -> bool:
    said = [_chosen(run, options) for run in runs]
    fit = [values for values, rest in said if values and not weaker(was, rest)]
    if len(fit) < 2 or _chosen(was, options)[0]:
        return False
    names = {value for values in fit for value in values}
    if options == PROJECTS:
        known = _projects(path, side)
        return bool(known) and names.issuperset(known)
    tests = [each for each in side.paths if is_test(each) and each.endswith(SCRIPT)]
    return bool(tests) and all(any(_matches(name, each) for name in names) for each in tests)


def _matches(pattern: str, path: str) -> bool:
    if re.search(COSTLY, pattern):
        return False
    try:
        return re.search(pattern, f"/{path}") is not None
    except re.error:
        return False


def _chosen(run: Words, options: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The values of an option, and the call without it."""
    values: list[str] = []
    rest: list[str] = []
    taking = False
    for word in run:
        name, given, value = word.partition("=")
        if name in options:
            taking = not given
            values += [value.strip("\"'")] if given else []
        elif taking and not word.startswith("-"):
            values.append(word.strip("\"'"))
        else:
            taking = False
            rest.append(word)
    return values, tuple(rest)


def _projects(path: str, side: Side) -> list[str]:
    """The names of all projects of the nearest configuration; none if one of them has no name that can be read."""
    for folder in dict.fromkeys((posixpath.dirname(path), "")):
        for name in CONFIGS:
            node = side.node(posixpath.join(folder, name))
            whole = node and ((node.at("jest") if name == "package.json" else node.at("default")) or node)
            listed = whole.at("projects") if whole else None
            if listed is not None:
                found = list(_names(listed))
                return found if len(found) == len(listed.items) else []
    return []


def _names(listed: Node) -> Iterator[str]:
    # An item of a list of projects is a table.
    for item in listed.value if isinstance(listed.value, list) else ():
        name = item.at("displayName", "name") or item.at("displayName")
        if name is not None and isinstance(name.value, str):
            yield canonical(name)
