"""Tasks that are known to check nothing: what calls one stands for no check that is gone (policy set v2, class G04).

Rule: a table of scripts or tasks (pyproject.toml, pixi.toml, package.json and their like) has the name, and all that it
does is to say something, or nothing: `types = "echo fine"`, `lint: true`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.config.node import Node, canonical, flat
from ralph.system.patterns import later

HOLD_TASKS = frozenset({"scripts", "tasks"})
SAID_APART = frozenset({"cmd", "shell", "run"})
"""Words behind the name of a task, for what it does."""
IDLE = later(r"\s*(?:(?:/bin/)?(?:echo|printf|true|:)(?![\w-])[^|&;`$]*|exit 0\s*)")


def is_idle(name: str, tables: Iterable[Node]) -> bool:
    """Every task of that name in the files is."""
    told = [canonical(value) for table in tables for key, value in flat(table).items() if _is_of(key, name)]
    return bool(told) and all(IDLE.fullmatch(text) for text in told)


def _is_of(key: tuple[str, ...], name: str) -> bool:
    own = key[:-1] if len(key) > 1 and key[-1] in SAID_APART and key[-2] == name else key
    return own[-1] == name and not HOLD_TASKS.isdisjoint(own[:-1])
