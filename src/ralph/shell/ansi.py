"""The text of `$'…'` (bash manual, ANSI-C Quoting).

What it decodes to must be plain ASCII, a tab included: a newline or another control character is a way to hide one
line in another, and what bytes a character beyond ASCII becomes depends on the locale.
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|.)", re.DOTALL)
_SINGLE = {"a": 7, "b": 8, "e": 27, "E": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_SELF = "\\'\"?"
_UNFINISHED = "cxuU"
"""`\\c` makes a control character; `\\x` and `\\u` without a digit mean different things in different shells."""


def decode(body: str) -> str | None:
    """What `$'body'` stands for, or None if that is not to be known or not to be allowed."""
    text = []
    at = 0
    for match in _ESCAPE.finditer(body):
        character = _character(match[1])
        if character is None:
            return None
        text += [body[at : match.start()], character]
        at = match.end()
    text.append(body[at:])
    return "".join(text)


def _character(escape: str) -> str | None:
    kind = escape[0]
    if kind in "01234567":
        code = int(escape, 8)
    elif len(escape) > 1:
        code = int(escape[1:], 16)
    elif kind in _SINGLE:
        code = _SINGLE[kind]
    elif kind in _UNFINISHED:
        return None
    else:
        return kind if kind in _SELF else "\\" + kind
    return chr(code) if code == ord("\t") or 32 <= code < 127 else None
