"""Tests of Python that import a module which is deleted (policy set v2, class G04).

Rule: a test is about what is gone where its own body takes a module in (`from shop.workers import eventlet`) whose file
the change deletes, and no file of that name arrives or is left. What the head of the file imports, others may need.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change
from ralph.system.patterns import later

IMPORTS = later(r"\bfrom[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t]+)|\bimport[ \t]+([\w.]+)")
SUFFIX = ".py"


class GoneModules:
    def __init__(self, change: Change) -> None:
        deleted = [file.path for file in change.files if file.status == "D" and file.path.endswith(SUFFIX)]
        names = {posixpath.basename(path) for path in deleted if not is_support(path)}
        left = {posixpath.basename(path) for path in change.blobs.paths_after()} if names else set()
        self._gone = {path for path in deleted if not is_support(path) and posixpath.basename(path) not in left}

    def are_imported_by(self, test: Test) -> bool:
        if not self._gone or not test.path.endswith(SUFFIX):
            return False
        places = {f"{name.replace('.', '/')}{SUFFIX}" for name in _imported(test.lines)}
        return any(path == place or path.endswith(f"/{place}") for path in self._gone for place in places)


def _imported(text: str) -> Iterator[str]:
    """The modules that it takes in, as far as each name may be one."""
    for module, names, alone in IMPORTS.findall(text):
        yield module or alone
        yield from (f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip())
