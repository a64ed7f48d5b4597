"""A change in which a task is called with other arguments, seen as if the task's commands stood in its place.

`just test` that became `just test tests/slow`, `make test` that became `make test ARGS='-k fast'`: what a check looks
at is said in words that only the task can tell. So a file of commands in which a call changed is looked at once more,
with the commands of each task in the place of its calls, on both sides, each with the tasks of its own side. What is
found there counts where such a call stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.config.called.call import CALL, calls
from ralph.guardrails.config.called.environments import environment, environments
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Spelled
from ralph.guardrails.texts import lines_of
from ralph.system.patterns import later

FILES = later(
    r"(?i)\.(?:ya?ml|sh|bash|zsh|mk|just|toml|ini|cfg)$|(?:^|/)(?:package|composer|deno|devbox|project|turbo|tasks)\.jsonc?$"
    r"|(?:^|/)(?:makefile|gnumakefile|justfile|jenkinsfile|dockerfile|earthfile)[\w.]*$"
)
SETS = later(rb"(?m)^[ \t]*(?:export[ \t]+|(?:- )?(?:env|variables|environment)[ \t]*:.*)?\b[A-Z][A-Z0-9_]+[ \t]*[:=]")
SAYS = later(
    rb"\b(?:just|g?make|task|tox|nox|poe|pdm|hatch|mise|cargo|bazel(?:isk)?|mvn|inv(?:oke)?|composer|rake|sh|bash|python3?"
    rb"|node|tsx|bun)\b|\./|[A-Z]{2}[ \t]*[:=]"
)
LARGEST = 200_000
"""Bytes of a file of commands that people keep."""


def by_call(change: Change) -> Spelled | None:
    """None if no task is called with other arguments."""
    files = [file for file in change.files if _may_call(file, change)]
    if not files:
        return None
    sides = Side(change.blobs.before, change.blobs.paths_before()), Side(change.blobs.after, change.blobs.paths_after())
    texts: dict[str, tuple[bytes, bytes]] = {}
    lines: dict[str, frozenset[int]] = {}
    was: dict[str, list[str]] = {}
    for file in files:
        both = [_Text(lines_of(read(file.path))) for read in (change.blobs.before, change.blobs.after)]
        found = _otherwise(*both)
        if found.keys:
            (old, had), (new, called) = (_spelled(text, side, found) for text, side in zip(both, sides, strict=True))
            if called and old != new:
                texts[file.path], lines[file.path] = (_joined(old), _joined(new)), called
                was[file.path] = [old[number - 1] for number in sorted(had)]
    return Spelled(with_texts(change, texts, alone=True), lines, was=was) if texts else None


def _may_call(file: FileChange, change: Change) -> bool:
    """A call stands in a changed line, or a variable that one may read."""
    if file.status != "M" or file.binary or FILES.search(file.path) is None:
        return False
    text = file.changed_text
    if not SAYS.search(text) or len(change.blobs.after(file.path) or b"") > LARGEST:
        return False
    return CALL.search(text.decode("utf-8", "replace")) is not None or SETS.search(text) is not None


class _Text:
    """A file's lines, and what is set around each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        found = environments(lines)
        self.around = [environment(number, found) for number in range(len(lines))]


class _Otherwise(NamedTuple):
    keys: frozenset[tuple[str, str]]
    """What is called on both sides, and not in the same way."""
    asked: frozenset[str]
    """The variables that these calls are given."""


Called = dict[tuple[str, str], set[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]]


def _otherwise(old: _Text, new: _Text) -> _Otherwise:
    before, after = _called(old), _called(new)
    keys = frozenset(key for key in before.keys() & after.keys() if before[key] != after[key])
    given = (pairs for side in (before, after) for key in keys for _, pairs in side[key])
    return _Otherwise(keys, frozenset(name for pairs in given for name, _ in pairs))


def _called(text: _Text) -> Called:
    found: Called = defaultdict(set)
    for line, around in zip(text.lines, text.around, strict=True):
        for call in calls(line, around):
            for key in call.keys:
                found[key].add((call.words, tuple(sorted(call.environment.items()))))
    return found


def _spelled(text: _Text, side: Side, meant: _Otherwise) -> tuple[list[str], frozenset[int]]:
    """The lines with commands in the place of calls, and the numbers of those in which any stand."""
    from ralph.guardrails.config.called.expanded import expanded  # few changes need it

    found = [
        expanded(line, meant.keys, side, around, meant.asked)
        for line, around in zip(text.lines, text.around, strict=True)
    ]
    pairs = enumerate(zip(text.lines, found, strict=True), start=1)
    return found, frozenset(number for number, (line, other) in pairs if line != other)


def _joined(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode()
