"""The rows of parameters that a method, property or field of a test's own file gives (Java, Kotlin, C#).

Rules: rows are counted where they are written down as one list, an array, or a `yield return` each. A list of nothing
gives no row. What computes its rows, or stands in another file, gives a number that nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.commas import between_commas, marks, step
from ralph.guardrails.inventory.model import ROW
from ralph.system.patterns import later

Rows = tuple[str, ...]

COMMENT = later(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = later(r'"""[\s\S]*?"""|@?"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')
BETWEEN = r"""\s*(?:\([^()]*\))?[^;={}("')\]]*?(=>|=(?!=)|\{)"""
NOTHING = later(
    r"(?:\w+\.)*(?:empty\w*|Empty)\s*(?:<[^()]*>)?\(\)|new\s+[\w.<>,? ]+\[0\](?:\[\])*"
    r"|new\s+[\w.]+<[^(){}]*>\(\)|\[\s*\]"
)
LISTED = later(
    r"(?:new\s*[\w.<>,?\[\] ]*(?:\(\s*\))?\s*"
    r"|(?:\w+\.)*(?:<[^()]*>)?(?:of|asList|listOf|arrayOf|sequenceOf|setOf)\s*(?:<[^()]*>)?)?(?=[({\[])"
)
WRAPPED = later(
    r"(?:(?:\w+\.)*(?:<[^()]*>)?(?:arguments|of|arrayOf|listOf|argumentSet)\s*(?:<[^()]*>)?"
    r"|new\s*[\w.<>,?\[\] ]*)?(?=[({\[])"
)
BEHIND = later(r"\s*(?:\.\s*(?:stream|iterator|toList|asStream|toArray|ToArray|ToList|AsEnumerable)\(\))*\s*;?\s*")
YIELDED = later(r"\byield\s+return\s+([^;]+);")
LOOPS = later(r"\b(?:for|foreach|while|do|if)\b")
ACCESSOR = later(r"get\s*\{")
ASSIGNED = later(r"\s*=\s*")


def rows_of(names: Iterable[str], text: str) -> Rows | None:
    """The rows that all of these give; None if nobody can tell."""
    found: Rows = ()
    plain = COMMENT.sub(" ", text)
    for name in names:
        value = _value(name, plain) if name.isidentifier() else None
        rows = None if value is None else _rows(value.strip())
        if rows is None:
            return None
        found += rows
    return found


def _value(name: str, text: str) -> str | None:
    """What a member of that name gives, as written."""
    for match in re.finditer(rf"\b{name}\b{BETWEEN}", text):
        at = match.end()
        if match[1] == "{":
            end = _closed(text, at - 1)
            inner = text[at:end].strip()
            if re.match(r"get\s*;", inner) is None:
                return _given(inner)
            assigned = ASSIGNED.match(text, end + 1)
            if assigned is None:
                continue
            at = assigned.end()
        return text[at : _end(text, at)]
    return None


def _given(body: str) -> str:
    """What a body gives that is one `return`; the body itself if it is anything else."""
    accessor = ACCESSOR.match(body)
    if accessor is not None:
        return _given(body[accessor.end() : _closed(body, accessor.end() - 1)].strip())
    if not re.match(r"return\b", body):
        return body
    end = _end(body, len("return"))
    return body[len("return") : end] if body[end:].strip() in ("", ";") else body


def _rows(value: str) -> Rows | None:
    if NOTHING.fullmatch(value.removesuffix(";")) or re.fullmatch(r"yield\s+break\s*;", value):
        return ()
    if value.startswith("yield") and not LOOPS.search(STRING.sub("", value)):
        return tuple(_row(row) for row in YIELDED.findall(value))
    opened = LISTED.match(value)
    if opened is None:
        return None
    end = _closed(value, opened.end())
    if not BEHIND.fullmatch(value[end + 1 :]):
        return None
    return tuple(_row(row) for row in parts_of_list(value[opened.end() + 1 : end]))


def _row(row: str) -> str:
    """Elements of a row, as the rows of annotations are written."""
    wrapped = WRAPPED.match(row)
    if wrapped is not None and _closed(row, wrapped.end()) == len(row) - 1:
        return ROW.join(part.strip('"') for part in parts_of_list(row[wrapped.end() + 1 : -1]))
    return row.strip('"')


def parts_of_list(text: str) -> list[str]:
    """The parts between commas that nothing encloses."""
    return [part for part in between_commas(text, STRING) if part]


def _closed(text: str, start: int) -> int:
    """Where what is opened at `start` is closed."""
    depth = 0
    for at, letter in marks(text, STRING, start):
        depth += step(letter)
        if not depth:
            return at
    return len(text)


def _end(text: str, start: int) -> int:
    """Where an expression ends: at a `;`, or at the end of a line that nothing goes on."""
    depth = 0
    for at, letter in marks(text, STRING, start):
        depth += step(letter)
        if depth < 0 or (letter == ";" and not depth):
            return at
        if letter == "\n" and not depth and text[start:at].strip() and not re.match(r"\s*[.{\[(]", text[at:]):
            return at
    return len(text)
