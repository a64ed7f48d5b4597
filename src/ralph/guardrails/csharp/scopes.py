"""Scopes that gather the failures of FluentAssertions, and whether anybody hears of them."""

from __future__ import annotations

import re

from ralph.system.patterns import later

SCOPE = later(
    r"(?P<using>\busing\s*\(?\s*)?(?:(?:var|AssertionScope)\s+(?P<name>\w+)\s*=\s*)?new\s+AssertionScope\s*\("
)


def is_scope_unheard(body: str) -> bool:
    """One that throws away what it gathered (`Discard`), or never ends, so that it never tells."""
    for scope in SCOPE.finditer(body) if "AssertionScope" in body else ():
        rest, name = body[scope.end() :], scope["name"]
        if name and re.search(rf"(?<!\w){name}\s*\.\s*Discard\s*\(", rest):
            return True
        if not scope["using"] and not (name and re.search(rf"(?<!\w){name}\s*\.\s*Dispose\s*\(", rest)):
            return True
    return False
