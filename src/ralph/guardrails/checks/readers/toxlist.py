"""Which environments tox runs when nobody names one.

Rule: where a list of environments is given, the checks of others do not run by themselves. Those that all environments
start from do as long as one that is listed runs any tests; one for a part of a name (`full: pytest`) must find it in
one that is listed. A section may stand for several environments (`testenv:lint-{ruff,docs}`); what it runs for some of
them only (`ruff: ruff check`) must be for one that is listed. One that a file of a CI system asks for by its name (`tox
-e lint`) does not need the list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.node import Node, flat
from ralph.guardrails.config.python_tasks.tox_lists import is_asked_for, listed_in, names_in
from ralph.guardrails.config.side import Side
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

ASKED = later(r"(?<![\w./-])tox[ \t](?:[^\n#|;&]*[ \t])?(?:-e[ \t]*|--env[= \t])([\w.,{}-]+)(?=[\s\"']|$)")
COMMENT = later(r"(?m)^\s*#.*$")
BASES = ("testenv", "env_run_base", "tool/tox/env_run_base")


def leave_out(collector: Collector, start: int, node: Node, conditions: Mapping[int, str], side: Side) -> None:
    """Marks what no environment that is listed runs, among the gates from `start` on.

    `conditions`: the parts of a name that a gate asks for, by the gate's index.
    """
    listed = listed_in(node)
    gates = collector.gates
    if not listed or not all(name.isprintable() and "{" not in name for name in listed):
        return
    sections = {_name("/".join(key[:-1])) for key in flat(node) if key[-1] == "commands"}
    with_commands = {name for section in sections for name in names_in(section)}
    run = {name if name in with_commands else "" for name in listed}
    tested = any(gate.kind == "test" and _name(gate.slot) in run for gate in gates[start:])
    asked: set[str] | None = None
    heirs = listed - with_commands
    for index in range(start, len(gates)):
        name, condition = _name(gates[index].slot), conditions.get(index, "")
        runs = any(is_asked_for(condition, each) for each in (run.intersection(names_in(name)) if name else heirs))
        if not runs and (name or condition or not tested):
            asked = _asked_in_ci(side) if asked is None else asked
            own = asked.intersection(names_in(name)) if name else asked if condition else ()
            if any(is_asked_for(condition, each) for each in own) or (condition and _is_said_in_ci(condition, side)):
                continue
            flaws = {**gates[index].flaws, "off": f"tox runs {cut(', '.join(sorted(listed)), 80)} only"}
            gates[index] = replace(gates[index], flaws=flaws)


def _asked_in_ci(side: Side) -> set[str]:
    texts = (side.text(path) or "" for path in side.paths if is_ci_file(path))
    found = (match[1] for text in texts if "tox" in text for match in ASKED.finditer(COMMENT.sub("", text)))
    return {name for listed in found for name in names_in(listed)}


def _is_said_in_ci(condition: str, side: Side) -> bool:
    """A part that the condition wants stands in a file of a CI system, which may put names together of it."""
    wanted = [part for way in names_in(condition) for part in way.split("-") if part and not part.startswith("!")]
    words = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, wanted))})(?![\w.])") if wanted else None
    texts = (side.text(path) or "" for path in side.paths if is_ci_file(path)) if words is not None else ()
    return any("tox" in text and words.search(COMMENT.sub("", text)) for text in texts if words is not None)


def _name(section: str) -> str:
    """`py39` of `testenv:py39` and `env/py39`; empty for what all environments start from."""
    return "" if section in BASES else re.split(r"[:/]", section)[-1]
