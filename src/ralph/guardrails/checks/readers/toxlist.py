"""Which environments tox runs when nobody names one.

Rule: where a list of environments is given, the checks of others do not run by themselves. Those that all environments
start from do as long as one that is listed runs any tests.
"""

from __future__ import annotations

import itertools
import math
import re

from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.record import replace
from ralph.system.patterns import later

BASES = ("testenv", "env_run_base", "tool/tox/env_run_base")
LISTS = (("tox", "envlist"), ("tox", "env_list"), ("env_list",), ("tool", "tox", "env_list"))
GENERATED = later(r"\{([^{}]*)\}")
MOST = 10_000
ITEM = later(r"(?:\{[^{}]*\}|[^,\s{}])+")


def leave_out(collector: Collector, start: int, node: Node) -> None:
    """Marks what no environment that is listed runs, among the gates from `start` on."""
    value = next((found for key in LISTS if (found := node.at(*key)) is not None), None)
    listed = {name for item in value.items for name in _names(canonical(item))} if value is not None else set()
    gates = collector.gates
    if not listed or not all(name.isprintable() and "{" not in name for name in listed):
        return
    with_commands = {_name("/".join(key[:-1])) for key in flat(node) if key[-1] == "commands"}
    run = {name if name in with_commands else "" for name in listed}
    tested = any(gate.kind == "test" and _name(gate.slot) in run for gate in gates[start:])
    for index in range(start, len(gates)):
        name = _name(gates[index].slot)
        if name not in run and (name or not tested):
            flaws = {**gates[index].flaws, "off": f"tox runs {', '.join(sorted(listed))[:80]} only"}
            gates[index] = replace(gates[index], flaws=flaws)


def _name(section: str) -> str:
    """`py39` of `testenv:py39` and `env/py39`; empty for what all environments start from."""
    return "" if section in BASES else re.split(r"[:/]", section)[-1]


def _names(item: str) -> list[str]:
    """`py{38,39}-{a,b}` is four names; a list of more than anybody runs stays as it is written."""
    found: list[str] = []
    for name in ITEM.findall(item):
        parts = [part.split(",") if index % 2 else [part] for index, part in enumerate(GENERATED.split(name))]
        if math.prod(map(len, parts)) > MOST:
            return [item]
        found += ["".join(word.strip() for word in words) for words in itertools.product(*parts)]
    return found
