"""An import whose failure skips tests: of a dependency, or of something that the project does not know (G02).

Rules: `importorskip` of a module that nothing in the base names (no import, no list of dependencies), and that is not
in the standard library, can only skip, so that it is a skip like any other. Any other one is for a person.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

CALL = later(r"importorskip\(\s*[\"']([\w.]+)[\"']")
NAMING = later(r"\.(?:py|pyi|toml|cfg|txt|ini|ya?ml|lock|in)$|(?:^|/)(?:Pipfile|Dockerfile)$")
MOST_FILES = 5_000


def unknown_modules(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        named = CALL.search(hit.snippet) if hit.rule == "py.skip-condition" else None
        if named is not None and not _is_known(named[1].partition(".")[0], change):
            hit = replace(hit, rule="py.skip", detail=f"{hit.detail or hit.key}: nothing names {named[1]}")
        yield hit


def _is_known(module: str, change: Change) -> bool:
    """In a tree too large to look through, it may be."""
    paths = [path for path in sorted(change.blobs.paths_before()) if NAMING.search(path)]
    if module in sys.stdlib_module_names or len(paths) > MOST_FILES:
        return True
    word = re.compile(rb"(?i)(?<![\w.])" + re.sub(rb"[_-]", rb"[_-]", module.encode()) + rb"(?!\w)")
    return any(word.search(change.blobs.before(path) or b"") for path in paths)
