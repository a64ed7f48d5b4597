"""The home that Codex gets for a run: its settings, its hooks, its sessions (design decisions 25, 33 and 35).

Rules (research: agent clients, 2):

- It lies in the run's folder, where no agent may write. Nothing is written into the person's own Codex home; the login
  is a link to it, through which Codex itself renews what expires.
- Of the person's settings only those count that say which model answers, and how it is reached. Their servers, hooks,
  rules and notifications take no part; nor does what a project brings, which counts as not trusted.
- The hook is asked before every tool, and belongs to one turn by the environment. What Codex cannot ask about is not
  offered: subagents, searches by the provider, apps, plugins, pictures that are made.
- Codex reads and writes files by commands and patches alone, so it is offered a shell in every phase that may read;
  which commands run there is the court's to say. They run in Ralph's sandbox, which cannot be built inside Codex's own:
  that one is off, and stands as a second wall only where nothing may be read.
- A secret that stands in the person's settings is not copied: a provider that needs one names a variable.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ralph.agents.base import Turn
from ralph.errors import ConfigError
from ralph.hook.court import TurnCourt
from ralph.hook.settings import codex_snippet
from ralph.mcp.serve import NAME, Address
from ralph.system import files

TOKEN = "RALPH_MCP_TOKEN"
"""The variable that holds the token of Ralph's server."""
MODEL_KEYS = frozenset(
    {"model", "model_provider", "model_reasoning_effort", "model_reasoning_summary", "model_verbosity"}
    | {"model_context_window", "model_max_output_tokens", "model_auto_compact_token_limit", "service_tier"}
    | {"forced_login_method", "forced_chatgpt_workspace_id", "chatgpt_base_url", "openai_base_url"}
)
SECRET_KEYS = ("experimental_bearer_token", "http_headers", "auth")
OFF = (
    *("multi_agent", "apps", "plugins", "image_generation", "memories", "goals", "tool_suggest", "skill_search"),
    *("skill_mcp_dependency_install", "shell_snapshot", "unbounded_connection_retries", "computer_use", "browser_use"),
    *("browser_use_external", "in_app_browser", "in_app_local_automation", "remote_plugin", "daemon_auto_start"),
)
_PATIENCE_S = 24 * 3600
"""How long a tool of Ralph's may take: a person may have to be asked."""
_IN_COMMANDS = ("RALPH_RUN", "RALPH_TOKEN")
"""Codex keeps variables from commands whose names sound like secrets; these two are the turn's own."""


def prepare(home: Path, turn: Turn, court: TurnCourt, tools: Address) -> None:
    """Write the home for this turn. Raises StorageError, ConfigError, OSError."""
    theirs = _theirs(turn.env)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    link = home / "auth.json"
    if not link.is_symlink():
        link.symlink_to(theirs / "auth.json")
    settings = {**_persons(theirs / "config.toml"), **_ours(turn, court, tools)}
    lines = [f"{key} = {_value(value)}" for key, value in settings.items()]
    files.atomic_write(home / "config.toml", "\n".join([*lines, ""]).encode())
    files.atomic_write(home / "hooks.json", codex_snippet(int(court.wait_s)).encode())


def _ours(turn: Turn, court: TurnCourt, tools: Address) -> dict[str, object]:
    may = turn.capabilities
    runs = may.shell or may.read
    server = f"mcp_servers.{NAME}"
    return {
        **({"model": turn.model} if turn.model else {}),
        "approval_policy": "never",
        "sandbox_mode": "danger-full-access" if runs else "workspace-write",
        "check_for_update_on_startup": False,
        "web_search": "disabled",
        "analytics.enabled": False,
        "feedback.enabled": False,
        "history.persistence": "none",
        "skills.bundled.enabled": False,
        "cli_auth_credentials_store": "file",
        **{f"features.{name}": False for name in OFF},
        "features.hooks": True,
        "features.shell_tool": runs,
        f"projects.{_value(str(court.root))}.trust_level": "untrusted",
        f"{server}.url": tools.url,
        f"{server}.bearer_token_env_var": TOKEN,
        f"{server}.required": True,
        f"{server}.default_tools_approval_mode": "approve",
        f"{server}.tool_timeout_sec": _PATIENCE_S,
        **{f"shell_environment_policy.set.{name}": turn.env[name] for name in _IN_COMMANDS if name in turn.env},
    }


def _theirs(env: Mapping[str, str]) -> Path:
    """The person's own Codex home."""
    return Path(env.get("CODEX_HOME") or Path(env.get("HOME") or Path.home(), ".codex"))


def _persons(place: Path) -> dict[str, object]:
    """Which model answers, as the person set it. Raises ConfigError."""
    try:
        settings = tomllib.loads(place.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{place} cannot be read ({error}): correct it, or let Codex write it anew.") from None
    kept = {key: value for key, value in settings.items() if key in MODEL_KEYS}
    name, providers = settings.get("model_provider"), settings.get("model_providers")
    provider = providers.get(name) if isinstance(providers, dict) else None
    if isinstance(name, str) and isinstance(provider, dict):
        for key in SECRET_KEYS:
            if key in provider:
                raise ConfigError(
                    f"{place}: model_providers.{name}.{key} holds a secret, which Ralph does not copy: name a variable "
                    "that holds it (env_key or env_http_headers)."
                )
        kept |= dict(_flat(f"model_providers.{_value(name)}", provider))
    return kept


def _flat(above: str, table: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        place = f"{above}.{_value(key)}"
        if isinstance(value, dict):
            yield from _flat(place, value)
        else:
            yield place, value


def _value(value: object) -> str:
    """A value as TOML has it, which is as JSON has it but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def environment(turn: Turn, court: TurnCourt, home: Path, tools: Address, temporary: Path) -> dict[str, str]:
    """Codex's environment, whole. Its folder for temporary files must not lie around its home."""
    kept = {name: value for name, value in turn.env.items() if not name.startswith("CODEX_") or name in _LOGIN}
    given = turn.env.get("NO_PROXY") or turn.env.get("no_proxy") or ""
    direct = ",".join(dict.fromkeys(filter(None, (*map(str.strip, given.split(",")), "127.0.0.1", "localhost"))))
    ours = {"CODEX_HOME": str(home), "TMPDIR": str(temporary), TOKEN: tools.token}
    return {**kept, "NO_PROXY": direct, "no_proxy": direct, **ours, **court.environment()}


_LOGIN = frozenset({"CODEX_API_KEY", "CODEX_CA_CERTIFICATE"})


def rollout(home: Path, session: str) -> Path | None:
    """Where Codex writes down what happens in a session, once it does."""
    found = sorted((home / "sessions").glob(f"*/*/*/rollout-*-{session}.jsonl"), key=os.fspath)
    return found[-1] if found else None
