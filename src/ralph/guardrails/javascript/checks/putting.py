"""Expressions as written, with something else in the place of names (test inventory, class G05)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import tree_sitter

from ralph.guardrails.inventory.lending.calling import NAME
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Binding, unwrapped
from ralph.record import record
from ralph.system.patterns import later

MAX_SHOWN = 1e15
LONGEST = 200
_LOADS = later(rb"\b(?:require|import)\b")
_NO_SPACE_BEFORE = frozenset({")", "]", ".", ",", ";", "?.", "[", ":"})
_NO_SPACE_AFTER = frozenset({"(", "[", ".", "!", "?.", "..."})
_SPACED = frozenset({"=>", "=", "===", "!==", "==", "&&", "||", "+", "-", "*", "/", ",", "return", "await", "?", ":"})
_BEFORE_KEY = later(r"[{,] ?\Z")


@record
class Shown:
    """What a member of `this` stands for; that of a method, once it is called, by the names of its parameters."""

    text: str
    parameters: tuple[str, ...] | None = None

    def called_with(self, given: Sequence[str]) -> str:
        return put_in(self.text, dict(zip(self.parameters or (), given, strict=False)))


def put_in(text: str, given: Mapping[str, str]) -> str:
    """Keys of objects stay what they are."""

    def one(match: re.Match[str]) -> str:
        is_key = text[match.end() : match.end() + 1] == ":" and _BEFORE_KEY.search(text, 0, match.start()) is not None
        return match[0] if is_key else given.get(match[0], match[0])

    return NAME.sub(one, text)


def joined(words: Iterable[str]) -> str:
    """Words as a person would write them."""
    text, last = "", "("
    for word in words:
        tight = word in _NO_SPACE_BEFORE or last in _NO_SPACE_AFTER or (word == "(" and last not in _SPACED)
        text += word if tight else f" {word}"
        last = word
    return text


def shown(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < MAX_SHOWN else repr(number)


def taken_apart(binding: Binding | None) -> tuple[tree_sitter.Node, str] | None:
    """The object of which a constant is a member, and the member's name: `const { type } = body`."""
    if binding is None or binding.kind != "value" or binding.assigned or len(binding.path) != 1:
        return None
    value, key = unwrapped(binding.value), binding.path[0]
    if value is None or not isinstance(key, str) or value.type in FUNCTIONS or not key.isidentifier():
        return None
    written = value.text or b""
    return None if len(written) > LONGEST or _LOADS.search(written) else (value, key)
