"""A run of all tests below a folder that became several, each from a folder further down (policy set v2, class G09).

Rule: `unittest discover -s tests` is as much as `-s tests/store` and `-s tests/commands` together where each file of
the tree that it would find lies below one of them, by the same pattern, in folders that are packages on the way; but
for where it starts a part checks no less.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.commands.completed import Weaker
from ralph.guardrails.config.node import names
from ralph.guardrails.config.side import Side

Words = Sequence[str]
STARTS: Mapping[str, Sequence[str]] = {
    "unittest": names("-s --start-directory"),
    "nose2": names("-s --start-dir"),
}
PATTERN = names("-p --pattern")
DISCOVERS = "test*.py"
MARK = "__init__.py"


def all_started(was: Words, runs: Sequence[Words], side: Side, weaker: Weaker) -> bool:
    """Each file of tests that the one run found is found by one of the parts."""
    options = STARTS.get(was[0])
    if options is None:
        return False
    whole, rest = _said(was, options)
    fit = [start for run in runs for start, other in (_said(run, options),) if not weaker(rest, other)]
    pattern = _said(rest, PATTERN)[0] or DISCOVERS
    if len(fit) < 2 or not all(fit) or any((_said(run, PATTERN)[0] or DISCOVERS) != pattern for run in runs):
        return False
    tests = list(_found(whole or "", pattern, side))
    return bool(tests) and all(any(_finds(start, path, side) for start in fit) for path in tests)


def _found(start: str, pattern: str, side: Side) -> Iterator[str]:
    below = f"{start}/" if start else ""
    for path in side.paths:
        if path.startswith(below) and fnmatchcase(posixpath.basename(path), pattern):
            yield path


def _finds(start: str, path: str, side: Side) -> bool:
    folder = posixpath.dirname(path)
    while folder != start:
        if not folder.startswith(f"{start}/") or f"{folder}/{MARK}" not in side.paths:
            return False
        folder = posixpath.dirname(folder)
    return True


def _said(run: Words, options: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The value of an option as a folder is spelled, and the call without it."""
    value, rest, taking = "", list[str](), False
    for word in run:
        name, given, said = word.partition("=")
        if taking:
            value, taking = word, False
        elif name in options:
            value, taking = said, not given
        else:
            rest.append(word)
    bare = posixpath.normpath(value.strip("\"'")) if value else ""
    return ("" if bare == "." else bare), tuple(rest)
