"""Tests in a folder that is no package, into which the discovery of unittest never goes (policy set v2, class G04).

    python -m unittest discover -s tests -t .
    tests/routing/__init__.py   tests/routing/test_distance.py   tests/pricing/test_tariff.py

Rule: the project's commands discover tests with unittest (`manage.py test` does it alike), and nothing of it runs them
with another runner. A file of tests moved into a folder below the start without an `__init__.py`, together with tests
that were found before, or such a file stays where it is and the `__init__.py` of its folder is gone: it blocks. A file
of new tests alone takes nothing away; a `load_tests`, or a command that starts in the folder, may find any.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

RUNS = later(
    r"(?:-m[ \t]*[\"',]*[ \t]*unittest(?![\w.])|\b(?:manage\.py|django-admin)[\"', \t]+test\b)"
    r"(?P<words>[^\n;&|#]*)"
)
START = later(r"(?:-s|--start-directory)[= \t\"',]+(?P<option>[\w./-]+)|\bdiscover[\"',]*[ \t]+(?P<word>(?!-)[\w./]+)")
PATTERN = later(r"(?:-p|--pattern)[= \t\"',]+(?P<option>[\w.*/-]+)")
OTHERS = later(r"\b(?:pytest|nose2?|nosetests|stestr|testify|trial|green|zope-testrunner|ward)\b")
COMMANDS = later(
    r"(?:^|/)(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|Jenkinsfile|Dockerfile[^/]*|[^/]+\.(?:mk|sh|toml|cfg|ini)|package\.json"
    r"|requirements[^/]*\.txt|(?:noxfile|tasks|dodo|setup)\.py)$|^\.(?:github|gitlab|circleci)/.*\.ya?ml$|^[^/]+\.ya?ml$"
)
TEST = later(rb"(?m)^[ \t]+(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(")
NAMED, LONGEST, MOST_FILES = 3, 200_000, 2_000
"""A test's name has so many letters behind `test` at least, to tell it from others."""
Read = Callable[[str], bytes | None]


def not_descended(change: Change) -> Iterator[Hit]:
    worth = [file for file in change.files if file.path.endswith(".py") and _may_lose(file)]
    if not worth:
        return
    blobs = change.blobs
    paths = blobs.paths_after()
    if not any(file.status == "D" or _gap(file.path, ".", paths) for file in worth):
        return
    starts = list(_starts(paths, blobs.after))
    if not starts:
        return
    gone = _gone_tests(change, starts)
    unpacked = {posixpath.dirname(file.path) for file in worth if file.status == "D"}
    for path in sorted(paths):
        name = posixpath.basename(path)
        if not fnmatchcase(name, "test*.py") or _is_found(path, starts, paths):
            continue
        lost = set(TEST.findall(blobs.after(path) or b""))
        if path not in blobs.paths_before():
            lost &= gone
        elif not any(path.startswith(f"{folder}/") for folder in unpacked) or not _was_found(path, starts, change):
            continue
        if lost and not _loads(path, paths, blobs.after):
            test = min(lost).decode("utf-8", "replace")
            folder = _without_init(path, starts, paths)
            detail = f"{test} is not found: {folder} has no __init__.py, so that unittest does not look into it"
            yield hit_at("test.not-run", path, 1, detail, test)


def _may_lose(file: FileChange) -> bool:
    name = posixpath.basename(file.path)
    return (file.status == "A" and name.startswith("test")) or (file.status == "D" and name == "__init__.py")


def _starts(paths: frozenset[str], read: Read) -> Iterator[tuple[str, str]]:
    """Where each discovery starts, and for what; none if another runner is named."""
    found = []
    for path in sorted(path for path in paths if COMMANDS.search(path))[:MOST_FILES]:
        text = (read(path) or b"")[:LONGEST].decode("utf-8", "replace")
        if OTHERS.search(text):
            return
        for match in RUNS.finditer(text):
            words = match["words"]
            if "unittest" in match[0] and "discover" not in words and re.search(r"[ \t\"',](?!-)[A-Za-z_]", words):
                continue
            start, pattern = START.search(words), PATTERN.search(words)
            folder = (start["option"] or start["word"]) if start is not None else "."
            found.append((posixpath.normpath(folder), pattern["option"] if pattern is not None else "test*.py"))
    yield from found


def _is_found(path: str, starts: list[tuple[str, str]], paths: frozenset[str]) -> bool:
    name = posixpath.basename(path)
    return any(
        fnmatchcase(name, pattern) and _is_below(path, start) and not _gap(path, start, paths)
        for start, pattern in starts
    ) or not any(_is_below(path, start) and fnmatchcase(name, pattern) for start, pattern in starts)


def _is_below(path: str, start: str) -> bool:
    return start == "." or path.startswith(f"{start}/")


def _gap(path: str, start: str, paths: frozenset[str]) -> str:
    """The first folder on the way from the start that is no package."""
    folder = "" if start == "." else start
    for part in path[len(folder) :].strip("/").split("/")[:-1]:
        folder = posixpath.join(folder, part)
        if f"{folder}/__init__.py" not in paths:
            return folder
    return ""


def _without_init(path: str, starts: list[tuple[str, str]], paths: frozenset[str]) -> str:
    return next((gap for start, _ in starts if _is_below(path, start) and (gap := _gap(path, start, paths))), "")


def _loads(path: str, paths: frozenset[str], read: Read) -> bool:
    folders = path.split("/")[:-1]
    inits = ("/".join([*folders[:at], "__init__.py"]) for at in range(len(folders) + 1))
    return any(b"load_tests" in (read(each) or b"") for each in inits if each in paths)


def _was_found(path: str, starts: list[tuple[str, str]], change: Change) -> bool:
    """At the base, and by one of these runs: they start where they seem to."""
    paths = change.blobs.paths_before()
    return any(_is_below(path, start) for start, _ in starts) and _is_found(path, starts, paths)


def _gone_tests(change: Change, starts: list[tuple[str, str]]) -> set[bytes]:
    """Tests of files that unittest found, which these files no longer have."""
    gone: set[bytes] = set()
    for file in change.files:
        named = file.status in "DM" and fnmatchcase(posixpath.basename(file.path), "test*.py")
        if named and _was_found(file.path, starts, change):
            old, new = (TEST.findall(side(file.path) or b"") for side in (change.blobs.before, change.blobs.after))
            gone |= set(old) - set(new)
    return {name for name in gone if len(name) >= len("test") + NAMED}


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (not_descended,)
