"""Makefiles that a change is about because they include what it changes: a recipe there may take another's place."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from ralph.guardrails.checks.reach import MAKEFILES
from ralph.guardrails.checks.readers import makesyntax
from ralph.guardrails.checks.readers.make import places
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

MAY_BE_INCLUDED = later(
    r"(?i)\.(?:mk|mak|make|inc|include|conf|config|local|env|d)$|(?:^|[._-])make(?:file)?\b|^\.env\b"
)
MOST = 200
"""Makefiles that are read for this."""


def including(changed: Iterable[str], before: Side, after: Side) -> dict[str, str]:
    """Makefiles that do not change themselves, and the changed file that each includes, on one side or both."""
    changed = set(changed)
    parts = {path for path in changed if MAY_BE_INCLUDED.search(posixpath.basename(path))}
    if not parts:
        return {}
    found: dict[str, str] = {}
    for side in (after, before):
        makefiles = sorted(path for name in MAKEFILES for path in side.by_name.get(name, ()))[:MOST]
        for makefile in (path for path in makefiles if path not in changed and path not in found):
            if (part := _included(makefile, parts, side)) is not None:
                found[makefile] = part
    return found


def _included(makefile: str, parts: set[str], side: Side) -> str | None:
    """The first of these files that a Makefile includes, itself or through others."""
    text = side.text(makefile) or ""
    if not re.search(r"(?m)^[-s]?include\b", text):
        return None
    seen: list[str] = []

    def texts(name: str) -> Iterable[str]:
        fresh = [path for path in places(side, makefile, name) if path not in seen]
        seen.extend(fresh)
        return [side.text(path) or "" for path in fresh]

    makesyntax.parse(text, texts)
    return next((path for path in seen if path in parts), None)
