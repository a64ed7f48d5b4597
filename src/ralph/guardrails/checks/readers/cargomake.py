"""The tasks of cargo-make (`Makefile.toml`): a program with its words, or a script; `ignore_errors` lets them fail.

And the aliases of Cargo itself (`.cargo/config.toml`): other words of its own.
"""

from __future__ import annotations

from ralph.guardrails.checks.failures.judged import LOST, Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.config.node import Node, canonical


def tasks(collector: Collector, node: Node) -> None:
    table = node.at("tasks")
    for name, task in table.mapping.items() if table is not None else ():
        flaws = _flaws(task)
        program, words, script = task.at("command"), task.at("args"), task.at("script")
        if program is not None and isinstance(program.value, str):
            text = " ".join((program.text, *(canonical(word) for word in (words.items if words is not None else ()))))
            collector.text(text, program.line, f"tasks/{name}", Shell(named=is_named(name)), flaws)
        if script is not None and script.items:
            lines = "\n".join(canonical(line) for line in script.items)
            collector.text(lines, script.line, f"tasks/{name}", Shell(errexit=True, named=is_named(name)), flaws)


def aliases(collector: Collector, node: Node) -> None:
    """What `cargo NAME` comes to."""
    table = node.at("alias")
    for name, words in table.mapping.items() if table is not None else ():
        text = " ".join(canonical(word) for word in words.items)
        collector.text(f"cargo {text}", words.line, f"alias/{name}", Shell(named=is_named(name)))


def _flaws(task: Node) -> dict[Flaw, str]:
    found: dict[Flaw, str] = {}
    if _is_true(task.at("ignore_errors")):
        found["lost"] = LOST
    if _is_true(task.at("disabled")):
        found["off"] = "disabled keeps it from running"
    return found


def _is_true(node: Node | None) -> bool:
    return node is not None and canonical(node).lower() == "true"
