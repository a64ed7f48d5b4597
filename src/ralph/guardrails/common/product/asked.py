"""Whether a test asks for a value: its constants, however they are written, close together in the text of a test."""

from __future__ import annotations

import re
from collections.abc import Iterable

TRIVIAL = frozenset(
    {"0", "1", "-1", "2", "''", "None", "True", "False", "0.0", "1.0", "()", "[]", "{}", "b''", "100", "10"}
)
MOST_TESTS = 300
"""So many test files are searched for a special case."""


def asks(test: str, given: Iterable[str], result: str) -> bool:
    """A test file has the constants close together."""
    if not all(word in test for each in (*given, result) if each not in TRIVIAL for word in _words(each)):
        return False
    wanted = [anywhere(each) for each in (*(each for each in given if each not in TRIVIAL), result)]
    if any(each[:1] == "(" for each in given) and not wanted[0].search(test):
        wanted = [*map(_in_one_call, given), wanted[-1]]
    if not all(pattern.search(test) for pattern in wanted):
        return False
    lines = test.split("\n")
    for index, line in enumerate(lines):
        near = "\n".join(lines[index : index + 4])
        if wanted[-1].search(line) and all(
            pattern.search("\n".join(lines[max(0, index - 6) : index + 1])) for pattern in wanted
        ):
            return True
        if wanted[0].search(line) and all(pattern.search(near) for pattern in wanted):
            return True
    return False


def anywhere(constant: str) -> re.Pattern[str]:
    """A constant as it may be written in a test: any blanks, either kind of quotes."""
    parts = re.findall(r"'[^']*'|\"[^\"]*\"|[\w.]+|[^\s\w]", constant.strip("()"))
    quoted = (f"[\"']{re.escape(part[1:-1])}[\"']" if part[:1] in "'\"" else _written(part) for part in parts)
    return re.compile(r"(?<![\w.])" + r"\s*".join(quoted) + r"(?![\w])")


def _words(constant: str) -> list[str]:
    """What stands in every test that has the constant, letter by letter."""
    return [part.strip("'\"") for part in re.findall(r"'[^']*'|\"[^\"]*\"|[\w.]+", constant)]


def _written(part: str) -> str:
    """A list may end in a comma, and a fraction in noughts."""
    fraction = r"0*" if re.fullmatch(r"\d+\.\d+", part) else ""
    return rf",?\s*{re.escape(part)}" if part == "]" else re.escape(part) + fraction


def _in_one_call(constant: str) -> re.Pattern[str]:
    """The parts of a tuple in their order in one line: `f(P(2, 100), rate=0.1)` for `(2, 100, 0.1)`."""
    parts = re.findall(r"'[^']*'|\"[^\"]*\"|-?[\w.]+", constant)
    return re.compile(r"[^\n]*?".join(anywhere(part).pattern for part in parts))


def is_number(constant: str) -> bool:
    return re.fullmatch(r"-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?", constant) is not None
