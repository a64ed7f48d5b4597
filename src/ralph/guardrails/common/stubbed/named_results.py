"""Go: a bare `return` gives what its function named, which may be the failure itself (policy set v2, class G19).

Rule: `return err` that became `return` tells of it as before where the function that it stands in names its results,
and the failure was returned under that very name. Where another variable held it (`return closing`), it is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.system.patterns import later

GIVEN = later(r"return\s+(?:[^,]+,\s*)*(?P<name>\w+)")
INDENT = later(rb"[ \t]*")
HEAD = later(rb"(?:\bfunc\b.*|^[ \t]*)\)\s*\((?P<results>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*\{\s*$")
FUNCTION = later(rb"\bfunc\b|^[ \t]*\)")
"""Where a function begins, whose parameters may stand on lines of their own."""


def is_returned_by_name(was: str, now: Sequence[str], lines: Sequence[bytes], at: int) -> bool:
    """A line of code, the lines in its place, and the file with the line (from 0) above them."""
    given = GIVEN.fullmatch(was)
    if given is None or list(now) != ["return"]:
        return False
    head = _head_around(lines, at)
    return head is not None and re.search(rf"\b{given['name']}\s+error\b".encode(), head) is not None


def _head_around(lines: Sequence[bytes], at: int) -> bytes | None:
    """What the function names that a line stands in: gofmt indents what is inside."""
    depth = len(_indent(lines[at])) + 1
    for line in reversed(lines[: at + 1]):
        if not line.strip() or len(_indent(line)) >= depth:
            continue
        depth = len(_indent(line))
        if line.rstrip().endswith(b"{") and FUNCTION.search(line):
            head = HEAD.search(line)
            return head["results"] if head is not None else None
    return None


def _indent(line: bytes) -> bytes:
    found = INDENT.match(line)
    return found[0] if found is not None else b""
