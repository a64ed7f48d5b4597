"""Brace expansion: one word becomes several before anything else is expanded (bash manual, Brace Expansion).

A word comes as items: parts, and the unquoted characters `{`, `,` and `}` as plain strings. Only well-formed lists
and short sequences are expanded; braces with nothing to expand stay as they are (`{}`, `HEAD@{1}`); of anything else
(an unbalanced brace beside a comma, more than 64 words) nobody needs to know how bash reads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ralph.shell.model import Part, Text, Variable

Item = Part | str

LIMIT = 64

_SEQUENCE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,6}))?|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z])")


class TooComplex(Exception):
    """The braces of a word are not of the well-formed, small kind."""


def expand(items: Sequence[Item]) -> list[list[Part]]:
    """The words that the items become. Raises TooComplex."""
    if items.count("{") > LIMIT // 2:
        raise TooComplex
    words = _expand(list(items))
    if len(words) > 1 and any(_grows(item) for item in items):
        raise TooComplex
    return [_parts(word) for word in words]


def _expand(items: list[Item]) -> list[list[Item]]:
    opening = next((at for at, item in enumerate(items) if item == "{"), None)
    if opening is None:
        return [items]
    closing, commas = _matching(items, opening)
    inside = items[opening + 1 : closing]
    choices = _choices(items, opening, closing, commas) if commas else _sequence(inside)
    tails = _expand(items[closing + 1 :])
    if choices is None:
        choices = [[Text("{"), *word, Text("}")] for word in _expand(inside)]
    words = [[*items[:opening], *choice, *tail] for choice in choices for tail in tails]
    if len(words) > LIMIT:
        raise TooComplex
    return words


def _matching(items: list[Item], opening: int) -> tuple[int, list[int]]:
    depth = 0
    commas: list[int] = []
    for at in range(opening, len(items)):
        if items[at] == "{":
            depth += 1
        elif items[at] == "}":
            depth -= 1
            if not depth:
                return at, commas
        elif items[at] == "," and depth == 1:
            commas.append(at)
    raise TooComplex


def _choices(items: list[Item], opening: int, closing: int, commas: list[int]) -> list[list[Item]]:
    edges = [opening, *commas, closing]
    return [word for left, right in pairwise(edges) for word in _expand(items[left + 1 : right])]


def _sequence(inside: list[Item]) -> list[list[Item]] | None:
    """The words of `1..3`; None if it is no sequence."""
    if not all(isinstance(item, Text) and not item.quoted for item in inside):
        if any(isinstance(item, Text) and ".." in item.text for item in inside):
            raise TooComplex
        return None
    text = "".join(item.text for item in inside if isinstance(item, Text))
    if ".." not in text:
        return None
    match = _SEQUENCE.fullmatch(text)
    if match is None:
        raise TooComplex
    first, last, step, *letters = match.groups()
    if first is None:
        low, high = (ord(letter) for letter in letters if letter)
        return [[Text(chr(code))] for code in _range(low, high, 1)]
    width = max(len(first), len(last)) if re.match("-?0[0-9]", first) or re.match("-?0[0-9]", last) else 0
    return [[Text(f"{number:0{width}d}")] for number in _range(int(first), int(last), abs(int(step or 1)) or 1)]


def _range(first: int, last: int, step: int) -> range:
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    if len(numbers) > LIMIT:
        raise TooComplex
    return numbers


def _grows(item: Item) -> bool:
    """True if what comes to stand behind it may change it: braces go first, so `{a,$x}b` has the variable `xb`."""
    return isinstance(item, Variable) or (isinstance(item, Text) and not item.quoted and item.text.endswith("$"))


def _parts(items: list[Item]) -> list[Part]:
    return [Text(item) if isinstance(item, str) else item for item in items]
