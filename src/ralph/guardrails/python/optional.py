"""An import whose failure skips tests: of a dependency, or of something that the project does not know (G02).

Rules: `importorskip` of a module that nothing in the base names (no import, no list of dependencies), and that is not
in the standard library, can only skip, so that it is a skip like any other; in a file that is new, in a change that
takes no file of tests away, it takes no test out of the run. Any other one is for a person.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.layout import is_test_file
from ralph.record import replace
from ralph.system.patterns import later

CALL = later(r"importorskip\(\s*[\"']([\w.]+)[\"']")
NAMING = later(r"\.(?:py|pyi|toml|cfg|txt|ini|ya?ml|lock|in)$|(?:^|/)(?:Pipfile|Dockerfile)$")
TEST = later(rb"\s*(?:async\s+)?def\s+test")
MOST_FILES = 5_000


def unknown_modules(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        named = CALL.search(hit.snippet) if hit.rule == "py.skip-condition" else None
        if named is not None and not _is_known(named[1].partition(".")[0], change):
            rule = "py.skip-new-test" if is_new_file(hit.path, change) else "py.skip"
            hit = replace(hit, rule=rule, detail=f"{hit.detail or hit.key}: nothing names {named[1]}")
        yield hit


def is_new_file(path: str, change: Change) -> bool:
    """A file that nothing moved to."""
    status = {file.path: file.status for file in change.files}
    gone = any(file.status == "D" and is_test_file(file.path) for file in change.files)
    shrunk = any(file.status == "M" and is_test_file(file.path) and _loses_tests(file) for file in change.files)
    return status.get(path) == "A" and not gone and not shrunk


def _loses_tests(file: FileChange) -> bool:
    return any(TEST.match(line) for hunk in file.hunks for line in hunk.removed)


def _is_known(module: str, change: Change) -> bool:
    """In a tree too large to look through, it may be."""
    paths = [path for path in sorted(change.blobs.paths_before()) if NAMING.search(path)]
    if module in sys.stdlib_module_names or len(paths) > MOST_FILES:
        return True
    word = re.compile(rb"(?i)(?<![\w.])" + re.sub(rb"[_-]", rb"[_-]", module.encode()) + rb"(?!\w)")
    return any(word.search(change.blobs.before(path) or b"") for path in paths)
