"""What a condition of a pipeline says, as far as it is known: GitHub's `if` and GitLab's `rules:if`.

Rule: a part is true, false, or None where only running could tell. `Possible` stands for a value of which no more is
known than what it may be: to be equal to anything else is false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ralph.record import record
from ralph.system.patterns import later

TOKEN = later(
    r"\s*(?:(?P<text>'(?:[^']|'')*'|\"[^\"]*\")|(?P<regex>/(?:\\.|[^/\\])+/\w*)|(?P<sign>&&|\|\||[=!]=|[=!]~|[<>]=?|[!(),])"
    r"|(?P<number>-?\d+(?:\.\d+)?\b)|(?P<name>\$?[A-Za-z_][\w-]*(?:\.(?:[\w-]+|\*)|\[[^\]]*\])*))"
)
MOST = 2_000


@record
class Possible:
    may: Callable[[str], bool]


@record
class Pattern:
    text: str


Value = Any
"""A text, a number, a truth, a tuple of values, `Possible`, `Pattern`, or None for what is not known."""
Look = Callable[[str], Value]
Ask = Callable[[str, Sequence[Value]], Value]


def truth(text: str, look: Look, ask: Ask) -> bool | None:
    """The truth of a condition; None if it cannot be read, too."""
    tokens = _tokens(text)
    if not tokens:
        return None
    reader = _Reader(tokens, look, ask)
    try:
        found = reader.either()
    except (IndexError, RecursionError):
        return None
    return _holds(found) if reader.at == len(tokens) else None


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at, text = 0, text.strip()[:MOST]
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            return []
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]], look: Look, ask: Ask) -> None:
        self.tokens, self.look, self.ask, self.at = tokens, look, ask, 0

    def _next(self, *signs: str) -> str:
        """The sign that stands here, if it is one of these."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def either(self) -> Value:
        return self._joined("||", self.both, deciding=True)

    def both(self) -> Value:
        return self._joined("&&", self.compared, deciding=False)

    def _joined(self, sign: str, part: Callable[[], Value], *, deciding: bool) -> Value:
        """A side's own value where that is known, as `head_ref || ref_name` is a name."""
        found = part()
        while self._next(sign):
            holds, other = _holds(found), part()
            if holds is None:
                found = deciding if _holds(other) is deciding else None
            elif holds is not deciding:
                found = other
        return found

    def compared(self) -> Value:
        left = self.single()
        sign = self._next("==", "!=", "=~", "!~", "<", ">", "<=", ">=")
        if not sign:
            return left
        return _compared(left, sign, self.single())

    def single(self) -> Value:
        if self._next("!"):
            found = _holds(self.single())
            return None if found is None else not found
        if self._next("("):
            inner = self.either()
            self.at += 1
            return inner
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "name" and self._next("("):
            return self.ask(text.lower(), self._arguments())
        if kind == "name":
            return (
                {"true": True, "false": False, "null": ""}[text]
                if text in ("true", "false", "null")
                else self.look(text)
            )
        if kind == "regex":
            return Pattern(text.rpartition("/")[0][1:])
        return text[1:-1] if kind == "text" else text

    def _arguments(self) -> list[Value]:
        found: list[Value] = []
        while not self._next(")"):
            found.append(self.either())
            self._next(",")
        return found


def _holds(value: Value) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Possible):
        return None
    return value not in ("", "0") if isinstance(value, str) else True


def _compared(left: Value, sign: str, right: Value) -> bool | None:
    if isinstance(right, Possible):
        left, right = right, left
    if left is None or right is None or isinstance(right, Possible):
        return None
    if sign in ("=~", "!~"):
        return _matched(left, right, sign)
    if sign not in ("==", "!="):
        return _ordered(left, sign, right)
    if isinstance(left, bool) and right == "":
        same: bool | None = not left
    elif isinstance(right, bool) and left == "":
        same = not right
    elif isinstance(left, Possible):
        same = None if left.may(str(right)) else False
    else:
        same = str(left).lower() == str(right).lower()
        if not same and _ordered(left, "<=", right) and _ordered(left, ">=", right):
            # `3.10` is no other number than `3.1`, and may be another text.
            return None
    return same if same is None or sign == "==" else not same


def _matched(left: Value, right: Value, sign: str) -> bool | None:
    if not isinstance(left, str) or not isinstance(right, Pattern):
        return None
    try:
        return (re.search(right.text, left) is not None) is (sign == "=~")
    except re.error:
        return None


def _ordered(left: Value, sign: str, right: Value) -> bool | None:
    try:
        one, other = float(left), float(right)
    except (TypeError, ValueError):
        return None
    return {"<": one < other, ">": one > other, "<=": one <= other, ">=": one >= other}[sign]
