"""The `Cargo.toml` of a package, the features that it defines, and those that are on where nobody asks."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Container, Mapping


def manifest_of(path: str, paths: Container[str]) -> str | None:
    """That of the nearest folder above, if there is one."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        if (manifest := posixpath.join(folder, "Cargo.toml")) in paths:
            return manifest
    return None


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
