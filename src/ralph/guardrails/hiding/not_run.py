"""Calls by the name of what runs a text, that run nothing (see `encoded`).

Rules: `exec` of an expression of JavaScript looks for a match, and `compile` of a regular expression (`re.compile`,
`Pattern.compile`) makes one. Which one it is the file says: it is written out, made by `RegExp`, or declared so under
the name that is asked. `assert` evaluates a text in PHP alone, and not where two values are compared; `require` loads a
file in the languages of scripts, and demands something in the others.
"""

from __future__ import annotations

import re

from ralph.system.patterns import later

SCRIPTS = frozenset({"javascript", "typescript", "tsx", "vue"})
LOADS = SCRIPTS | {"ruby", "php"}
EXPRESSIONS = later(rb"(?:(?<![\w.])(?:re|regex|re2)|\b(?:Pattern|Regexp?|RegExp|regexp))\s*\.\s*$")
NAMED = later(rb"(?<![\w$])([A-Za-z_$][\w$]*)\s*\??\.\s*$")
WRITTEN = later(rb"/[dgimsuvy]*\s*\)?\s*\??\.\s*$|(?<![\w$.])RegExp\((?:[^()\n]|\([^()\n]*\))*\)\s*\??\.\s*$")
TEXT = later(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
COMPARED = later(rb"[!=]==?|\binstanceof\b|[<>]")
BEFORE = 300
"""So many bytes before a call have what it is called on."""


def is_not_run(data: bytes, match: re.Match[bytes], argument: bytes, named: str | None) -> bool:
    """`match` is a call that has the name of one that runs its argument, in a file of the language `named`."""
    called = match[0].rstrip(b"( \t\r\n")
    if called == b"assert":
        return named != "php" or COMPARED.search(TEXT.sub(b"", argument)) is not None
    if called == b"require":
        return named not in LOADS
    if called not in (b"exec", b"compile"):
        return False
    before = data[max(0, match.start() - BEFORE) : match.start()]
    if called == b"compile":
        return EXPRESSIONS.search(before) is not None
    is_written = WRITTEN.search(before) is not None and b"/*" not in before.rpartition(b"\n")[2]
    return named in SCRIPTS and (is_written or _is_expression(data, NAMED.search(before)))


def _is_expression(data: bytes, name: re.Match[bytes] | None) -> bool:
    """All that the file gives to that name are regular expressions, or its type says that it is one."""
    if name is None:
        return False
    own = re.escape(name[1])
    if re.search(rb"(?<![\w$])" + own + rb"\s*\??\s*:\s*(?:globalThis\.)?RegExp\b", data):
        return True
    given = re.findall(rb"(?<![\w$])" + own + rb"\s*=(?![=>])\s*([^\n]{0,80})", data)
    return bool(given) and all(re.match(rb"/(?![/*])|(?:new\s+)?RegExp\(", value) for value in given)
