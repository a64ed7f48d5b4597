"""Parts of a test run that no job of CI takes (policy set v2, class G09).

Rule: a command takes one part of so many (`--shard=${{ matrix.part }}/3`, `--splits 4 --group $CI_NODE_INDEX`, or
variables that runners read), and a job of CI runs it for parts that can be read. Where they are fewer than the parts
there are, the tests of the others are never run: it blocks, unless the same was so at the base. What several commands
take of as many parts, in whatever job of the file, counts together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from ralph.guardrails.checks.readers.copies import Run, copies, is_told
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

NUMBER = r"[\"']?(\d{1,3})[\"']?(?![\w./])"
PART_OF = later(rf"--(?:test-)?(?:shard|partition)[= ](?:(?:count|hash|slice):)?[\"']?(\d{{1,3}})/{NUMBER}")
PART = later(
    rf"--(?:group|shard-(?:id|index|number|num)|shard_(?:id|index)|partition-index|node-index|split-index)[= ]{NUMBER}"
    rf"|(?<![\w-])(?:\w*(?:SHARD|SPLIT|NODE|PARTITION)_?(?:INDEX|ID|NUMBER)|MIX_TEST_PARTITION)=+ *{NUMBER}"
)
PARTS = later(
    r"(?:--(?:splits|(?:num|total)[-_](?:shards|nodes|partitions)|shard-(?:count|total)|partitions|node-total)[= ]"
    r"|(?<![\w-])(?:\w*(?:SHARDS?|SPLITS?|NODES?|PARTITIONS?)_?(?:TOTAL|COUNT)|\w*TOTAL_(?:SHARDS|NODES)|SPLIT)=+ *)"
    rf"{NUMBER}"
)
"""Options of runners, and variables that they or the services for parts of runs read."""
WORTH = later(r"(?i)shard|split|partition|node_?(?:index|total)|--group")
NAMED = later(
    r"\$\{\{\s*(?:(?P<of>(?:matrix|strategy)\.[\w.-]+)|env\.(?P<env>\w+))\s*\}\}|\$\((?P<azure>[\w.]+)\)"
    r"|\$\{(?P<braced>\w+)(?::-[^}]*)?\}|\$(?P<plain>[A-Za-z_]\w*)|(?<=\(\()\s*(?P<bare>[A-Z_]+)(?=[\s+-])"
)
SUM = later(r"\$\(\(\s*(\d+)\s*([+-])\s*(\d+)\s*\)\)")
SCRIPT = later(r"\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)")
MOST_DEEP = 4


def unrun_parts(path: str, before: Side, after: Side) -> Iterator[Hit]:
    if not is_told(path) or not WORTH.search(after.text(path) or ""):
        return
    known = _missing(before, path)
    for (name, total), (lost, place) in _missing(after, path).items():
        if not any(lost <= was for (_, of), (was, _) in known.items() if of == total):
            detail = f"{name}: of {total} parts nobody runs {', '.join(map(str, sorted(lost)))}"
            yield hit_at("check.narrowed", path, place.line, detail)


def runs_all_parts(path: str, side: Side, name: str, axis: str) -> bool:
    """The values of a matrix are the parts that a job takes, and none is missing."""
    places = [place for (job, _), (lost, place) in _taken(side, path).items() if job == name and not lost]
    return any(f"matrix.{axis}" in canonical(place) for place in places)


def _missing(side: Side, path: str) -> dict[tuple[str, int], tuple[frozenset[int], Node]]:
    return {key: found for key, found in _taken(side, path).items() if found[0]}


def _taken(side: Side, path: str) -> dict[tuple[str, int], tuple[frozenset[int], Node]]:
    """By the job, and of how many parts: those that neither it runs nor another job that does not run all."""
    node = side.node(path)
    ran: dict[tuple[str, int], set[int]] = defaultdict(set)
    places: dict[tuple[str, int], Node] = {}
    for name, job, runs in copies(path, node) if node is not None else ():
        given = dict(_given(job))
        for text, place in _texts(job, side):
            for run in runs if WORTH.search(text) else ():
                for part, total, written in _parts(text, {**given, **run}):
                    ran[name, total].add(part)
                    if not written:
                        places.setdefault((name, total), place)
    found = {}
    for (name, total), place in places.items():
        others = (ran[key] for key in ran if key[1] == total and key[0] != name and _lost(ran[key], total))
        found[name, total] = frozenset(_lost(ran[name, total].union(*others), total)), place
    return found


def _given(node: Node) -> Iterator[tuple[str, str]]:
    """Variables that its steps set."""
    env = node.at("env")
    for name, value in env.mapping.items() if env is not None else ():
        yield name, canonical(value)
    for below in (*node.mapping.values(), *(node.items if isinstance(node.value, list) else ())):
        yield from _given(below)


def _lost(parts: set[int], total: int) -> list[int]:
    """Parts are numbered from one, or from zero."""
    first = 0 if 0 in parts else 1
    return [part for part in range(first, first + total) if part not in parts]


def _texts(node: Node, side: Side) -> Iterator[tuple[str, Node]]:
    """What a job says: commands, with the scripts that they call by name, and variables as they would be set."""
    for key, value in node.mapping.items():
        if key in ("env", "variables", "environment") and value.mapping:
            yield "\n".join(f"{name}={canonical(each)}" for name, each in value.mapping.items()), value
        elif key != "strategy" and key != "parallel":
            yield from _texts(value, side)
    if isinstance(node.value, list):
        if all(isinstance(item.value, str) for item in node.items):
            yield _with_scripts("\n".join(item.text for item in node.items), side), node
        else:
            yield from (found for item in node.items for found in _texts(item, side))
    elif isinstance(node.value, str):
        yield _with_scripts(node.value, side), node


def _with_scripts(text: str, side: Side) -> str:
    package = side.node("package.json") if SCRIPT.search(text) else None
    if package is None:
        return text
    called = (package.at("scripts", name) for name in SCRIPT.findall(text))
    return "\n".join([text, *(canonical(each) for each in called if each is not None)])


def _parts(text: str, run: Run) -> Iterator[tuple[int, int, bool]]:
    """The part that a text takes in one run, of how many, and whether the part is written out."""
    full = _filled(text, run)
    for line in full.split("\n"):
        if (found := PART_OF.search(line)) is not None:
            yield int(found[1]), int(found[2]), found[0] in text
        elif (part := PART.search(line)) is not None and (total := PARTS.search(line)) is not None:
            yield _one(part), _one(total), part[0] in text
    rest = "\n".join(line for line in full.split("\n") if not (PART.search(line) and PARTS.search(line)))
    part, total = PART.search(rest), PARTS.search(rest)
    if part is not None and total is not None:
        yield _one(part), _one(total), part[0] in text


def _one(match: re.Match[str]) -> int:
    return int(next(filter(None, match.groups())))


def _filled(text: str, run: Run) -> str:
    """With the values of what it names, as far as they are known."""
    for _ in range(MOST_DEEP):
        text = SUM.sub(lambda match: str(int(match[1]) + int(f"{match[2]}{match[3]}")), NAMED.sub(_value(run), text))
    return text


def _value(run: Run) -> Callable[[re.Match[str]], str]:
    folded = {name.lower(): value for name, value in run.items()}

    def value(match: re.Match[str]) -> str:
        name = next(filter(None, match.groups()))
        return folded.get(name.lower(), match[0])

    return value
