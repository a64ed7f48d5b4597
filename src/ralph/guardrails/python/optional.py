"""An import whose failure skips tests: of a dependency, or of something that the project does not know (G02).

Rules: `importorskip` of a module that nothing in the base names (no import, no list of dependencies), that no list of
dependencies of the head names, and that is not in the standard library, can only skip, so that it is a skip like any
other; so is a skip where the import of one failed. In a file that is new, in a change that takes no file of tests away,
it takes no test out of the run. Any other one is for a person.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.packages import MOST_FILES, NAMING, written
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.python.tried import may_try, missing
from ralph.record import replace
from ralph.system.patterns import later

CALL = later(r"importorskip\(\s*[\"']([\w.]+)[\"']")
TEST = later(rb"\s*(?:async\s+)?def\s+test")


def unknown_modules(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        named = _needed(hit, change) if hit.rule == "py.skip-condition" else frozenset()
        if named and not any(_is_known(each.partition(".")[0], change) for each in named):
            rule = "py.skip-new-test" if is_new_file(hit.path, change) else "py.skip"
            said = " or ".join(sorted(named))
            hit = replace(hit, rule=rule, detail=f"{hit.detail or hit.key}: nothing names {said}")
        yield hit


def _needed(hit: Hit, change: Change) -> frozenset[str]:
    """The modules without which a hit's tests are skipped."""
    if named := CALL.search(hit.snippet):
        return frozenset({named[1]})
    data = change.blobs.after(hit.path) or b""
    tree = parsed_module(data) if may_try(data) else None
    return missing(tree, hit.line) if tree is not None else frozenset()


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
    word = written(module)
    lists = (file.path for file in change.files if NAMING.search(file.path) and not file.path.endswith((".py", ".pyi")))
    declared = any(word.search(change.blobs.after(path) or b"") for path in lists)
    return declared or any(word.search(change.blobs.before(path) or b"") for path in paths)
