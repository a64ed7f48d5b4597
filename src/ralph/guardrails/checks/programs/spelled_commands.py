"""Commands that a script of another language spells as texts: `["mypy", "--strict", "app"]`, `"eslint ."`.

Rule: the texts of a line, and those between brackets that hold no others, are read as words from one of them on: a name
may stand before a command. A text of several words is also read by itself: what stands behind it may be no part of it
(`execSync("tsc -p .", { stdio: "inherit" })`). What is put together when the script runs is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ralph.guardrails.checks.shell.outline import check_of
from ralph.record import record
from ralph.system.patterns import later

STRING = later(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`([^`$\n]*)`|\b(sys\.executable|process\.execPath)\b")
INNERMOST = later(r"[(\[{][^()\[\]{}]{2,600}[)\]}]")
LINE = later(r"[^\n]{3,400}")


@record
class Spelled:
    words: tuple[str, ...]
    start: int
    end: int


def strings(part: str) -> list[str]:
    """What stands between quotes; the interpreter that runs the script counts as its name."""
    return ["python" if match[4] else match[1] or match[2] or match[3] or "" for match in STRING.finditer(part)]


def command(texts: Sequence[str]) -> tuple[str, ...]:
    """The first check that the texts spell; nothing if they spell none."""
    for start in range(len(texts)):
        words = [word for each in texts[start:] for word in each.split()]
        found = check_of(words) if words else None
        if found is not None and found[1] != "named":
            return found[0]
    return ()


@lru_cache(maxsize=50)
def commands_in(text: str) -> tuple[Spelled, ...]:
    return tuple(_commands(text))


def _commands(text: str) -> Iterator[Spelled]:
    for form in (INNERMOST, LINE):
        for match in form.finditer(text):
            texts = strings(match[0])[:40]
            if words := command(texts):
                yield Spelled(words, match.start(), match.end())
                alone = (command([text]) for text in texts if " " in text)
                yield from (Spelled(each, match.start(), match.end()) for each in alone if each and each != words)
