"""The features that a `Cargo.toml` defines, and those that are on where nobody asks."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping


def features(text: str | None) -> Mapping[str, tuple[str, ...]]:
    """Each feature with what it turns on; none for a manifest that cannot be read."""
    try:
        defined = tomllib.loads(text or "").get("features", {})
    except tomllib.TOMLDecodeError:
        return {}
    listed = defined.items() if isinstance(defined, dict) else ()
    return {name: tuple(map(str, others)) if isinstance(others, list) else () for name, others in listed}


def on_by_default(defined: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = ["default"]
    while waiting:
        name = waiting.pop()
        if name in defined and name not in found:
            found.add(name)
            waiting += defined[name]
    return frozenset(found)
