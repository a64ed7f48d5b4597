"""Is a test skipped for the sake of the platform it runs on, or for the sake of a green run?

A condition counts as one about the platform only if all of it is: every name in it belongs to the language's
platform vocabulary, at least one of them asks about the platform, and it compares with names of platforms. A
constant, an environment variable, or anything else beside it makes it a plain skip.
"""

from __future__ import annotations

from ralph.record import record
from ralph.system.patterns import later

LITERAL = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|/(?:[^/\\\n]|\\.)+/[a-z]*|%r\{[^}]*\}")
COMPARED = later(r"(?:[<>]=?|[=!]=+|<=>)\s*\d[\d._]*L?\b")
"""A comparison with a number, such as a version: it says nothing without the name it compares."""
NAME = later(r"[^\W\d]\w*[?!]?|\d+")
EMPTY = later(r"""["'`]\s*["'`]$""")


@record
class Vocabulary:
    """`asks` are names that ask about the platform, `other` what may stand around them."""

    asks: frozenset[str]
    other: frozenset[str] = frozenset()

    def only_platform(self, condition: str) -> bool:
        literals = LITERAL.findall(condition)
        names = NAME.findall(COMPARED.sub(" ", LITERAL.sub(" ", condition)))
        return (
            any(name in self.asks for name in names)
            and all(name in self.asks or name in self.other for name in names)
            and not any(EMPTY.fullmatch(literal) for literal in literals)
        )


def vocabulary(asks: str, other: str = "") -> Vocabulary:
    """From names apart by blanks."""
    return Vocabulary(frozenset(asks.split()), frozenset(other.split()))
