"""The hooks in the settings of a coding agent, and which of them check (see `agent_settings`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.shell.outline import outline
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.node import Node, canonical
from ralph.record import record
from ralph.system.patterns import later

COMMANDS = ("command", "bash", "powershell", "run", "prompt", "url")
TELLS_ONLY = later(
    r"(?i)session_?start|session_?end|notification|pre_?compact|post_?compact|instructionsloaded|worktree|setup"
)
"""Events whose hooks keep nothing from happening."""
SCRIPT = later(r"(?:^|[\s\"'/])(?P<name>[\w.-]+\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|ps1))\b")
CHECKS = later(
    r"(?i)\b(?:lint|tests?|checks?|verify|validate|guard|gate|block|deny|enforce|typecheck|type-check|tsc|audit|scan|review)\b"
    r"|--check\b|exit 2\b|\bgrep\b.*(?:exit|&&|\|\|)|\"decision\"|permissionDecision"
)
OTHER_WORK = later(
    r"(?i)^\W*(?:say|echo|printf|osascript|notify-send|terminal-notifier|afplay|paplay|tee|date|cat|logger|curl|code|open)\b"
    r"|notif|\blog(?:ger|ging|s)?\b|sound|telemetry|metrics|format|fmt\b|prettier\b(?!.*--check)|--fix\b|--write\b|backup|statusline"
)
IDLE = later(r"^\s*(?:#|echo\b|printf\b|:|true\b|cat\b|exit 0)|--(?:help|version)\b")
KINDS = frozenset(("command", "prompt", "agent", "http", "mcp_tool", "runCommand", "askAgent"))
ON_DEMAND = later(
    r"(?:\bif\s+(?:\[\[?|test)|\[\[?|\btest)\s+[^\]&|;]*\$\{?(?!CLAUDE|CURSOR|GEMINI|HOME|PWD)(?P<name>[A-Z][A-Z0-9_]+)"
)
LOST = later(
    r"(?:\|\||;|&&|\n)\s*(?:true|:|exit 0|exit 1|echo\b[^|;&]*|/bin/true)\s*$|\|\|\s*(?:true|:|exit 0)\b"
    r"|(?<!&)&\s*$"
    r"|\bexit 0\s*$|\|\s*(?:tee|cat|head|tail)\b[^|]*$|^\s*!\s|\|\|\s*echo\b[^;&|]*$"
)


@record
class Hook:
    event: str
    matcher: str
    command: str
    path: str
    line: int
    is_async: bool

    @property
    def tools(self) -> frozenset[str]:
        """The tools that it is for; empty for all."""
        return frozenset() if self.matcher in ("", "*", ".*") else frozenset(self.matcher.split("|"))

    @property
    def blocks(self) -> bool:
        return re.search(r"exit 2\b", self.command) is not None


def hooks_of(root: Node) -> Iterator[Hook]:
    table = root.at("hooks") or root.at("hook")
    for event, node in table.mapping.items() if table else ():
        yield from _below(node, event, "")


def _below(node: Node, event: str, matcher: str) -> Iterator[Hook]:
    if _is_no_hook(node):
        return
    found = node.at("matcher")
    matcher = canonical(found) if found is not None else matcher
    for name in COMMANDS:
        command = node.at(name)
        if command is not None and not command.mapping:
            text = " ".join(canonical(item) for item in command.items)
            yield Hook(event, matcher, text, node.path, command.line, _is_late(node))
    if isinstance(node.value, list):
        for item in node.value:
            if isinstance(item.value, str):
                yield Hook(event, matcher, item.value, item.path, item.line, False)
            else:
                yield from _below(item, event, matcher)
    for key, value in node.mapping.items():
        if key not in COMMANDS and isinstance(value.value, dict | list) and key not in ("args", "env"):
            yield from _below(value, event, matcher)


def _is_no_hook(node: Node) -> bool:
    """It is switched off, or of a kind that no agent runs."""
    kind, on, off = node.at("type"), node.at("enabled"), node.at("disabled")
    unknown = kind is not None and canonical(kind) not in KINDS
    return unknown or (on is not None and on.value is False) or (off is not None and off.value is True)


def _is_late(node: Node) -> bool:
    """Nobody waits for its end."""
    late, limit = node.at("async"), node.at("timeout")
    return (late is not None and late.value is True) or (limit is not None and limit.value in (0, 1))


def gates(hook: Hook) -> bool:
    """It is run where its answer counts, and runs something that has one."""
    if TELLS_ONLY.search(hook.event) or not hook.command.strip():
        return False
    if _checks(hook.command):
        return True
    if IDLE.search(hook.command):
        return False
    if CHECKS.search(hook.command):
        return True
    script = SCRIPT.search(hook.command)
    return script is not None and not OTHER_WORK.search(hook.command)


def is_unheard(hook: Hook) -> bool:
    return hook.is_async or LOST.search(hook.command) is not None


def programs(command: str) -> frozenset[str]:
    """What a command runs that checks: its tools, scripts and the names of scripts of a package."""
    scripts = {f"script {match['name']}" for match in SCRIPT.finditer(command)}
    return frozenset((*scripts, *(" ".join(words[:3]) for words in _checks(command))))


def _checks(command: str) -> list[tuple[str, ...]]:
    return [check.words for _, check in outline(Script(command), {}).places() if check.certain]


def is_off(root: Node) -> Iterator[Node]:
    """The settings by which an agent runs no hooks at all."""
    for keys, off in (
        (("disableAllHooks",), "true"),
        (("hooks", "disabled"), ""),
        (("hooks", "enabled"), "false"),
        (("hooksConfig", "enabled"), "false"),
        (("hooksConfig", "disabled"), ""),
        (("tools", "enableHooks"), "false"),
        (("features", "hooks"), "false"),
        (("features", "codex_hooks"), "false"),
    ):
        node = root.at(*keys)
        if node is not None and (
            canonical(node).lower() == off or (not off and node.items and node.value is not False)
        ):
            yield node
