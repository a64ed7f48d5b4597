"""Plugins of the change itself that pytest's configuration loads by name (`addopts = -p reports`, class G08).

Rule: if such a plugin decides what the test run says, the line that loads it is told of beside the plugin: without it
the plugin does nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.python.runner.hooks import hook_hits
from ralph.guardrails.python.runner.module import Module
from ralph.guardrails.source import Source
from ralph.system.patterns import later

CONFIGURATION = frozenset(("pytest.ini", ".pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"))
LOADED = later(rb"(?<![\w-])-p[ =\"',]*(?!no:)(?P<name>[A-Za-z_][\w.]*)")
DECIDES = frozenset(("py.runner-outcome", "py.runner-collection"))


def loaded_plugins(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "D" or posixpath.basename(file.path) not in CONFIGURATION:
            continue
        for number, line in file.added():
            for match in LOADED.finditer(line):
                if why := _decides(match["name"].decode(), change):
                    yield _hit(file, number, line, *why)


def _decides(name: str, change: Change) -> tuple[str, str] | None:
    """The rule that a plugin of this name breaks, and what it does."""
    ending = f"{name.replace('.', '/')}.py"
    for file in change.files:
        if file.status != "D" and f"/{file.path}".endswith(f"/{ending}"):
            source = Source(file.path, "python", change.blobs.after(file.path) or b"")
            found = (hit for hit in hook_hits(Module(source)) if hit.rule in DECIDES)
            if (hit := next(found, None)) is not None:
                return hit.rule, f"{name}, which is loaded here: {hit.key}"
    return None


def _hit(file: FileChange, number: int, line: bytes, rule: str, what: str) -> Hit:
    shown = line.decode("utf-8", "replace").strip()
    return hit_at(rule, file.path, number, what, shown)
