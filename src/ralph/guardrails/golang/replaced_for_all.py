"""Go: functions of the product that are replaced before any test runs (policy set v2, class G06).

Rule, for a line that a change adds to `func init` or `func TestMain` of a file of tests: it gives a variable of the
package another function, the package's own files declare that variable with a function, and a test of the base asks for
what it answers. What only hands on to the original is a spy. A test that replaces it for itself is found with its
assertions (`stubs`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

GATE = later(rb"(?m)^[ \t]+[A-Za-z_]\w*[ \t]*=[ \t]*(?:func\b|\w+[ \t]*$)")
GIVEN = later(r"\s+(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>func\b.*|[A-Za-z_]\w*)\s*$")
FIRST = later(r"func\s+(?:init\(\)|TestMain\()")
ENDS = later(r"\}")
ASKS = (
    r"(?<![\w.])%s\([^\n]*(?:[!=]=|[<>])|\b(?:assert|require|is|expect|Expect|Equal\w*|DeepEqual)\b[^\n]*(?<![\w.])%s\("
    r"|(?<!\w)(?:got|have|actual|res|result|out|output)\w*(?:,\s*\w+)*\s*:?=\s*%s\("
)
MOST = 100
"""So many files of a package are looked through."""


def replaced_for_all(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith("_test.go") and file.status in "AMR" and GATE.search(file.added_text):
            for number, name, line in _given(file, change):
                if (product := _declared_in(name, file, change)) and _is_asked(name, file, change):
                    yield hit_at(
                        "test.subject-faked",
                        file.path,
                        number,
                        f"{name} of {product} is another function",
                        line.strip(),
                    )
                    break


def _given(file: FileChange, change: Change) -> Iterator[tuple[int, str, str]]:
    """Each variable that gets a function before the tests run: the line, the name, the text."""
    added = {number for number, _ in file.added()}
    lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    inside = False
    for number, line in enumerate(lines, 1):
        inside = (inside and ENDS.match(line) is None) or FIRST.match(line) is not None
        given = GIVEN.match(line) if inside and number in added else None
        if given is None:
            continue
        own = given["value"].startswith("func") or any(each.startswith(f"func {given['value']}(") for each in lines)
        below = "\n".join(lines[number - 1 : number + 8]).partition("\n\t}")[0]
        if own and re.search(r"\b(?:orig\w*|real\w*|old\w*|saved\w*|prev\w*)\(", below) is None:
            yield number, given["name"], line


def _declared_in(name: str, file: FileChange, change: Change) -> str:
    """The file of the package that declares it as a function which may be replaced."""
    declared = re.compile(rf"(?m)^(?:var\s+|\t){name}(?:\s+func\([^\n]*)?\s*=\s*(?:func\b|[\w.]+\s*$)".encode())
    for path in _package(file, change, tests=False):
        if declared.search(change.blobs.after(path) or b""):
            return path
    return ""


def _is_asked(name: str, file: FileChange, change: Change) -> bool:
    asks = re.compile(ASKS.replace("%s", re.escape(name)))
    tests = (change.blobs.before(path) or b"" for path in _package(file, change, tests=True))
    return any(asks.search(text.decode("utf-8", "replace")) for text in tests)


def _package(file: FileChange, change: Change, *, tests: bool) -> list[str]:
    folder = posixpath.dirname(file.path)
    paths = change.blobs.paths_before() if tests else change.blobs.paths_after()
    own = (path for path in paths if posixpath.dirname(path) == folder and path.endswith(".go"))
    return nearest((path for path in own if path.endswith("_test.go") is tests), change, MOST)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (replaced_for_all,)
