"""Doubles that were there before the tests that ask them (policy set v2, class G06).

Rule: a double on a line that the change left alone, in a file of tests to which the change only adds, stands in for
nothing that a test asked: those that were there ask what they asked. New tests that compare its answers are for a
person. An import may be another one, as new tests need more names.
"""

from __future__ import annotations

from ralph.guardrails.inventory.product_changes.context import sides_of
from ralph.guardrails.inventory.readers import files_with_tests
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.system.patterns import later

NEEDS = later(
    rb"\s*(?:import\b.*|\}?\s*from\s*[\"'].*|(?:const|let|var)\b[^=]*=\s*(?:await\s+)?(?:require|import)\(.*)?"
)


def was_there(hit: Hit, change: Change) -> bool:
    file = next((file for file in change.files if file.path == hit.path), None)
    return file is not None and file.status == "M" and _only_adds(file) and hit.line not in _added(file)


def came_from_elsewhere(hit: Hit, change: Change) -> bool:
    """It is about tests that came from a file which had nothing like it."""
    sides = sides_of(change, files_with_tests(change))
    if hit.path not in sides:
        return False
    here = {test.parts for test in sides[hit.path][1].tests if test.kind == "test"}
    givers = (
        path
        for path, (old, new) in sides.items()
        if here & ({test.parts for test in old.tests} - {test.parts for test in new.tests})
    )
    return any(hit.snippet.encode() not in (change.blobs.before(path) or b"") for path in givers)


def _only_adds(file: FileChange) -> bool:
    return not file.binary and all(NEEDS.fullmatch(line) for hunk in file.hunks for line in hunk.removed)


def _added(file: FileChange) -> frozenset[int]:
    return frozenset(number for number, _ in file.added())
