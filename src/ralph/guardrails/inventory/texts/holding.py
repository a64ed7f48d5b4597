"""A pattern that a text had to hold, and one of the texts it stands for that it has to hold now (class G05).

Rule: `assert_match(/10 rows?/, out)` is not missed where the test wants `assert_includes out, "10 rows"`: a text in
which the pattern is found is held, so the pattern would be found as well. Of a text that is chosen by a condition each
has to be one. An anchored pattern, or one that looks around itself, says where it stands, which no held text does.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Grade
from ralph.system.patterns import later

MATCHED = later(
    r"(?:%r(?:!(?P<bang>[^!]+)!|\{(?P<curly>[^{}]+)\}|\((?P<round>[^()]+)\)|\|(?P<bar>[^|]+)\|)"
    r"|/ ?(?P<plain>(?:[^/\\]|\\.)+?) ?/)(?: (?P<of>[^\"']+))?"
)
"""A pattern without flags; in Minitest what is looked at stands behind it."""
HELD = later(r"(?:(?P<of>[^\"']+) )?(?P<quote>[\"'])(?P<text>.*)(?P=quote)", re.DOTALL)
CHOSEN = later(r"(?:(?P<of>[^\"']+) )?case ?when\b(?P<arms>.*)end", re.DOTALL)
ARM = later(r"\"(?P<text>[^\"\n]*)\"(?=(?:when|else)\b|$)")
FORMS = ("bang", "curly", "round", "bar", "plain")
PATTERN = frozenset({"assert_match", "must_match", "match", "matches"})
PART = frozenset({"assert_includes", "assert_include", "must_include", "include", "part", "Contains", "in"})
PLACED = later(r"(?<!\\)(?:\\\\)*(?:\^|\$|\\[AzZbBGK\d]|\(\?(?!:)|#\{)|\\[pPkxu]|\[\[")
LONGEST = 300
REPEATS = 2


def holds_one(new: Check, old: Check) -> bool:
    """The new assertion cannot hold where the old one does not."""
    asked = _pattern(old)
    if asked is None or new.grade < Grade.SHAPE or new.perhaps or new.relation not in PART:
        return False
    subject, pattern = asked
    held = _held(new)
    return held is not None and held[0] == subject and all(_found(pattern, text) for text in held[1])


def asks_pattern(check: Check) -> bool:
    return check.relation in PATTERN


def asks_text(check: Check) -> bool:
    return check.relation in PART


def _pattern(check: Check) -> tuple[str, str] | None:
    """What is looked at, and the pattern."""
    if check.relation not in PATTERN:
        return None
    match = MATCHED.fullmatch(check.wanted or check.subject)
    if match is None or bool(match["of"]) is bool(check.wanted):
        return None
    pattern = next(match[name] for name in FORMS if match[name])
    return None if PLACED.search(pattern) else (match["of"] or check.subject, pattern)


def _held(check: Check) -> tuple[str, tuple[str, ...]] | None:
    """What is looked at, and the texts of which it has to hold one."""
    written = check.wanted or check.subject
    chosen = CHOSEN.fullmatch(written)
    if chosen is not None and bool(chosen["of"]) is not bool(check.wanted):
        arms = ARM.findall(chosen["arms"])
        return (chosen["of"] or check.subject, tuple(arms)) if len(arms) == _arms(chosen["arms"]) else None
    match = HELD.fullmatch(written)
    if match is None or bool(match["of"]) is bool(check.wanted) or "#{" in match["text"]:
        return None
    return match["of"] or check.subject, (match["text"],)


def _arms(written: str) -> int:
    return len(re.findall(r"\bwhen\b|\belse\b", f"when{written}"))


def _found(pattern: str, text: str) -> bool:
    plain = re.sub(r"\\(.)", "", pattern)
    if len(pattern) + len(text) > LONGEST or len(re.findall(r"[*+{?]", plain)) > REPEATS:
        return False
    try:
        return re.search(pattern, text) is not None
    except (re.error, RecursionError, OverflowError):
        return False
