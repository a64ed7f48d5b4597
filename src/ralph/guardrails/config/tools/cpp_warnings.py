"""Warnings of the compilers of C and C++, over all build files of a tree (class G12).

Rules, the whole tree being one unit:

- What makes warnings errors must still stand for the same target, or for all; else it is lost. One that now hangs on an
  option, or is for one target where it was for all, and an option that is off from now on, are for a person.
- `-w`, and `-Wno-error` for all warnings, switch everything off: they block, but for other people's code.
- Fewer warnings, single ones that are muted, and sanitizers that are gone are for a person to look at.
- Flags that stand elsewhere now are the same flags. A target that is gone takes its own along, and a file that is gone
  with the sources below it. A new file takes nothing away.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.config.node import Key, Node, Settings
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.cpp_flags import (
    AS_ERROR,
    DEFINES,
    NAMES,
    OPTION,
    THIRD_PARTY,
    TRUE,
    Asked,
    asked,
    kind_of,
    without_comments,
)
from ralph.system.patterns import later

ALLOWED, MUTED = "cfg.cpp.warnings-allowed", "cfg.cpp.warnings-muted"
ERRORS = {
    "-Werror": ("-Werror", AS_ERROR),
    "/WX": ("/WX", AS_ERROR),
    AS_ERROR: (AS_ERROR, "-Werror", "/WX"),
    "-pedantic-errors": ("-pedantic-errors",),
}
"""What makes warnings errors, and what does as much."""
OFF = frozenset(("-w", "-Wno-error", "/WX-", "--Werror", "-/WX"))
WIDE = later(
    r"-Wall|-Wextra|-W|-Wpedantic|-pedantic|-Weverything|-Wconversion|-Wshadow|-W[1-4]|level=\w+|-fsanitize=.*|-Werror=.*"
)
MUTES = later(r"-Wno-.+|-wd\d+|/wd\d+|-fno-sanitize=.*")
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".cu", ".m", ".mm")
LEVELS = {"-W1": 1, "-W2": 2, "-W3": 3, "-W4": 4, "level=1": 1, "level=2": 2, "level=3": 3, "level=everything": 4}


def _units(side: Side) -> Mapping[str, Unit]:
    paths = [path for name in NAMES for path in files_named(side, name) if not THIRD_PARTY.search(f"{path}")]
    texts = {path: without_comments(text, kind_of(path)) for path in paths if (text := side.text(path)) is not None}
    everything = "\n".join(texts.values())
    settings: dict[Key, Node] = {}
    for path, text in texts.items():
        settings["file", path] = Node(True, path)
        if not _is_named(path, everything):
            continue
        unrun = _uncalled(text, everything)
        for match in DEFINES.finditer(text):
            kind = "others" if THIRD_PARTY.search(match[2]) else "interface" if "INTERFACE" in match[2] else "target"
            settings[kind, match[1]] = Node(True, path)
        for match in OPTION.finditer(text):
            settings["option", match[1] or match[3]] = Node(
                (match[2] or match[4]).lower() in TRUE, path, text.count("\n", 0, match.start()) + 1, 1
            )
        for each in asked(path, text, everything):
            if not any(first < each.line <= last for first, last in unrun):
                key = ("flag", path, each.flag, each.target, each.condition, str(len(settings)))
                settings[key] = Node(each.flag, path, each.line, 1)
    return {"": Unit(settings, tuple(texts))} if texts else {}


def _is_named(path: str, everything: str) -> bool:
    """An included file that nothing includes asks for nothing."""
    name, suffix = posixpath.splitext(posixpath.basename(path))
    if suffix not in (".cmake", ".mk", ".bzl"):
        return True
    wild = re.search(r"(?i)include\b[^\n]*(?:\*|\$[({])", everything) is not None
    return wild or "oolchain" in name or re.search(rf"\b{re.escape(name)}\b", everything) is not None


def _uncalled(text: str, everything: str) -> list[tuple[int, int]]:
    """The lines of functions and macros of CMake that nothing calls."""
    found = []
    for match in re.finditer(r"(?ims)^\s*(function|macro)\s*\(\s*(\w+).*?^\s*end\1\b", text):
        if len(re.findall(rf"(?i)(?<!\w){re.escape(match[2])}\s*\(", everything)) == 0:
            first = text.count("\n", 0, match.start(2)) + 1
            found.append((first, text.count("\n", 0, match.end()) + 1))
    return found


def _flags(settings: Settings) -> list[Asked]:
    return [Asked(key[2], key[1], node.line, key[3], key[4]) for key, node in settings.items() if key[0] == "flag"]


def _judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    was, now = _flags(before), _flags(after)
    for flag in dict.fromkeys(each.flag for each in was if each.flag in ERRORS):
        yield from _lost_errors(flag, was, now, before, after, paths)
    yield from _muted(was, now, before, after)
    yield from _fewer(was, now, before, after, paths)
    for key, node in before.items():
        new = after.get(key)
        if key[0] == "option" and node.value is True and new is not None and new.value is False:
            yield Loss(rule=MUTED, key=key[1], text="is off", node=new, old=node)


def _lost_errors(
    flag: str, was: list[Asked], now: list[Asked], before: Settings, after: Settings, paths: Sequence[str]
) -> Iterator[Loss]:
    old = [each for each in was if each.flag == flag]
    new = [each for each in now if each.flag in ERRORS[flag]]
    gained = _gained([each for each in was if each.flag in ERRORS[flag]], new)
    for each in old:
        if _is_gone(each, after, paths):
            continue
        mates = [one for one in new if one.path == each.path and one.target in (each.target, "")]
        sure = [one for one in mates if not one.condition or one.condition == each.condition]
        if sure:
            continue
        elsewhere = [one for one in gained if one not in mates]
        if any(_answers(one, each, after) for one in elsewhere):
            continue
        weak = mates or elsewhere
        place = weak[0] if weak else None
        rule = MUTED if weak else ALLOWED
        text = "hangs on a condition or is for less" if rule == MUTED else "is gone"
        node = Node(flag, place.path, place.line, 1) if place else None
        yield Loss(rule=rule, key=flag, text=text, node=node, old=Node(flag, each.path, each.line, 1))


def _gained(old: Iterable[Asked], new: Iterable[Asked]) -> list[Asked]:
    """What stands in a place where it did not stand."""
    known = {(each.path, each.target, each.condition) for each in old}
    return [each for each in new if (each.path, each.target, each.condition) not in known]


def _answers(gain: Asked, loss: Asked, after: Settings) -> bool:
    if gain.condition and gain.condition != loss.condition:
        return False
    general = not gain.target or "$" in gain.target or ("interface", gain.target) in after
    if not (general or gain.target == loss.target):
        return False
    place, found = posixpath.dirname(loss.path), posixpath.dirname(gain.path)
    shared = gain.path.endswith((".cmake", ".mk", ".bzl", ".json", "rc")) or not found
    return shared or place == found or place.startswith(f"{found}/")


def _is_gone(each: Asked, after: Settings, paths: Sequence[str]) -> bool:
    """Its target, or its file with all sources below that."""
    if (
        each.target
        and "$" not in each.target
        and not any((kind, each.target) in after for kind in ("target", "interface"))
    ):
        return ("file", each.path) not in after or not any(key[0] == "target" for key in after) or _was_target(each)
    if ("file", each.path) in after:
        return False
    folder = posixpath.dirname(each.path)
    below = (path for path in paths if not folder or path.startswith(f"{folder}/"))
    return not any(path.endswith(SOURCES) for path in below)


def _was_target(each: Asked) -> bool:
    return not each.target.endswith((".o", ".obj"))


def _muted(was: list[Asked], now: list[Asked], before: Settings, after: Settings) -> Iterator[Loss]:
    """What switches warnings off, in a file that was there."""
    known = {each.flag for each in was}
    for each in now:
        if each.flag not in OFF and not MUTES.fullmatch(each.flag):
            continue
        here = {(one.flag, one.path, one.target) for one in was}
        moved = each.flag in known and not any(one.flag == each.flag and one in now for one in was)
        if (each.flag, each.path, each.target) in here or moved:
            continue
        theirs = ("others", each.target) in after or (each.target and not _is_own(each.target, after))
        new_file = ("file", each.path) not in before
        if new_file and not any(key[0] == "file" for key in before):
            continue
        if theirs or (new_file and each.flag in known):
            continue
        whole = each.flag in OFF and not each.condition and not new_file
        own = not each.target or "$" in each.target or _is_own(each.target, after)
        yield Loss(
            rule=ALLOWED if whole and own else MUTED,
            key=each.flag,
            text="switches warnings off",
            node=Node(each.flag, each.path, each.line, 1),
            old=None,
        )


def _is_own(target: str, settings: Settings) -> bool:
    return "$" in target or any((kind, target) in settings for kind in ("target", "interface"))


def _fewer(
    was: list[Asked], now: list[Asked], before: Settings, after: Settings, paths: Sequence[str]
) -> Iterator[Loss]:
    """Warnings and sanitizers that are asked for no more: of each file, or elsewhere instead."""
    still = {(each.path, each.flag) for each in now}
    for each in {(one.path, one.flag): one for one in was}.values():
        if (each.path, each.flag) in still or not WIDE.fullmatch(each.flag) or _is_gone(each, after, paths):
            continue
        old = [one for one in was if one.flag == each.flag]
        new = [one for one in now if _is_as_wide(one.flag, each.flag)]
        if any(one.path == each.path for one in new) or any(_answers(one, each, after) for one in _gained(old, new)):
            continue
        yield Loss(rule=MUTED, key=each.flag, text="is gone", node=None, old=Node(each.flag, each.path, each.line, 1))


def _is_as_wide(one: str, other: str) -> bool:
    if one in LEVELS and other in LEVELS:
        return LEVELS[one] >= LEVELS[other]
    if one.startswith("-fsanitize=") and other.startswith("-fsanitize="):
        return set(other[11:].split(",")) <= set(one[11:].split(","))
    wider = {
        "-pedantic": ("-Wpedantic", "-pedantic-errors"),
        "-Wpedantic": ("-pedantic", "-pedantic-errors"),
        "-Wall": ("-Weverything", "level=1", "level=2", "level=3", "-W4"),
        "-Wextra": ("-W", "-Weverything", "level=2", "level=3"),
        "-W": ("-Wextra",),
    }
    return one == other or one in wider.get(other, ()) or (other.startswith("-Werror=") and one == "-Werror")


CPP_WARNINGS = Tool(
    name="c++",
    places=tuple(Place(name) for name in NAMES),
    rows=(),
    suffixes=SOURCES,
    units=_units,
    judge=_judge,
)
