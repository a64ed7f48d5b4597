"""The text of a unified diff as entries: names, modes, blob ids and hunks (see `patch` for what is made of them).

Hunks are read by the counts in their headers, so that a line that looks like a header is just a line. A hunk that
ends early, a combined diff, and a text without any file in it are errors, never an empty change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ralph.errors import UsageError

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_INDEX = re.compile(rb"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f"}
ABSENT = "000000"


@dataclass(slots=True)
class Entry:
    """One file of a diff. `body` of a hunk: (old start, new start, [(mark, line)])."""

    old: str | None = None
    new: str | None = None
    old_mode: str = "100644"
    new_mode: str = "100644"
    old_blob: str | None = None
    new_blob: str | None = None
    binary: bool = False
    hunks: list[tuple[int, int, list[tuple[bytes, bytes]]]] = field(default_factory=list)


def entries(data: bytes, source: str) -> list[Entry]:
    """The files of a diff, in order."""
    lines = data.split(b"\n")
    found: list[Entry] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        if line.startswith((b"diff --cc", b"diff --combined", b"@@@ ")):
            raise UsageError(
                f"{source}, line {position + 1}: a combined diff cannot be judged; compare with one commit"
            )
        if line.startswith(b"diff --git "):
            found.append(_named(line))
        elif line.startswith(b"--- ") and lines[position + 1 : position + 2][:1] and lines[position + 1][:4] == b"+++ ":
            if not found or found[-1].hunks:
                found.append(Entry())
            found[-1].old, found[-1].new = _path(line[4:]), _path(lines[position + 1][4:])
            position += 1
        elif line.startswith(b"@@ "):
            if not found:
                raise UsageError(f"{source}, line {position + 1}: a hunk without a file; give a whole unified diff")
            position = _hunk(found[-1], lines, position, source)
            continue
        elif found:
            _header(found[-1], line)
        position += 1
    if not found and data.strip():
        raise UsageError(f"{source} is no unified diff; make one with: git diff HEAD")
    return found


def _hunk(entry: Entry, lines: list[bytes], position: int, source: str) -> int:
    """Reads one hunk; returns the position behind it."""
    match = _HUNK.match(lines[position])
    if not match:
        raise UsageError(f"{source}, line {position + 1}: not a hunk header; give a whole unified diff")
    old_left, new_left = (int(match[group] or 1) if match[group] != b"0" else 0 for group in (2, 4))
    body: list[tuple[bytes, bytes]] = []
    at = position + 1
    while old_left or new_left:
        line = lines[at] if at < len(lines) else b"?"
        mark = line[:1] or b" "  # an editor may have cut the blank of an empty context line
        if mark not in b" -+\\" or (at == len(lines) - 1 and not line):
            raise UsageError(f"{source}, line {at + 1}: the hunk ends early; give a whole unified diff")
        if mark != b"\\":
            old_left -= mark != b"+"
            new_left -= mark != b"-"
            body.append((mark, line[1:]))
        at += 1
    if min(old_left, new_left) < 0:
        raise UsageError(f"{source}, line {at}: the hunk is longer than its header says; give a whole unified diff")
    old_start, new_start = int(match[1]), int(match[3])
    entry.hunks.append((old_start + (match[2] == b"0"), new_start + (match[4] == b"0"), body))
    return at


def _header(entry: Entry, line: bytes) -> None:
    """Git's extended header lines."""
    word, _, rest = line.partition(b" ")
    if match := _INDEX.fullmatch(line):
        entry.old_blob, entry.new_blob = match[1].decode(), match[2].decode()
        if match[3]:
            entry.old_mode = entry.new_mode = match[3].decode()
    elif line.startswith(b"new file mode "):
        entry.old, entry.old_mode, entry.new_mode = None, ABSENT, line[14:20].decode("ascii", "replace")
    elif line.startswith(b"deleted file mode "):
        entry.new, entry.new_mode, entry.old_mode = None, ABSENT, line[18:24].decode("ascii", "replace")
    elif line.startswith(b"old mode "):
        entry.old_mode = line[9:15].decode("ascii", "replace")
    elif line.startswith(b"new mode "):
        entry.new_mode = line[9:15].decode("ascii", "replace")
    elif word in (b"rename", b"copy") and rest.startswith((b"from ", b"to ")):
        side, _, name = rest.partition(b" ")
        setattr(entry, "old" if side == b"from" else "new", _unquoted(name))
    elif line.startswith((b"Binary files ", b"GIT binary patch")):
        entry.binary = True


def _named(line: bytes) -> Entry:
    """`diff --git a/x b/x`: both names are the same here (a rename says so itself), so the line halves."""
    rest = line[len(b"diff --git ") :]
    half = rest[: len(rest) // 2]
    name = _path(half)
    return Entry(old=name, new=name)


def _path(raw: bytes) -> str | None:
    """A name without its `a/` or `b/`, or None for /dev/null. A tab ends it (a date may follow)."""
    raw = raw.rstrip(b"\r") if raw.startswith(b'"') else raw.partition(b"\t")[0].rstrip(b"\r")
    name = _unquoted(raw)
    if name == "/dev/null":
        return None
    return name[2:] if re.match(r"[abciow]/", name) else name


def _unquoted(raw: bytes) -> str:
    if raw.startswith(b'"') and raw.endswith(b'"'):
        raw = re.sub(
            rb"\\([0-7]{3}|.)",
            lambda m: bytes([int(m[1], 8) & 255]) if len(m[1]) == 3 else _ESCAPES.get(m[1], m[1]),
            raw[1:-1],
        )
    return raw.decode("utf-8", "surrogateescape")
