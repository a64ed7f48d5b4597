"""Go: methods of a type that are gone, and that an embedded interface now stands for (policy set v2, class G19).

Rule: a struct comes to embed an interface of its package, methods which that interface lists are taken from the struct
and written nowhere else, and nobody gives the embedded field a value: it still compiles, and whoever calls them panics.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

EMBEDDED = later(r"^\t(?P<name>[A-Z]\w*)\s*$")
METHOD = later(r"^func\s+\(\w*\s*\*?(?P<owner>\w+)\)\s+(?P<name>\w+)\(")
STRUCT = later(r"^type\s+(?P<name>\w+)\s+struct\s*\{")


def promoted(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".go") or TEST_PLACE.search(file.path):
            continue
        gone = {match["name"]: match["owner"] for line in _removed(file) if (match := METHOD.match(line))}
        if gone:
            yield from _in_file(file, gone, change)


def _removed(file: FileChange) -> list[str]:
    return [line.decode("utf-8", "replace") for line in file.removed()]


def _in_file(file: FileChange, gone: dict[str, str], change: Change) -> Iterator[Hit]:
    lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    package = _package(file, change)
    for number in sorted(file.added_numbers):
        line = lines[number - 1] if number <= len(lines) else ""
        embedded = EMBEDDED.match(line)
        if embedded is None:
            continue
        above = (STRUCT.match(each) for each in reversed(lines[: number - 1]))
        owner = next((match["name"] for match in above if match), "")
        listed = re.search(rf"(?ms)^type\s+{embedded['name']}\s+interface\s*\{{(?P<inner>.*?)^\}}", package)
        own = [
            name
            for name, of in gone.items()
            if of == owner and not re.search(rf"(?m)^func\s+\(\w*\s*\*?{owner}\)\s+{name}\(", package)
        ]
        lost = [name for name in own if listed is not None and re.search(rf"(?m)^\s+{name}\(", listed["inner"])]
        if lost and not re.search(rf"\b{embedded['name']}\s*:(?!=)|\.{embedded['name']}\s*=(?!=)", package):
            detail = f"{owner}.{lost[0]} is that of an embedded {embedded['name']} now, which nothing gives a value"
            yield hit_at("code.stubbed", file.path, number, detail, line.strip())


def _package(file: FileChange, change: Change) -> str:
    """What its files say, but for the tests."""
    folder = posixpath.dirname(file.path)
    paths = (path for path in sorted(change.blobs.paths_after()) if posixpath.dirname(path) == folder)
    own = (path for path in paths if path.endswith(".go") and not path.endswith("_test.go"))
    return "\n".join((change.blobs.after(path) or b"").decode("utf-8", "replace") for path in own)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (promoted,)
