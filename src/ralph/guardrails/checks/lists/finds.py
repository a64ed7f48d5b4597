"""What `find` lists: its places, its tests and how they are joined, up to what it does with what it found.

A test of which only running could tell (`-newer`, `-size`) makes the list unknown.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.checks.lists.expressions import compiled
from ralph.guardrails.checks.lists.model import Entries, Entry, Words
from ralph.record import record

ACTIONS = frozenset(("-print", "-print0", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-printf", "-ls"))
WITH_VALUE = frozenset(("-printf", "-fprint"))
RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
TRUE = frozenset(("-executable", "-readable", "-xdev", "-follow", "-noleaf", "-mount", "-depth", "-true", "-a", "-and"))


class _Unknown(Exception):
    """A test that cannot be made here."""


@record(frozen=False)
class _Seen:
    """What is asked about one path."""

    printed: str
    name: str
    deep: int
    is_folder: bool
    pruned: bool = False
    acted: bool = False


def found(words: Words, paths: Iterable[str]) -> Entries | None:
    """The files that a call of `find` names; None if only running could tell."""
    rest = list(words[1:])
    while rest and rest[0] in ("-H", "-L", "-P"):
        rest.pop(0)
    start = next((index for index, word in enumerate(rest) if word.startswith(("-", "(", "!"))), len(rest))
    places, tests = rest[:start] or ["."], _without_commands(rest[start:])
    acts = not ACTIONS.isdisjoint(tests)
    try:
        return [
            Entry(path, printed)
            for place in places
            for path in paths
            if (printed := _below(place, path)) is not None and _is_listed(place, printed, tests, acts)
        ]
    except _Unknown:
        return None


def _below(place: str, path: str) -> str | None:
    """The path as it is printed, if it lies in the place."""
    folder = posixpath.normpath(place)
    if folder == ".":
        return f"{place.rstrip('/')}/{path}"
    inside = path == folder or path.startswith(f"{folder}/")
    return f"{place.rstrip('/')}{path[len(folder) :]}" if inside else None


def _without_commands(words: Sequence[str]) -> list[str]:
    """`-exec` stays, what it runs does not."""
    kept: list[str] = []
    runs = False
    for index, word in enumerate(words):
        if runs:
            runs = not (word in (";", "\\;") or (word == "+" and words[index - 1] == "{}"))
            continue
        kept.append(word)
        runs = word in RUNS
    return kept


def _is_listed(place: str, printed: str, tests: Sequence[str], acts: bool) -> bool:
    parts = printed[len(place.rstrip("/")) :].strip("/").split("/")
    for deep in range(len(parts)):
        above = "/".join([place.rstrip("/"), *parts[:deep]]) if deep else place
        seen = _Seen(above, posixpath.basename(above.rstrip("/")) or ".", deep, is_folder=True)
        _asked(tests, seen)
        if seen.pruned:
            return False
    file = _Seen(printed, posixpath.basename(printed), len(parts) if parts != [""] else 0, is_folder=False)
    holds = _asked(tests, file)
    return file.acted if acts else holds


def _asked(tests: Sequence[str], seen: _Seen) -> bool:
    rest = list(tests)
    holds = _either(rest, seen, asking=True)
    if rest:
        raise _Unknown
    return holds


def _either(rest: list[str], seen: _Seen, *, asking: bool) -> bool:
    holds = _both(rest, seen, asking=asking)
    while rest and rest[0] in ("-o", "-or"):
        rest.pop(0)
        holds = _both(rest, seen, asking=asking and not holds) or holds
    return holds


def _both(rest: list[str], seen: _Seen, *, asking: bool) -> bool:
    holds = True
    while rest and rest[0] not in ("-o", "-or", ")", "\\)"):
        holds = _one(rest, seen, asking=asking and holds) and holds
    return holds


def _one(rest: list[str], seen: _Seen, *, asking: bool) -> bool:
    word = rest.pop(0)
    if word in ("!", "-not"):
        if not rest:
            raise _Unknown
        return not _one(rest, seen, asking=asking)
    if word in ("(", "\\("):
        holds = _either(rest, seen, asking=asking)
        if rest:
            rest.pop(0)
        return holds
    if word == "-prune":
        seen.pruned |= asking and seen.is_folder
        return True
    if word in ACTIONS:
        seen.acted |= asking and not seen.is_folder
        if word in WITH_VALUE and rest:
            rest.pop(0)
        return True
    if word in TRUE:
        return True
    if word == "-false":
        return False
    return _tested(word, rest.pop(0) if rest else "", seen)


def _tested(word: str, value: str, seen: _Seen) -> bool:
    if "$" in value:
        raise _Unknown
    match word:
        case "-name":
            return fnmatchcase(seen.name, value)
        case "-iname":
            return fnmatchcase(seen.name.lower(), value.lower())
        case "-path" | "-wholename":
            return fnmatchcase(seen.printed, value)
        case "-ipath" | "-iwholename":
            return fnmatchcase(seen.printed.lower(), value.lower())
        case "-regex" | "-iregex" if (form := compiled(value.replace("\\|", "|"))) is not None:
            return form.fullmatch(seen.printed) is not None
        case "-type":
            return ("d" in value and seen.is_folder) or ("f" in value and not seen.is_folder)
        case "-maxdepth" | "-mindepth" if re.fullmatch(r"\d+", value):
            return seen.is_folder or (seen.deep <= int(value) if word == "-maxdepth" else seen.deep >= int(value))
        case "-perm":
            return True
    raise _Unknown
