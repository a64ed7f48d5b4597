"""A change in which a task is called with other arguments, seen as if the task's commands stood in its place.

`just test` that became `just test tests/slow`, `make test` that became `make test ARGS='-k fast'`: what a check looks
at is said in words that only the task can tell. So a file of commands in which a call changed is looked at once more,
with the commands of each task in the place of its calls, on both sides, each with the tasks of its own side. What is
found there counts where such a call stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.config.called.call import CALL, calls
from ralph.guardrails.config.called.environments import environment, environments
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Spelled, lines_of
from ralph.system.patterns import later

FILES = later(
    r"(?i)\.(?:ya?ml|sh|bash|zsh|mk|just|toml|ini|cfg)$|(?:^|/)(?:package|composer|deno|devbox|project|turbo|tasks)\.jsonc?$"
    r"|(?:^|/)(?:makefile|gnumakefile|justfile|jenkinsfile|dockerfile|earthfile)[\w.]*$"
)
SETS = later(rb"(?m)^[ \t]*(?:export[ \t]+|(?:- )?(?:env|variables|environment)[ \t]*:.*)?\b[A-Z][A-Z0-9_]+[ \t]*[:=]")
SAYS = later(rb"\b(?:just|g?make|task|tox|nox|poe|pdm|inv(?:oke)?|composer|rake|sh|bash)\b|\./|[A-Z]{2}[ \t]*[:=]")
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
    for file in files:
        both = [_Text(lines_of(read(file.path))) for read in (change.blobs.before, change.blobs.after)]
        keys = _otherwise(*both)
        if keys:
            (old, _), (new, called) = (_spelled(text, side, keys) for text, side in zip(both, sides, strict=True))
            if called and old != new:
                texts[file.path], lines[file.path] = (_joined(old), _joined(new)), called
    return Spelled(with_texts(change, texts, alone=True), lines) if texts else None


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


def _otherwise(old: _Text, new: _Text) -> frozenset[tuple[str, str]]:
    """What is called on both sides, and not in the same way."""
    before, after = _called(old), _called(new)
    return frozenset(key for key in before.keys() & after.keys() if before[key] != after[key])


def _called(text: _Text) -> dict[tuple[str, str], set[tuple[object, ...]]]:
    found: dict[tuple[str, str], set[tuple[object, ...]]] = defaultdict(set)
    for line, around in zip(text.lines, text.around, strict=True):
        for call in calls(line, around):
            for key in call.keys:
                found[key].add((call.words, *sorted(call.environment.items())))
    return found


def _spelled(text: _Text, side: Side, keys: Collection[tuple[str, str]]) -> tuple[list[str], frozenset[int]]:
    """The lines with commands in the place of calls, and the numbers of those in which any stand."""
    from ralph.guardrails.config.called.expanded import expanded  # few changes need it

    found = [expanded(line, keys, side, around) for line, around in zip(text.lines, text.around, strict=True)]
    pairs = enumerate(zip(text.lines, found, strict=True), start=1)
    return found, frozenset(number for number, (line, other) in pairs if line != other)


def _joined(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode()
