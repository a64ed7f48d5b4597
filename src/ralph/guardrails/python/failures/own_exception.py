"""Python tests that ask an exception inside of the `with` that waits for it (policy set v2, class G05).

Rule: an assertion about what `raises(...) as caught` caught, in the block of that `with`, is new: it stands behind what
raises, and is never reached. The inventory only knows that the old assertion asks for less; here it is plain. One that
joins another which stood there before goes on with a mistake, and takes nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

ASKS = later(r"^\s*(?:assert\b|self\.assert\w+\(|assert_that\()[^\n]*?\b(?P<name>\w+)\.(?:value|exception|match)\b")
WAITS = later(
    r"^\s*(?:async )?with\b[^\n]*\b(?:raises|assertRaises\w*|warns|RaisesGroup)\([^\n]*\bas (?P<name>\w+)\s*:"
)
WORTH = later(rb"\.(?:value|exception|match)\b")
FARTHEST = 20
"""Lines of such a block."""


def asked_too_early(change: Change) -> Iterator[Hit]:
    for file in change.files:
        of_tests = file.path.endswith(".py") and (is_test_file(file.path) or TEST_PLACE.search(file.path))
        if of_tests and WORTH.search(file.added_text):
            yield from _of_file(file, change)


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    before = (change.blobs.before(file.path) or b"").decode("utf-8", "replace").split("\n")
    known = {line.strip() for row, line in enumerate(before) if _waits_for(before, row)}
    for number, _ in file.added():
        line = lines[number - 1] if number <= len(lines) else ""
        beside = {each.strip() for each in lines[max(0, number - 2) : number + 1]}
        if _waits_for(lines, number - 1) and not beside & known:
            told = f"it stands in the block that raises, and is never reached: {line.strip()}"
            yield hit_at("test.weakened", file.path, number, told, line)


def _waits_for(lines: Sequence[str], row: int) -> bool:
    """It asks what the block around it waits for, behind another statement of the block."""
    asks = ASKS.match(lines[row]) if row < len(lines) else None
    if asks is None:
        return False
    indent = depth(lines[row])
    behind = False
    for line in reversed(lines[max(0, row - FARTHEST) : row]):
        if line.strip() and depth(line) < indent:
            waits = WAITS.match(line)
            return behind and waits is not None and waits["name"] == asks["name"]
        behind = behind or bool(line.strip())
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (asked_too_early,)
