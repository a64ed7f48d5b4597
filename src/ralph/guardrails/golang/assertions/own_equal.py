"""Go: a method `Equal` by which libraries compare whole objects, and which leaves members out (policy v2, class G05).

go-cmp, testify's `ObjectsAreEqual` of times and the like ask the type itself. Rule: a change gives a struct such a
method, a field of the struct stands in neither of its sides, and a test of the base compares objects of the type with
go-cmp. It blocks where a test file has the method; in the product, where a test says what is equal already, it does,
too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORTH = later(rb"\)\s+Equal\(")
EQUAL = later(
    r"(?ms)^func\s+\((?P<self>\w+)\s+\*?(?P<type>\w+)\)\s+Equal\((?P<other>\w+)\s+\*?(?P=type)\)\s+bool\s*\{(?P<body>.*?)^\}"
)
FIELD = later(r"(?m)^\s+(?P<names>\w+(?:\s*,\s*\w+)*)\s+[\w.*\[\]]")
COMPARES = later(rb"\bcmp\.(?:Diff|Equal)\(")
WHOLE = later(r"DeepEqual|cmp\.Equal|\*?\w+\s*==\s*\*?\w+\s*$")
MOST_FILES = 300


def own_equal(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and file.path.endswith(".go") and WORTH.search(file.added_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
    known = {
        match["type"] for match in EQUAL.finditer((change.blobs.before(file.path) or b"").decode("utf-8", "replace"))
    }
    for match in EQUAL.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        if number not in file.added_numbers or match["type"] in known or WHOLE.search(match["body"]):
            continue
        left = [name for name in _fields(match["type"], file, change) if not re.search(rf"\.{name}\b", match["body"])]
        if left and (test := _compared_by(match["type"], change)):
            detail = f"{match['type']} compares without {', '.join(left)}, and {test} compares whole objects"
            yield hit_at("test.weakened", file.path, number, detail, match[0].partition("\n")[0])


def _fields(name: str, file: FileChange, change: Change) -> list[str]:
    """Of a struct that the base had, in a file of the same folder."""
    folder = posixpath.dirname(file.path)
    struct = re.compile(rf"(?ms)^type\s+{name}\s+struct\s*\{{(?P<inner>.*?)^\}}")
    for path in sorted(change.blobs.paths_before()):
        if posixpath.dirname(path) == folder and path.endswith(".go"):
            found = struct.search((change.blobs.before(path) or b"").decode("utf-8", "replace"))
            if found is not None:
                named = (match["names"] for match in FIELD.finditer(found["inner"]))
                return [each.strip() for names in named for each in names.split(",")]
    return []


def _compared_by(name: str, change: Change) -> str:
    kept = (
        path for path in sorted(change.blobs.paths_after() & change.blobs.paths_before()) if path.endswith("_test.go")
    )
    for path in islice(kept, MOST_FILES):
        data = change.blobs.after(path) or b""
        if COMPARES.search(data) and re.search(rf"\b{name}\b".encode(), data):
            return path
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (own_equal,)
