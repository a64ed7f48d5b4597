"""The entries that make agent clients ask Ralph (design decisions 24 and 35).

Rules:

- Claude Code's is written into the project's `.claude/settings.json`; everything else in that file, and its order,
  stays. A file that cannot be read to the letter is left alone.
- Codex keeps its hooks in its own home, where Ralph writes nothing: its entry is shown, for a person to put there.
- The command names this very interpreter, and no module is looked for in the project. It ends in `|| exit 2`, and the
  entry says `onFailure: block`: a client lets a tool run when its hook dies in any other way.
- The client waits a minute longer than Ralph waits for a person: a hook that is too slow may count as an approval.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from shlex import quote
from typing import Any

from ralph.errors import ConfigError
from ralph.system import files

CLAUDE_SETTINGS = Path(".claude", "settings.json")
_LOCAL = Path(".claude", "settings.local.json")
_MARGIN_S = 60
_EVENTS = ("SessionStart", "PreToolUse")


def command(client: str, wait_s: int) -> str:
    """The shell line of a hook."""
    return f"{quote(sys.executable)} -EP -m ralph hook {client} --wait {wait_s} || exit 2"


def install(root: Path, wait_s: int) -> bool:
    """Write the entry for Claude Code; False if it stood there already. Raises ConfigError, StorageError."""
    place = root / CLAUDE_SETTINGS
    for name in (CLAUDE_SETTINGS, _LOCAL):
        if _read(root / name).get("disableAllHooks"):
            raise ConfigError(f"{name} sets disableAllHooks, so Claude Code would never ask Ralph: remove it there.")
    settings = _read(place)
    if not _merge(settings, _claude_entry(wait_s), place):
        return False
    files.atomic_write(place, json.dumps(settings, indent=2, ensure_ascii=False).encode() + b"\n")
    return True


def codex_snippet(wait_s: int) -> str:
    """What belongs into `hooks.json` of Codex's home."""
    entry = {"matcher": "*", "hooks": [_handler("codex", wait_s)]}
    return json.dumps({"hooks": {event: [entry] for event in _EVENTS}}, indent=2)


def _claude_entry(wait_s: int) -> dict[str, Any]:
    return {"matcher": "*", "hooks": [{**_handler("claude", wait_s), "onFailure": "block"}]}


def _handler(client: str, wait_s: int) -> dict[str, Any]:
    return {"type": "command", "command": command(client, wait_s), "timeout": wait_s + _MARGIN_S}


def _merge(settings: dict[str, Any], entry: dict[str, Any], place: Path) -> bool:
    """Put the entry where an older one of Ralph's stands, else behind the others. False if nothing changed."""
    hooks = settings.setdefault("hooks", {})
    entries = hooks.setdefault("PreToolUse", []) if isinstance(hooks, dict) else None
    if not isinstance(entries, list):
        raise ConfigError(f"{place}: `hooks` does not have the form that Claude Code reads; correct it first.")
    ours = [number for number, each in enumerate(entries) if "ralph hook claude" in json.dumps(each)]
    if [entries[number] for number in ours] == [entry]:
        return False
    for number in reversed(ours[1:]):
        del entries[number]
    if ours:
        entries[ours[0]] = entry
    else:
        entries.append(entry)
    return True


def _read(place: Path) -> dict[str, Any]:
    try:
        data = files.read_bytes(place)
    except FileNotFoundError:
        return {}
    try:
        settings = files.parse_json(data) if data.strip() else {}
    except ValueError as error:
        raise ConfigError(f"{place} is not JSON ({error}), and was left as it is: correct it first.") from None
    if not isinstance(settings, dict):
        raise ConfigError(f"{place} must hold a JSON object, and was left as it is: correct it first.")
    return settings
