"""Tests that product files bring along, and that Vitest no longer looks for (policy set v2, class G09).

    includeSource: ["src/**/*.ts"],  // without it, `if (import.meta.vitest)` is never so

Rule, for a configuration of the base that names such files: one that has its tests still, and that the base's
configuration held, must be held by the head's. Where the tests moved to files of their own, nothing is lost.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import after, before
from ralph.guardrails.javascript.layout import IN_SOURCE, IN_SOURCES, is_collected, is_test_file
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

CONFIGS = later(r"(?:^|/)vite(?:st)?\.config\.[cm]?[jt]s$")
LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
MOST_FILES = 3000


def in_sources(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if CONFIGS.search(file.path) and IN_SOURCES in (change.blobs.before(file.path) or b""):
            lost = next(_lost(file, change), None)
            if lost is not None:
                line, text = _place(file)
                yield hit_at("cfg.test.collection", file.path, line, f"no longer holds the tests in {lost}", text)


def _lost(file: FileChange, change: Change) -> Iterator[str]:
    """The files whose tests are still there."""
    sides = before(change), after(change)
    folder = posixpath.dirname(file.path)
    start = f"{folder}/" if folder else ""
    near = (path for path in sorted(sides[1].all()) if path.startswith(start) and language_of(path) in LANGUAGES)
    for path in [path for path in near if not is_test_file(path) and "node_modules/" not in path][:MOST_FILES]:
        was, now = (side.read(path) or b"" for side in sides)
        held = IN_SOURCE in was and IN_SOURCE in now and is_collected(path, sides[0], was)
        if held and not is_collected(path, sides[1], now):
            yield path


def _place(file: FileChange) -> tuple[int, str]:
    """Where the list was, or what stands in its place."""
    lines = [(hunk.new_start, line) for hunk in file.hunks for line in hunk.removed if IN_SOURCES in line]
    number, line = lines[0] if lines else (1, b"")
    return next((at for at, text in file.added() if IN_SOURCES in text), max(number, 1)), line.decode().strip()
