"""Which tasks of a Taskfile are passed over because they count as done.

Rules: a `status` whose commands always succeed says that there is nothing to do; so do `sources` that hold no code.
Other commands may say so. A task for `platforms` without Linux is passed over where most pipelines run.
"""

from __future__ import annotations

import re

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.shell.conditions import truth
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.side import Side
from ralph.guardrails.languages import language_of
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

DONE = later(r"(?:/bin/|/usr/bin/)?true|:|exit 0|(?:echo|printf)\b[^|&;]*|return 0")
EXISTS = later(r"(?:test|\[{1,2})\s+-[efdsr]\s+[\"']?(?:\./)?(?P<path>[\w./-]+?)/?[\"']?(?:\s*\]{1,2})?")


def pass_over(collector: Collector, start: int, node: Node, side: Side) -> None:
    """Marks the checks of such tasks among the gates from `start` on."""
    tasks = node.at("tasks")
    for name, task in tasks.mapping.items() if tasks is not None else ():
        flaws = _flaws(task, side)
        for index in range(start, len(collector.gates)) if flaws else ():
            gate = collector.gates[index]
            if f"{gate.slot}/".startswith(f"/tasks/{name}/"):
                collector.gates[index] = replace(gate, flaws={**gate.flaws, **flaws})


def _flaws(task: Node, side: Side) -> dict[Flaw, str]:
    status, sources, platforms = (_texts(task.at(key)) for key in ("status", "sources", "platforms"))
    if status and all(_succeeds(text, side) for text in status):
        return {"off": "its status says that it is always done"}
    if sources and not _holds_code(sources, side):
        return {"off": f"it runs only when {cut(', '.join(sources), 80)} changes"}
    if platforms and not any(text.startswith(("linux", "amd64", "arm64", "{")) for text in platforms):
        return {"run-if": f"it runs on {cut(', '.join(platforms), 80)} only"}
    return {"run-maybe": f"it counts as done if {cut(status[0], 80)}"} if status else {}


def _texts(node: Node | None) -> list[str]:
    return [canonical(item).strip() for item in node.items if not item.mapping] if node is not None else []


def _succeeds(text: str, side: Side) -> bool:
    if DONE.fullmatch(text):
        return True
    if match := EXISTS.fullmatch(text):
        return match["path"] in side.paths or match["path"] in side.directories
    script = Script(re.sub(r"^test\s+(.*)$", r"[ \1 ]", text))
    inside = script.root.named_children
    return len(inside) == 1 and inside[0].type == "test_command" and truth(script, inside[0], {}) is True


def _holds_code(patterns: list[str], side: Side) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    if any("{{" in pattern or ".." in pattern for pattern in wanted):
        return True
    code = [path for path in side.paths if language_of(path) is not None]
    return not code or any(covers(pattern, path, regex=False) for pattern in wanted for path in code)
