"""Go: what `go.mod` says of tests (policy set v2, classes G05 and G09).

Rules, for a `go.mod` that a change edits:

- `ignore ./dir` takes a folder out of `./...`: it blocks where the folder holds tests. What is in no module anyway
  (`testdata`, `node_modules`) is none.
- Below Go 1.22 all iterations of a loop share its variables. A version that falls below that blocks where a test of
  the module runs parallel ones out of a loop which does not copy its variable: all of them then ask for the last row.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

IGNORES = later(r"(?:ignore\s+)?\.?/?(?P<folder>[\w./-]+)\s*(?://.*)?$")
BLOCK = later(r"(?ms)^ignore\s*\((?P<inner>.*?)^\)")
VERSION = later(r"(?m)^go\s+1\.(?P<minor>\d+)")
PARALLEL = later(
    r"(?ms)^(?P<deep>\t+)for\s+(?:\w+\s*,\s*)?(?P<name>\w+)\s*:=\s*range\b[^\n]*\{\n(?P<body>.*?)^(?P=deep)\}"
)
SHARED_BELOW = 22
MOST_FILES = 400


def said_by_module(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and posixpath.basename(file.path) == "go.mod":
            yield from _ignored(file, change)
            yield from _older(file, change)


def _ignored(file: FileChange, change: Change) -> Iterator[Hit]:
    after = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
    inside = {number for match in BLOCK.finditer(after) for number in _lines(after, match)}
    root = posixpath.dirname(file.path)
    for number, raw in file.added():
        line = raw.decode("utf-8", "replace").strip()
        match = IGNORES.match(line) if line.startswith("ignore ") or number in inside else None
        if match is None:
            continue
        folder = posixpath.normpath(posixpath.join(root, match["folder"]))
        held = next(
            (
                path
                for path in sorted(change.blobs.paths_after())
                if path.startswith(f"{folder}/") and path.endswith("_test.go")
            ),
            "",
        )
        if held and "/testdata/" not in f"/{held}":
            yield hit_at("check.narrowed", file.path, number, f"./... passes over {folder}, with {held}", line)


def _lines(text: str, match: re.Match[str]) -> range:
    first = text.count("\n", 0, match.start()) + 1
    return range(first + 1, first + match[0].count("\n") + 1)


def _older(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (
        (read(file.path) or b"").decode("utf-8", "replace") for read in (change.blobs.before, change.blobs.after)
    )
    was, now = VERSION.search(before), VERSION.search(after)
    if was is None or now is None or not int(now["minor"]) < SHARED_BELOW <= int(was["minor"]):
        return
    root = posixpath.dirname(file.path)
    tests = (
        path
        for path in sorted(change.blobs.paths_after())
        if path.endswith("_test.go") and path.startswith(f"{root}/" if root else "")
    )
    for path in islice(tests, MOST_FILES):
        text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
        if "t.Parallel()" in text and any(map(_shares, PARALLEL.finditer(text))):
            number = after.count("\n", 0, now.start()) + 1
            detail = f"all parallel tests of a loop in {path} ask for its last row"
            yield hit_at("test.fewer-cases", file.path, number, detail, now[0])
            return


def _shares(loop: re.Match[str]) -> bool:
    name, body = re.escape(loop["name"]), loop["body"]
    copied = re.search(rf"\b{name}\s*:=\s*{name}\b", body)
    run = re.search(r"\.Run\(", body)
    behind = body[run.start() :] if run is not None else ""
    return (
        copied is None
        and "t.Parallel()" in behind
        and re.search(rf"\b{name}\b", behind.partition("t.Parallel()")[2]) is not None
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (said_by_module,)
