"""Which environments tox runs when nobody names one.

Rule: where a list of environments is given, the checks of others do not run by themselves. Those that all environments
start from do as long as one that is listed runs any tests. A section may stand for several environments
(`testenv:lint-{ruff,docs}`); what it runs for some of them only (`ruff: ruff check`) must be for one that is listed.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping

from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

BASES = ("testenv", "env_run_base", "tool/tox/env_run_base")
LISTS = (("tox", "envlist"), ("tox", "env_list"), ("env_list",), ("tool", "tox", "env_list"))
GENERATED = later(r"\{([^{}]*)\}")
RANGE = later(r"(\d{1,6})-(\d{1,6})")
MOST = 10_000
ITEM = later(r"(?:\{[^{}]*\}|[^,\s{}])+")


def leave_out(collector: Collector, start: int, node: Node, conditions: Mapping[int, str]) -> None:
    """Marks what no environment that is listed runs, among the gates from `start` on.

    `conditions`: the parts of a name that a gate asks for, by the gate's index.
    """
    value = next((found for key in LISTS if (found := node.at(*key)) is not None), None)
    listed = {name for item in value.items for name in _names(canonical(item))} if value is not None else set()
    gates = collector.gates
    if not listed or not all(name.isprintable() and "{" not in name for name in listed):
        return
    sections = {_name("/".join(key[:-1])) for key in flat(node) if key[-1] == "commands"}
    with_commands = {name for section in sections for name in _names(section)}
    run = {name if name in with_commands else "" for name in listed}
    tested = any(gate.kind == "test" and _name(gate.slot) in run for gate in gates[start:])
    for index in range(start, len(gates)):
        name = _name(gates[index].slot)
        runs = any(each in run and _asked_for(conditions.get(index, ""), each) for each in _names(name) or [""])
        if not runs and (name or not tested):
            flaws = {**gates[index].flaws, "off": f"tox runs {cut(', '.join(sorted(listed)), 80)} only"}
            gates[index] = replace(gates[index], flaws=flaws)


def _name(section: str) -> str:
    """`py39` of `testenv:py39` and `env/py39`; empty for what all environments start from."""
    return "" if section in BASES else re.split(r"[:/]", section)[-1]


def _asked_for(condition: str, name: str) -> bool:
    """`py39-a,!b` holds for names with both parts `py39` and `a`, and for those without `b`."""
    parts = name.split("-")
    ways = (way.split("-") for way in _names(condition))
    return not condition or any(
        all((part.lstrip("!") in parts) != part.startswith("!") for part in way) for way in ways
    )


def _names(item: str) -> list[str]:
    """`py{38,39}-{a,b}` and `py3{8-11}` are four names; a list of more than anybody runs stays as it is written."""
    found: list[str] = []
    for name in ITEM.findall(item):
        parts = [_choices(part) if index % 2 else [part] for index, part in enumerate(GENERATED.split(name))]
        if math.prod(map(len, parts)) > MOST:
            return [item]
        found += ["".join(word.strip() for word in words) for words in itertools.product(*parts)]
    return found


def _choices(part: str) -> list[str]:
    """`9-11` is `9`, `10` and `11`."""
    found: list[str] = []
    for word in part.split(","):
        ends = RANGE.fullmatch(word.strip())
        first, last = sorted((int(ends[1]), int(ends[2]))) if ends is not None else (0, MOST)
        found += [word] if last - first >= MOST else map(str, range(first, last + 1))
    return found
