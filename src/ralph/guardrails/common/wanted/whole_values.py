"""Carriers of values that are more than one literal: a list, a record, a call that makes something of constants.

The value of a name is all of what stands behind its equals sign, or behind the `return` of a function that does nothing
else, be it on many lines. It is told where a line of it changed, and where both sides of a change have the name once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.common.wanted.carriers import (
    HEAD,
    LITERAL,
    LONGEST,
    WORDS,
    Carrier,
    called,
    first_of,
    is_local,
    named,
    target_of,
)
from ralph.guardrails.model import FileChange
from ralph.record import record
from ralph.system.patterns import later

EQUALS = later(r"(?<![=!<>:+\-*/|&%^~])(?::=|=)(?![=>~])")
LET = later(r"\blet!?\(:(?P<name>\w+)\)\s*\{")
RETURN = later(r"\s*return\b")
OPEN, CLOSED = frozenset("([{"), frozenset(")]}")
NAMES = later(r"[A-Za-z_]\w*(?!\s*[:=](?![:=])|\w)")
MADE_OF = later(
    r"[A-Z]\w*|new|of|as_?[lL]ist|vec|list_?[oO]f|set_?[oO]f|map_?[oO]f|array_?[oO]f|to|b|r|u|rb|br|true|false|nil|null|string|bool|byte"
    r"|u?int\d*|float\d*|[iuf](?:8|16|32|64|size)|any|interface|map|const|freeze|date(?:time)?|timedelta|frozenset|set|dict|tuple|list"
)
"""Words of which a value may be made that is written down."""
MOST_LINES = 60


@record
class _Written:
    name: str
    line: int
    value: str
    is_answer: bool
    """A function gives it."""


def whole_values(file: FileChange, old: Sequence[str], new: Sequence[str]) -> Iterator[Carrier]:
    seen = set[int]()
    for hunk in file.hunks:
        for number in range(hunk.new_start, hunk.new_start + max(1, len(hunk.added))):
            now = _around(new, number)
            if now is None or now.line in seen:
                continue
            seen.add(now.line)
            if not _is_written(now.value) or (not now.is_answer and is_local(file.path, new, now.line, now.name)):
                continue
            was = [each for each in _all(old, now.name) if each.is_answer is now.is_answer]
            if len(was) == 1 and was[0].value != now.value and _is_written(was[0].value):
                tell = called if now.is_answer else named
                yield tell(file.path, now.line, now.name, was[0].value, now.value)


def _around(lines: Sequence[str], number: int) -> _Written | None:
    """What is given a value by a text that holds the line."""
    for start in range(min(number, len(lines)), max(0, number - MOST_LINES), -1):
        found = _at(lines, start)
        if found is not None:
            written, end = found
            return written if end >= number else None
    return None


def _all(lines: Sequence[str], name: str) -> list[_Written]:
    word = name.rpartition(".")[2].lstrip("@$")
    near = {each for index, line in enumerate(lines, start=1) if word in line for each in (index, index + 1)}
    found = (_at(lines, start) for start in sorted(near) if start <= len(lines))
    return [each[0] for each in found if each is not None and each[0].name == name]


def _at(lines: Sequence[str], start: int) -> tuple[_Written, int] | None:
    """What the line begins to give a value, and the last line of that."""
    line = lines[start - 1]
    if len(line) > LONGEST:
        return None
    if (let := LET.search(line)) is not None:
        return _read(lines, start, let.end() - 1, let["name"], is_answer=True)
    if (returns := RETURN.match(line)) is not None:
        head = HEAD.search(lines[start - 2][:LONGEST]) if start > 1 else None
        name = first_of(head) if head is not None else ""
        return _read(lines, start, returns.end(), name, is_answer=True) if name and name not in WORDS else None
    sign = EQUALS.search(line)
    before = line[: sign.end()] if sign is not None else ""
    target = target_of(before)
    return _read(lines, start, len(before), target, is_answer=False) if target else None


def _read(lines: Sequence[str], start: int, at: int, name: str, *, is_answer: bool) -> tuple[_Written, int] | None:
    depth, parts = 0, list[str]()
    for number in range(start, min(start + MOST_LINES, len(lines) + 1)):
        line = lines[number - 1]
        part = line[at:] if number == start else line
        plain = LITERAL.sub("0", part)
        depth += sum(each in OPEN for each in plain) - sum(each in CLOSED for each in plain)
        parts.append(part.strip())
        if depth <= 0 and "".join(parts):
            value = " ".join(parts).rstrip("; ").rstrip(",")
            if lines[start - 1][at : at + 1] == "{" and is_answer:  # the block of a `let`
                value = value[1:-1].strip()
            return _Written(name, start, value, is_answer), number
    return None


def _is_written(value: str) -> bool:
    """It is made of constants."""
    return bool(value) and all(MADE_OF.fullmatch(each) for each in NAMES.findall(LITERAL.sub("0", value)))
