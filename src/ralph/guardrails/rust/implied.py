"""Rust: whether one condition of a `cfg` follows from others (policy set v2, class G04).

Rule: what is built under the new condition was built under the old ones, too, if each part of the new one follows from
a part of theirs: `all` asks for each of its parts, `any` for one, `not` turns them round. Nothing is known of what the
parts stand for: `unix` does not follow from `target_os = "linux"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.commas import between_commas
from ralph.guardrails.rust.built import CFG, STRING
from ralph.system.patterns import later

OF_PARTS = later(r"(all|any|not)\((.*)\)", re.DOTALL)
DEEPEST = 8
"""So many conditions inside each other are looked into."""


def follows(attribute: str, known: Iterable[str]) -> bool:
    """Whether a `cfg` attribute holds wherever all of the known ones hold."""
    match = CFG.match(attribute)
    parts = {part for each in known if (one := CFG.match(each)) for part in _parts(_tight(one[1]), False, 0)}
    return match is not None and _holds(_tight(match[1]), False, parts, 0)


def _tight(condition: str) -> str:
    return "".join(condition.split())


def _parts(condition: str, turned: bool, depth: int) -> set[str]:
    """What holds, each by itself, where the condition does."""
    match = OF_PARTS.fullmatch(condition) if depth < DEEPEST else None
    if match is not None and match[1] == "not":
        return _parts(match[2].rstrip(","), not turned, depth + 1)
    found = {_told(condition, turned)}
    if match is not None and match[1] == ("any" if turned else "all"):
        for part in _listed(match[2]):
            found |= _parts(part, turned, depth + 1)
    return found


def _holds(condition: str, turned: bool, known: set[str], depth: int) -> bool:
    if _told(condition, turned) in known:
        return True
    match = OF_PARTS.fullmatch(condition) if depth < DEEPEST else None
    if match is None:
        return False
    if match[1] == "not":
        return _holds(match[2].rstrip(","), not turned, known, depth + 1)
    each = (_holds(part, turned, known, depth + 1) for part in _listed(match[2]))
    return any(each) if match[1] == ("all" if turned else "any") else all(each)


def _listed(parts: str) -> list[str]:
    return [part for part in between_commas(parts, STRING) if part]


def _told(condition: str, turned: bool) -> str:
    return f"not({condition})" if turned else condition
