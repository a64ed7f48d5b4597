"""A command of a shell with what stands in quotes and in `$( … )` covered, so that its own signs can be found.

[ "$(cd "$DIR" && ls)" = "a b" ]        [ "______________________" = "___" ]

`$'it\\'s'` is one quote.
"""

from __future__ import annotations

from ralph.system.patterns import later

WORD = later(r"\S+")

COVER = "_"
ANSI = "$'"
"""Opens a quote in which a backslash counts."""


def covered(text: str) -> str:
    """The same length; the quotes and brackets on the outside stay."""
    return _walked(text)[0]


def is_quote_open(text: str) -> bool:
    """A quote that begins in the text does not end there."""
    return any(each != "(" for each in _walked(text)[1])


def _walked(text: str) -> tuple[str, list[str]]:
    """What is covered, and what is still open at the end."""
    told = list(text)
    inside: list[str] = []
    index = 0
    while index < len(text):
        mark, top, depth = text[index], inside[-1] if inside else "", len(inside)
        taken = 1
        if mark == "\\" and top != "'":
            taken = 2
        elif top in ("'", ANSI):
            if mark == "'":
                inside.pop()
        elif text.startswith(ANSI, index) and top != '"':
            taken = 2
            inside.append(ANSI)
        elif mark == '"' or (mark == "'" and top != '"'):
            if top == mark:
                inside.pop()
            else:
                inside.append(mark)
        elif text.startswith("$(", index) or (mark == "(" and top == "("):
            taken = 2 if mark == "$" else 1
            inside.append("(")
        elif mark == ")" and top == "(":
            inside.pop()
        if depth and (inside or taken == 2):
            told[index : index + taken] = COVER * len(text[index : index + taken])
        index += taken
    return "".join(told), inside


def words_of(text: str) -> list[str]:
    """The words of a command, each with its quotes."""
    hidden = covered(text)
    return [text[slice(*found.span())] for found in WORD.finditer(hidden)]


def parted(text: str, sign: str) -> list[str]:
    """What stands between the signs of the command itself."""
    parts, start, hidden = [], 0, covered(text)
    while (found := hidden.find(sign, start)) >= 0:
        parts.append(text[start:found])
        start = found + len(sign)
    return [*parts, text[start:]]
