"""File names in the headers of a diff: quoting, prefixes, time stamps, `/dev/null`.

Git writes a name with unusual characters in quotes with C escapes; other tools put a tab and a time stamp behind it.
The prefixes `a/` and `b/` (or git's mnemonic ones) are taken off when both sides have them.
"""

from __future__ import annotations

import os
import re

from ralph.system.patterns import later

_QUOTED = later(rb'"((?:[^"\\]|\\.)*)"')
_ESCAPE = later(rb"\\([0-7]{1,3}|.)")
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_PREFIXES = frozenset(
    {("a/", "b/"), ("b/", "a/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("w/", "i/"), ("1/", "2/")}
)


def in_file_line(rest: bytes) -> str | None:
    """The name behind `--- `, `+++ ` or `rename from `; None for `/dev/null`."""
    quoted = _QUOTED.match(rest)
    name = _unquoted(quoted[1]) if quoted else rest.partition(b"\t")[0]
    return None if name == b"/dev/null" else os.fsdecode(name)


def in_git_line(rest: bytes) -> str | None:
    """The name behind `diff --git `, if both sides have the same one; None if they do not or it cannot be told."""
    words = _QUOTED.findall(rest)
    if words:
        pair = [_unquoted(word) for word in words]
    else:
        middle = len(rest) // 2
        pair = [rest[:middle], rest[middle + 1 :]] if rest[middle : middle + 1] == b" " else []
    if len(pair) != 2:
        return None
    old, new = map(os.fsdecode, pair)
    if old == new:
        return old
    return old[2:] if (old[:2], new[:2]) in _PREFIXES and old[2:] == new[2:] else None


def stripped(old: str | None, new: str | None, known: str | None) -> tuple[str | None, str | None]:
    """Both names without prefixes. `known` is the name in the `diff --git` line."""
    if old is not None and new is not None:
        return (old[2:], new[2:]) if (old[:2], new[:2]) in _PREFIXES else (old, new)
    return _alone(old, "a/", known), _alone(new, "b/", known)


def _alone(name: str | None, prefix: str, known: str | None) -> str | None:
    if name is None:
        return None
    return name[2:] if name.startswith(prefix) or (known and name[2:] == known) else name


def _unquoted(text: bytes) -> bytes:
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8) & 0xFF]) if escape[:1].isdigit() else _LETTERS.get(escape, escape)
