"""Patterns of paths, matched component by component.

- `*`, `?` and `[…]` stay inside one component, `**` crosses any number of them. A component is also compared as it
  stands, so that a folder that is really called `[id]` can be named.
- A plain pattern (`src`) means that path and everything below it. So does a denying one with wildcards; an allowing
  one with a wildcard in its last component means just what it matches (`src/*` are the entries of `src`).
- `folded` is how names are compared where they deny or classify: without regard to case, to the Unicode form and to
  variation selectors, because some file systems take such names for the same.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

Components = tuple[str, ...]
ANY_DEPTH = "**"
_WILD = frozenset("*?[")
_SELECTORS = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))


def components(path: str) -> Components:
    """The names in a path or pattern; "." and empty ones count for nothing."""
    return tuple(name for name in path.split("/") if name not in ("", "."))


def is_wild(text: str) -> bool:
    return not _WILD.isdisjoint(text)


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Equal for names that some file system takes for the same."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).translate(_SELECTORS).casefold())


@lru_cache(maxsize=4096)
def composed(text: str) -> str:
    """The name in the one Unicode form in which allowing patterns are compared."""
    return unicodedata.normalize("NFC", text)


def matches(pattern: Components, path: Components, *, below: bool) -> bool:
    """True if the pattern matches the path, or, with `below`, a folder above it."""
    fixed = pattern[1:] if pattern[:1] == (ANY_DEPTH,) else pattern
    if ANY_DEPTH in fixed:
        return _matches_in_states(pattern, path, below)
    spare = len(path) - len(fixed)
    if spare < 0:
        return False
    if fixed is pattern:
        return (below or spare == 0) and _are(fixed, path)
    starts = range(spare + 1) if below else (spare,)
    return any(_are(fixed, path[start:]) for start in starts)


def _are(pattern: Components, path: Components) -> bool:
    """True if each name of the pattern is the path's at that place; the path may go on."""
    return all(map(_is, pattern, path))


def _matches_in_states(pattern: Components, path: Components, below: bool) -> bool:
    states = _closed(pattern, {0})
    for name in path:
        if below and len(pattern) in states:
            return True
        states = _after(pattern, states, name)
    return len(pattern) in states


class PatternSet:
    """Many patterns that are asked about together: plain names in every folder are looked up, not tried."""

    def __init__(self, patterns: Iterable[Components]) -> None:
        self._names: set[str] = set()
        self._beginnings: dict[str, list[Components]] = {}
        self._others: list[Components] = []
        for pattern in patterns:
            if len(pattern) == 2 and pattern[0] == ANY_DEPTH and not is_wild(pattern[1]):
                self._names.add(pattern[1])
            elif pattern and not is_wild(pattern[0]):
                self._beginnings.setdefault(pattern[0], []).append(pattern)
            else:
                self._others.append(pattern)

    def covers(self, path: Components, *, below: bool) -> bool:
        """True if one of the patterns matches the path, or, with `below`, a folder above it."""
        if not self._names.isdisjoint(path if below else path[-1:]):
            return True
        candidates = [*self._beginnings.get(path[0], ()), *self._others] if path else self._others
        return any(matches(pattern, path, below=below) for pattern in candidates)


def may_match_below(pattern: Components, path: Components) -> bool:
    """True if the pattern could match the path itself or something in that folder."""
    states = _closed(pattern, {0})
    for name in path:
        states = _after(pattern, states, name)
    return bool(states)


def may_overlap(pattern: Components, words: Components) -> bool:
    """True if what a shell makes of `words` could be matched by `pattern`, or lie below what it matches.

    Errs on the side of true. A wildcard of a shell does not stand for a name's leading dot.
    """
    states = _closed(pattern, {0})
    for word in words:
        if len(pattern) in states:
            return True
        if word == ANY_DEPTH:  # without `globstar` a `*`, with it any number of folders: both are judged
            found = set(states)
            while not (more := _onwards(pattern, found, "*")) <= found:
                found |= more
            states = found
        else:
            states = _onwards(pattern, states, word)
    return len(pattern) in states


def _onwards(pattern: Components, states: set[int], word: str) -> set[int]:
    found = set()
    for at in states:
        if at < len(pattern):
            if pattern[at] == ANY_DEPTH:
                found.add(at)
            elif _could_be(word, pattern[at]):
                found.add(at + 1)
    return _closed(pattern, found)


def _after(pattern: Components, states: set[int], name: str) -> set[int]:
    found = set()
    for at in states:
        if at < len(pattern):
            if pattern[at] == ANY_DEPTH:
                found.add(at)
            elif _is(pattern[at], name):
                found.add(at + 1)
    return _closed(pattern, found)


def _closed(pattern: Components, states: set[int]) -> set[int]:
    """The states and those reached by letting `**` stand for no folder at all."""
    found = set(states)
    for at in states:
        while at < len(pattern) and pattern[at] == ANY_DEPTH:
            at += 1
            found.add(at)
    return found


def _is(pattern: str, name: str) -> bool:
    if pattern == name:
        return True
    before, star, behind = pattern.partition("*")
    if star and not is_wild(before) and not is_wild(behind):
        return len(name) >= len(pattern) - 1 and name.startswith(before) and name.endswith(behind)
    return is_wild(pattern) and _compiled(pattern).match(name) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern))


def _could_be(word: str, pattern: str) -> bool:
    """True if some name is matched by both a shell's word and a component of a pattern."""
    if not is_wild(word) and not re.search(_EXTENDED, word):
        return _is(pattern, word)
    if word[0] in "*?[" and pattern.startswith("."):
        return False
    return _meet(_letters(word), _letters(pattern))


_EXTENDED = r"[@?*+!]\(|\\"
_ANY, _ONE = "*", "?"


@lru_cache(maxsize=1024)
def _letters(word: str) -> Sequence[str]:
    """The word with `[…]` as any one character; a form that is not known stands for everything."""
    if re.search(_EXTENDED, word):
        return ("*",)
    return tuple(re.sub(r"\[[!^]?\]?[^\]]*\]", "?", word))


def _meet(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if a text exists that both match; `*` is any text, `?` any character."""
    row = [True] + [False] * len(other)
    for at, letter in enumerate(other):
        row[at + 1] = row[at] and letter == _ANY
    for letter in one:
        previous, row = row, [row[0] and letter == _ANY]
        for at, against in enumerate(other):
            if letter == _ANY or against == _ANY:
                fits = row[at] or previous[at + 1]
            else:
                fits = previous[at] and (letter == against or _ONE in (letter, against))
            row.append(fits)
    return row[-1]
