"""A command of a shell with what stands in quotes and in `$( … )` covered, so that its own signs can be found.

[ "$(cd "$DIR" && ls)" = "a b" ]        [ "______________________" = "___" ]
"""

from __future__ import annotations

COVER = "_"


def covered(text: str) -> str:
    """The same length; the quotes and brackets on the outside stay."""
    told = list(text)
    inside: list[str] = []
    index = 0
    while index < len(text):
        mark, top, depth = text[index], inside[-1] if inside else "", len(inside)
        taken = 1
        if mark == "\\" and top != "'":
            taken = 2
        elif top == "'":
            if mark == "'":
                inside.pop()
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
    return "".join(told)


def parted(text: str, sign: str) -> list[str]:
    """What stands between the signs of the command itself."""
    parts, start, hidden = [], 0, covered(text)
    while (found := hidden.find(sign, start)) >= 0:
        parts.append(text[start:found])
        start = found + len(sign)
    return [*parts, text[start:]]
