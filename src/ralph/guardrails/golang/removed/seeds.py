"""Inputs that a fuzz test of Go always tries, and that are gone (policy set v2, class G05).

Rules: they are what `f.Add(…)` is given, and the files of `testdata/fuzz/FuzzX`. Where the head has fewer of them, one
that is gone blocks if the test is still there and takes the same. A change that gives the test a file for one, or moves
it, loses none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import as_text
from ralph.system.patterns import later

CORPUS = later(r"(?:^|/)testdata/fuzz/(?P<test>Fuzz\w+)/[^/]+$")
TEST = later(r"(?m)^func (?P<name>Fuzz\w+)\(\w+ \*testing\.F\) \{\n(?P<body>(?:.*\n)*?)\}")
SEED = later(r"\b\w+\.Add\((?P<given>.*)\)\s*(?://.*)?$")
NAME = later(r"[A-Za-z_][\w.]*(?:\.\.\.)?")
"""What a loop gives."""
TAKES = later(r"\.Fuzz\(func\((?P<taken>[^)]*)\)")


def seeds_gone(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and file.path.endswith("_test.go") and b".Add(" in file.changed_text:
            yield from _fewer(file, change)
        elif file.status == "D" and (match := CORPUS.search(file.path)) is not None:
            yield from _file_gone(file, match["test"], change)


def _fewer(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (
        {match["name"]: match["body"] for match in TEST.finditer(as_text(side(file.path)))}
        for side in (change.blobs.before, change.blobs.after)
    )
    for name in before.keys() & after.keys():
        was, now = _seeds(before[name]), _seeds(after[name])
        gone = [each for each in was if each not in now and not any(map(NAME.fullmatch, now))]
        if gone and len(now) + len(_arrived(name, change)) < len(was) and _taken(before[name]) == _taken(after[name]):
            yield _hit(file.path, next((hunk.new_start for hunk in file.hunks if hunk.removed), 1), name, gone[0])


def _file_gone(file: FileChange, name: str, change: Change) -> Iterator[Hit]:
    folder = file.path.rpartition("/testdata/")[0]
    tests = [
        path for path in change.blobs.paths_after() if path.endswith("_test.go") and posixpath.dirname(path) == folder
    ]
    stays = any(re.search(rf"(?m)^func {name}\(", as_text(change.blobs.after(path))) for path in tests)
    data = change.blobs.before(file.path)
    moved = any(each.status == "A" and change.blobs.after(each.path) == data for each in change.files)
    added = any(SEED.search(as_text(line)) for each in change.files for _, line in each.added() if each.path in tests)
    if stays and not moved and not added and not _arrived(name, change):
        yield _hit(file.path, 0, name, posixpath.basename(file.path))


def _arrived(name: str, change: Change) -> list[str]:
    """Files of the corpus that the change adds."""
    return [each.path for each in change.files if each.status == "A" and f"/fuzz/{name}/" in each.path]


def _seeds(body: str) -> list[str]:
    return [match["given"] for line in body.split("\n") if (match := SEED.search(line)) is not None]


def _taken(body: str) -> str:
    match = TAKES.search(body)
    return re.sub(r"\w+ ", "", match["taken"]) if match is not None else ""


def _hit(path: str, line: int, name: str, seed: str) -> Hit:
    detail = f"{name} no longer tries {seed}"
    return hit_at("test.fewer-cases", path, line, detail, "")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (seeds_gone,)
