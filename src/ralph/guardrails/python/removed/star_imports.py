"""Tests whose name is given to another function by `from module import *` below them (policy set v2, class G04).

Rule: an added one blocks where the module of the project has a test of the name of one that stands above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.layout import is_test_file
from ralph.system.patterns import later

WORTH = later(rb"import[ \t]+\*")
STAR = later(r"from\s+(?P<module>\.*[\w.]*)\s+import\s+\*")
TEST = later(r"(?m)^(?:async )?def (test\w+)")


def brought_by_star(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and is_test_file(file.path) and WORTH.search(file.added_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    for number in sorted(file.added_numbers):
        line = lines[number - 1] if number <= len(lines) else ""
        star = STAR.match(line)
        if star is None or not star["module"].strip("."):
            continue
        above = set(TEST.findall("\n".join(lines[: number - 1])))
        for path in _files_of(star["module"], change) if above else ():
            theirs = set(TEST.findall((change.blobs.after(path) or b"").decode("utf-8", "replace")))
            for name in sorted(above & theirs):
                yield hit_at("test.replaced", file.path, number, f"{name} is the one of {path} now", line.strip())


def _files_of(module: str, change: Change) -> list[str]:
    end = re.escape(module.strip(".").replace(".", "/"))
    form = re.compile(rf"(?:^|/){end}(?:/__init__)?\.py$")
    return sorted(path for path in change.blobs.paths_after() if form.search(path))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (brought_by_star,)
