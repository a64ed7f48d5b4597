"""Suppressions on single lines of what the configuration left out for all of them before (policy set v2, class G01).

Rule: a comment that names codes takes nothing away where the base's configuration told the tool, for the same file, not
to ask for any of them, and the head's no longer does: mypy's codes and missing imports, rules of ruff and flake8.
What no configuration of the base spoke of counts as asked for.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import truth, words
from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.guardrails.config.tools.mypy import MYPY
from ralph.guardrails.config.tools.ruff import FLAKE8, RUFF, asks_for
from ralph.guardrails.model import Change, Hit

IMPORTS = frozenset({"import", "import-not-found", "import-untyped"})
NEUTRAL = frozenset({"unused-ignore"})
"""It hides nothing but that the comment is not needed."""


def still_asked(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits without those that only narrow what was left out before."""
    blobs = change.blobs
    sides = (Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after()))
    for hit in hits:
        if hit.rule not in ("py.type-ignore", "py.noqa") or hit.key in ("type: ignore", "noqa"):
            yield hit
            continue
        codes = frozenset(hit.key.rpartition(" ")[2].split(","))
        silent = _silent_for_mypy if hit.rule == "py.type-ignore" else _silent_for_linters
        was, now = (silent(side, hit.path, codes) for side in sides)
        if not (was and codes - NEUTRAL <= was and codes.isdisjoint(now)):
            yield hit


def _silent_for_mypy(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    """Which of the codes mypy does not tell of in any file."""
    settings = _settings(MYPY, side, path)
    if settings is None:
        return frozenset()
    off = {canonical(word) for word in words(settings.get(("disable_error_code",)))}
    imports = IMPORTS if truth(settings.get(("ignore_missing_imports",)), default=False) else frozenset()
    return codes & (off | imports)


def _silent_for_linters(side: Side, path: str, codes: frozenset[str]) -> frozenset[str]:
    """Which of the codes no linter with a configuration asks for in this file."""
    units = [(tool.name, settings) for tool in (RUFF, FLAKE8) if (settings := _settings(tool, side, path)) is not None]
    if not units:
        return frozenset()
    return frozenset(code for code in codes if not any(asks_for(name, said, code, path) for name, said in units))


def _settings(tool: Tool, side: Side, path: str) -> Settings | None:
    """What holds for a file: the configuration of the nearest folder above it."""
    units: Mapping[str, Unit] = tool.find_units(side)
    folder = posixpath.dirname(path)
    while folder and folder not in units:
        folder = posixpath.dirname(folder)
    return units[folder].settings if folder in units else None
