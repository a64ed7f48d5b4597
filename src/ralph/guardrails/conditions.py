"""Is a test skipped for the sake of the platform it runs on, or for the sake of a green run?

A condition counts as one about the platform only if all of it is: every name in it belongs to the language's
platform vocabulary, at least one of them asks about the platform, and it compares with names of platforms. A
constant, an environment variable, or anything else beside it makes it a plain skip; what every machine meets is one.
"""

from __future__ import annotations

from ralph.record import record
from ralph.system.patterns import later

LITERAL = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|/(?:[^/\\\n]|\\.)+/[a-z]*|%r\{[^}]*\}")
COMPARED = later(r"(?:[<>]=?|[=!]=+|<=>)\s*\d[\d._]*L?\b")
"""A comparison with a number, such as a version: it says nothing without the name it compares."""
NAME = later(r"[^\W\d]\w*[?!]?|\d+")
EMPTY = later(r"""["'`]\s*["'`]$""")

SYSTEMS = (
    later(r"(?i)linux|unix"),
    later(r"(?i)mac|darwin|osx|unix"),
    later(r"(?i)\bwin(?:dows|32nt|32)?\b|mswin|mingw|IsWindows"),
)
SOME_DIFFERENCE = later(r"(\S+)\s*!=\s*[^|&]+\|\|\s*\1\s*!=\s*[^|&]+")


ALWAYS = later(r"(?:[\w.!=<> ()]*(?:\|\||\bor\b)\s*)?(?:[Tt]rue|1|!\s*false|not False)(?:\s*(?:\|\||\bor\b).*)?")


def holds_always(condition: str) -> bool:
    """`true`, `!false`, `db == nil || true`."""
    return ALWAYS.fullmatch(condition.strip("() ;")) is not None


NEVER = later(r"[Ff]alse|nil|null|0|!\s*true|not True")


def holds_never(condition: str) -> bool:
    """`false`, `!true`."""
    return NEVER.fullmatch(condition.strip("() ;")) is not None


def names_all_systems(text: str) -> bool:
    return all(system.search(text) for system in SYSTEMS)


RARE = later(
    r"(?i)[\"'](?:plan9|aix|solaris|illumos|sunos\d*|z/?os|haiku|nacl|hurd|dragonfly|os/?2|amiga|vms|irix|hp-?ux)[\"']"
)
"""Platforms on which hardly anybody's checks run."""


def _only_not_rare(condition: str) -> bool:
    """It asks for nothing but another platform than a rare one."""
    literals = LITERAL.findall(condition)
    return bool(literals) and "==" not in condition and all(map(RARE.fullmatch, literals)) and "!" in condition


def holds_everywhere(condition: str) -> bool:
    """`os == "linux" || os == "darwin" || os == "windows"`, `os != "linux" || os != "windows"`, `os != "plan9"`."""
    if SOME_DIFFERENCE.fullmatch(condition.strip("() ")) or _only_not_rare(condition):
        return True
    return names_all_systems(condition) and "!" not in condition and "&&" not in condition


NEGATED = later(r"!|\bnot\b")
JOINED = later(r"&&|\|\||\b(?:and|or|all|any)\b")


def on_linux(condition: str) -> bool | None:
    """Whether a condition on one platform holds on Linux alone, or everywhere but there. Checks run on Linux."""
    linux, *others = (system.search(condition) is not None for system in SYSTEMS)
    if not linux or any(others) or JOINED.search(condition) or "unix" in condition.lower():
        return None
    return len(NEGATED.findall(condition)) % 2 == 0


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
