"""No regular expression of the project can be read in exponentially many ways: one line of text could stop a run.

The rule: what is repeated without end has nothing in it that is repeated without end, too, unless something stands
beside that which it cannot match itself; nor two such repetitions side by side which a letter fits both; and of two
alternatives that are repeated, no letter fits both. `(?:\\w+_)*` breaks it, as `a_a_` is one round or two;
`(?:\\w+-)*` does not. So does `(?:[ ]+.*\\n)*`, as each blank at a line's beginning may be of either.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import ralph
from ralph.guardrails.secrets.formats import FORMATS
from ralph.system.patterns import Later

LETTERS = [chr(number) for number in range(128)]
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
NOTHING = (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
Item = tuple[Any, Any]


@cache
def expressions() -> list[tuple[str, int]]:
    """Those that modules hold, and what is put together from tables when it is first asked."""
    found = {(each.written, 0) for each in FORMATS}
    for module in pkgutil.walk_packages(ralph.__path__, "ralph."):
        if not module.name.endswith("__main__"):
            held = vars(importlib.import_module(module.name)).values()
            found |= {(_text(each.pattern), each.flags & ~re.UNICODE) for each in held if isinstance(each, re.Pattern)}
    found |= {(_text(each.pattern), each._flags) for each in gc.get_objects() if isinstance(each, Later)}
    return sorted(found)


def _text(pattern: str | bytes) -> str:
    return pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern


def ambiguous(pattern: str, flags: int = 0) -> list[str]:
    """What of an expression can be read in exponentially many ways."""
    parsed: list[Item] = parser.parse(pattern, flags)
    return [repr(body) for body in _repeated(parsed) if _is_ambiguous(body)]


def _repeated(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The bodies of all repetitions without an end."""
    for code, given in items:
        if code in REPEATS and given[1] is codes.MAXREPEAT:
            yield list(given[2])
        for inner in _inner(code, given):
            yield from _repeated(inner)


def _inner(code: Any, given: Any) -> list[Any]:
    if code in (*REPEATS, codes.POSSESSIVE_REPEAT):
        return [given[2]]
    if code is codes.SUBPATTERN:
        return [given[3]]
    if code is codes.ATOMIC_GROUP:
        return [given]
    if code is codes.BRANCH:
        return list(given[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [given[1]]
    return [each for each in given[1:] if each is not None] if code is codes.GROUPREF_EXISTS else []


def _is_ambiguous(body: list[Item]) -> bool:
    ways = list(_ways(body))
    if any(_swallows(way) or _meets(way) for way in ways):
        return True
    single = [_letters(way[0]) for way in ways if len(way) == 1]
    return any(one & other for at, one in enumerate(single) for other in single[:at])


def _ways(body: list[Item]) -> Iterator[list[Item]]:
    """Each alternative as one sequence, without what matches no letter."""
    for at, (code, given) in enumerate(body):
        if code is codes.SUBPATTERN:
            yield from _ways([*body[:at], *given[3], *body[at + 1 :]])
            return
        if code is codes.BRANCH:
            for branch in given[1]:
                yield from _ways([*body[:at], *branch, *body[at + 1 :]])
            return
    yield [each for each in body if each[0] not in NOTHING]


def _swallows(way: list[Item]) -> bool:
    """Something in it that is repeated without an end can match all that stands beside it."""
    for at, (code, given) in enumerate(way):
        if code in REPEATS and given[1] is codes.MAXREPEAT:
            taken = _all_letters(given[2])
            rest = [*way[:at], *way[at + 1 :]]
            if taken and all(_may_be_nothing(each) or _all_letters([each]) & taken for each in rest):
                return True
    return False


def _meets(way: list[Item]) -> bool:
    """Two things in it that are repeated without an end stand side by side, and a letter fits both."""
    for at, one in enumerate(way):
        for other in way[at + 1 :] if _is_endless(one) else ():
            if _is_endless(other) and _all_letters(one[1][2]) & _all_letters(other[1][2]):
                return True
            if not _may_be_nothing(other):
                break
    return False


def _is_endless(item: Item) -> bool:
    return item[0] in REPEATS and item[1][1] is codes.MAXREPEAT


def _may_be_nothing(item: Item) -> bool:
    code, given = item
    if code in (*REPEATS, codes.POSSESSIVE_REPEAT):
        return given[0] == 0 or all(map(_may_be_nothing, given[2]))
    if code is codes.SUBPATTERN:
        return all(map(_may_be_nothing, given[3]))
    if code is codes.BRANCH:
        return any(all(map(_may_be_nothing, branch)) for branch in given[1])
    return code in (*NOTHING, codes.GROUPREF)


def _all_letters(items: Iterable[Item]) -> frozenset[str]:
    """A letter that a whole match may be: of a sequence of several, that of each."""
    asked = [each for each in items if not _may_be_nothing(each)] or list(items)
    sets = [_letters(each) for each in asked]
    return frozenset.intersection(*sets) if sets else frozenset()


def _letters(item: Item) -> frozenset[str]:
    code, given = item
    if code in (*REPEATS, codes.POSSESSIVE_REPEAT):
        return _all_letters(given[2])
    if code is codes.SUBPATTERN:
        return _all_letters(given[3])
    if code is codes.BRANCH:
        return frozenset[str]().union(*map(_all_letters, given[1]))
    if code is codes.LITERAL:
        return frozenset((chr(given),))
    if code is codes.NOT_LITERAL:
        return frozenset(LETTERS) - {chr(given)}
    if code is codes.ANY:
        return frozenset(LETTERS) - {"\n"}
    return frozenset(filter(_of_set(given).__contains__, LETTERS)) if code is codes.IN else frozenset()


def _of_set(members: list[Item]) -> frozenset[str]:
    found: set[str] = set()
    for code, given in members:
        if code is codes.LITERAL:
            found.add(chr(given))
        elif code is codes.RANGE:
            found |= {letter for letter in LETTERS if given[0] <= ord(letter) <= given[1]}
        elif code is codes.CATEGORY:
            found |= {letter for letter in LETTERS if CATEGORIES[given](letter)}
    return frozenset(LETTERS) - found if members[0][0] is codes.NEGATE else frozenset(found)


CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_NOT_DIGIT: lambda letter: not letter.isdigit(),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda letter: not letter.isspace(),
    codes.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
    codes.CATEGORY_NOT_WORD: lambda letter: not letter.isalnum() and letter != "_",
}


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"(?:\w+_)*x",
        r"(?:\s*\n)*go",
        r"(?:[)}]+[,;]?\s*)*$",
        r"(?:\$\w+|[\w.]+|/)*\.xml",
        r"((a|b)*c?)*d",
        r"(?:[ ]{3,}[^\n]*\n)*except",
        r"(?:x\s*,?\s*)*\)",
    ],
)
def test_these_can_be_read_in_too_many_ways(pattern: str) -> None:
    assert ambiguous(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:\w+-)*x",
        r"(?:[ \t]*\n)*go",
        r"(?:.*\n)*?\}",
        r"(?:[)}][,;]?\s*)*$",
        r"(?:\$\w+|[\w.]|/)*\.xml",
        r"(?:[ ]{3}[^\n]*\n)*x",
        r"(?:x\s*(?:,\s*)?)*y",
    ],
)
def test_these_can_not(pattern: str) -> None:
    assert not ambiguous(pattern)


def test_none_of_the_project() -> None:
    known = expressions()
    assert len(known) > 3_000
    assert [pattern for pattern, flags in known if ambiguous(pattern, flags)] == []
