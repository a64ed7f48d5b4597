"""A change of a file that shell scripts read in, seen as if its text stood in these scripts.

`source ci/lib.sh`, and there `exit 0`, `set +e`, `pytest() { :; }`, or a function that runs what it is given and no
longer says how that ended: the script that checks did not change, and its checks count for nothing. So each script that
reads in a changed file is looked at once more, on both sides, with the text of that file in the place of the line. What
is found there is shown in the file that changed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.checks.readers.sourced import READS, places
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Placed, Spelled
from ralph.guardrails.texts import lines_of
from ralph.system.patterns import later

PARTS = later(r"\.(?:sh|bash|ksh|zsh|inc|env|rc|shlib)$|(?:^|/)[\w-]+$")
READERS = later(
    r"(?i)\.(?:sh|bash|ksh|zsh)$|(?:^|/)(?:ci|scripts?|bin|tools|hack|build|\.husky|\.githooks)/(?:[\w-]+/)*[\w-]+$"
    r"|(?:^|/)\.github/(?:workflows|actions)/[^\n]*\.ya?ml$|(?:^|/)[\w.-]*(?:gitlab-ci|pipelines?|travis|drone)[\w.-]*\.ya?ml$"
    r"|(?:^|/)\.(?:circleci|buildkite)/[^/]+\.ya?ml$"
)
LARGEST, MOST = 60_000, 200


def by_source(change: Change) -> Spelled | None:
    """None if nothing that did change is read in."""
    parts = {file.path: file for file in change.files if _may_be_read(file, change)}
    if not parts:
        return None
    texts: dict[str, tuple[bytes, bytes]] = {}
    others: dict[str, Placed] = {}
    for path in _readers(parts, change):
        (old, _), (new, part) = (_with_parts(path, read, parts) for read in (change.blobs.before, change.blobs.after))
        if part is not None and old != new:
            texts[path] = old, new
            others[path] = Placed(part, next((number for number, _ in parts[part].added()), 1))
    if not texts:
        return None
    return Spelled(with_texts(change, texts, alone=True), {}, frozenset(texts), others)


def _may_be_read(file: FileChange, change: Change) -> bool:
    if file.status != "M" or file.binary or PARTS.search(file.path) is None:
        return False
    return len(change.blobs.after(file.path) or b"") <= LARGEST


def _readers(parts: dict[str, FileChange], change: Change) -> Iterator[str]:
    """What names one of them, and is there on both sides."""
    names = [posixpath.basename(path).encode() for path in parts]
    there = change.blobs.paths_before() & change.blobs.paths_after()
    for path in sorted(path for path in there if READERS.search(path) is not None)[:MOST]:
        text = change.blobs.after(path) or b""
        if len(text) <= LARGEST and any(name in text for name in names):
            yield path


def _with_parts(
    path: str, read: Callable[[str], bytes | None], parts: dict[str, FileChange]
) -> tuple[bytes, str | None]:
    """The text with what it reads in, and the last file of which that is."""
    found: list[str] = []
    part: str | None = None
    for line in lines_of(read(path)):
        match = READS.fullmatch(line) if line.lstrip()[:1] in ("s", ".") else None
        own = next((each for each in places(match["file"], path) if each in parts), None) if match is not None else None
        if own is None:
            found.append(line)
        else:
            part = own
            found += _indented(lines_of(read(own)), line[: len(line) - len(line.lstrip())])
    return "\n".join(found).encode(), part


def _indented(lines: Sequence[str], head: str) -> list[str]:
    """In a block of YAML every line stands below its key."""
    return [f"{head}{line}" if line else line for line in lines]
