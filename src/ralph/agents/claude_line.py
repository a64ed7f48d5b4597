"""How Claude Code is started: its program, its arguments and its environment.

Rules (research: agent clients, 1.1, 1.4 and 1.5; design decisions 25, 33 and 35):

- Nothing of a project's or a person's settings is read, so no hook, permission or server of theirs takes part. The
  login is the person's own: it comes from the client's own home and the environment.
- Only the tools of the turn's capabilities are offered, none without a hook's answer runs (`dontAsk`), and nothing runs
  in the background. Questions to a person are never offered: nobody sits at a client that Ralph started.
- Of the variables that a surrounding Claude Code leaves to its children only those reach the client that say how the
  person reaches the model. Ralph's servers on 127.0.0.1 are never asked for through a proxy.
- The prompt comes by standard input and is taken as it is: no `/command` in it is run, no `@file` is read.
- `--max-budget-usd` is looked at between calls of the model: it is overshot by at most one of them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from ralph.agents.base import Turn
from ralph.permissions.capabilities import Capabilities

RETRIES = "4"
"""Of a call of the model, by the client: about 10 seconds. The loop knows better what to do with a longer trouble."""
PATIENCE_MS = str(24 * 3600 * 1000)
"""How long a tool of Ralph's may take: a person may have to be asked."""

_PERSONS = re.compile(
    r"CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:OAUTH_TOKEN|API_KEY_HELPER_TTL_MS|CLIENT_CERT|CLIENT_KEY|CLIENT_KEY_PASSPHRASE"
    r"|CERT_STORE|USE_(?:BEDROCK|VERTEX|FOUNDRY|MANTLE|GATEWAY|ANTHROPIC_AWS|ANTHROPIC_GOOGLE_CLOUD)|SKIP_[A-Z_]+_AUTH"
    r"|MAX_RETRIES|MAX_OUTPUT_TOKENS|EFFORT_LEVEL|SUBAGENT_MODEL|EXTRA_BODY|DISABLE_EXPERIMENTAL_BETAS"
    r"|DISABLE_NONESSENTIAL_TRAFFIC|PROXY_RESOLVES_HOSTS)"
)
"""Of the client's own variables, those that say how the person reaches the model."""
_DEFAULTS = {"CLAUDE_CODE_MAX_RETRIES": RETRIES, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
_OURS = {
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "DISABLE_AUTOUPDATER": "1",
    "ENABLE_TOOL_SEARCH": "false",
    "MCP_TOOL_TIMEOUT": PATIENCE_MS,
    "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT": PATIENCE_MS,
    "CLAUDE_CODE_SDK_MCP_TOOL_IDLE_TIMEOUT": PATIENCE_MS,
}
_LOCAL = ("127.0.0.1", "localhost")


def offered(capabilities: Capabilities) -> tuple[str, ...]:
    """The client's own tools that a turn may use."""
    groups = (
        (capabilities.read, ("Read", "Glob", "Grep")),
        (capabilities.write != (), ("Write", "Edit", "NotebookEdit")),
        (capabilities.shell, ("Bash",)),
        (capabilities.web, ("WebSearch", "WebFetch")),
        (capabilities.delegate, ("Agent", "Task")),  # its newer and its older name
        (True, ("TodoWrite",)),
    )
    return tuple(name for wanted, names in groups if wanted for name in names)


def arguments(turn: Turn, *, mcp_config: str | None = None, settings: str | None = None) -> list[str]:
    """What stands behind the program's name. Both settings are JSON, or the path of a file that holds it."""
    line = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    line += ["--setting-sources=", "--strict-mcp-config", "--permission-mode", "dontAsk"]
    line += ["--tools", ",".join(offered(turn.capabilities))]
    if settings:
        line += ["--settings", settings]
    if mcp_config:
        line += ["--mcp-config", mcp_config]
    if turn.model:
        line.append(f"--model={turn.model}")
    if turn.limits.steps is not None:
        line += ["--max-turns", str(turn.limits.steps)]
    if turn.limits.cost_usd is not None:
        line += ["--max-budget-usd", f"{turn.limits.cost_usd:.6f}"]
    if turn.session:
        line.append(f"--resume={turn.session}")
    return line


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """The client's environment, whole."""
    kept = {name: value for name, value in given.items() if not name.startswith("CLAUDE") or _PERSONS.fullmatch(name)}
    direct = dict.fromkeys(("NO_PROXY", "no_proxy"), _no_proxy(given))
    return {**_DEFAULTS, **kept, **direct, **_OURS}


def message(prompt: str) -> bytes:
    """The prompt as the client reads it."""
    content = prompt.encode("utf-8", "replace").decode()
    said = {"type": "user", "client_composed": True, "message": {"role": "user", "content": content}}
    return json.dumps({**said, "parent_tool_use_id": None, "session_id": ""}).encode("ascii") + b"\n"


def interruption() -> bytes:
    """What has the client end its turn by itself, and say what it cost."""
    request = {"type": "control_request", "request_id": "ralph-interrupt", "request": {"subtype": "interrupt"}}
    return json.dumps(request).encode("ascii") + b"\n"


def bundled() -> Path | None:
    """The program that comes with the package `claude-agent-sdk`; the package itself is not imported."""
    found = importlib.util.find_spec("claude_agent_sdk")
    folder = Path(found.origin).parent if found and found.origin else None
    program = folder / "_bundled" / "claude" if folder else None
    return program if program and os.access(program, os.X_OK) else None


def on_path(turn: Turn) -> Path | None:
    """The person's own `claude`. One that lies in the project is the agent's making, and is not taken."""
    root = turn.workdir.resolve()
    for folder in turn.env.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("claude", path=folder) if folder.startswith("/") else None
        if found and not Path(found).is_relative_to(root) and not Path(found).resolve().is_relative_to(root):
            return Path(found)
    return None


def _no_proxy(given: Mapping[str, str]) -> str:
    named = given.get("NO_PROXY") or given.get("no_proxy") or ""
    present = [each.strip() for each in named.split(",") if each.strip()]
    return ",".join([*present, *(each for each in _LOCAL if each not in present)])
