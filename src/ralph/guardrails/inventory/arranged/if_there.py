"""Assertions that are made only where an answer came (policy set v2, class G05).

Rule: what the base asserted of an answer, a new statement asserts for each of what is there of it, which may be
nothing: a list of the one answer without its blanks (`[user].compact.each`, `listOfNotNull(user).forEach`), a call
that is left out where nothing came (`user&.then { }`, `user?.Name.Should()`), or a loop over the very value that the
base unwrapped (`for user in find("ann")`). It is none where the test asks beside it whether the answer is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, constants
from ralph.system.patterns import later

NAME = r"[$@]?[A-Za-z_][\w.:]*(?:->\w+)*(?:\([^()]*\))?"
MAYBE = later(
    rf"\[\s*(?P<listed>{NAME})\s*\]\.(?:compact\b|filter\(\s*Boolean\s*\)|compactMap\b)"
    rf"|\bArray\(\s*(?P<array>{NAME})\s*\)\.each"
    rf"|\b(?:listOf|setOf|sequenceOf)NotNull\(\s*(?P<not_null>{NAME})\s*\)"
    rf"|\bStream\.ofNullable\(\s*(?P<stream>{NAME})\s*\)"
    rf"|\barray_filter\(\s*\[\s*(?P<php>{NAME})\s*\]\s*\)"
    rf"|\bnew\s*\w*\[\]\s*\{{\s*(?P<net>{NAME})\s*\}}\.(?:Where|OfType)\b"
    rf"|(?P<safe>{NAME})&\.(?:then|tap|yield_self|instance_exec|instance_eval|each)\b"
    rf"|(?P<asked>{NAME}!?)\?\.(?:[\w.?]+\.)?(?:Should\(\)|should\w*\b)"
    rf"|(?P<ruby>{NAME})&\.(?:[\w.&]+\.)?should\b"
)
OVER = later(
    r"\bfor\s+[^=;{]*?\s+in\s+&?(?P<over>[^{;]+?)\s*\{|\bwhile\s+let\s+(?:Ok|Some)\([^)]*\)\s*=\s*(?P<while>[^{]+?)\s*\{"
    r"|^\s*(?P<each>[^;={]+?)\.(?:into_)?iter(?:_mut)?\(\)\.for_each\("
)
"""Loops of Rust, over what may be a `Result` or an `Option`."""
THERE = later(r"(?i)nil|null|\bnone\b|present|exist|is_?(?:ok|some)\b|\bsize\b|count|\blen|empty|be_a|truthy|instance")


def asked_if_there(edits: Edits) -> str | None:
    """The new statement that asserts, as it is written; None if none does."""
    asking = [number for number in edits.fresh if _may_be_left_out(edits.whole(number))]
    if not asking or any(MAYBE.search(each) for each in edits.gone):
        return None
    wanted = _wanted(edits.old)
    for number in asking:
        statement = edits.whole(number)
        others = (each for each in edits.new if each.strip() not in statement)
        if not (wanted & constants(statement)) - _wanted(others):
            continue
        name = _maybe(statement, edits.was_said)
        if name and not _is_asked(name, number, edits):
            return edits.new[number].strip()
    return None


def _may_be_left_out(statement: str) -> bool:
    return ASSERTS.search(statement) is not None and bool(MAYBE.search(statement) or OVER.search(statement))


def _wanted(statements: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(constants(each) for each in statements if ASSERTS.search(each)))


def _maybe(statement: str, was_said: str) -> str:
    """What may be nothing, of which the statement asserts something."""
    if (match := MAYBE.search(statement)) is not None:
        return str(next(filter(None, match.groups())))
    if (loop := OVER.search(statement)) is None:
        return ""
    value = next(filter(None, loop.groups())).strip()
    unwrapped = re.search(rf"(?<![\w.]){re.escape(value)}\s*(?:\.(?:unwrap|expect)\(|\?)", was_said)
    return value if unwrapped is not None else ""


def _is_asked(name: str, number: int, edits: Edits) -> bool:
    """Another assertion wants it to be there."""
    named = re.compile(rf"(?<![\w.$@]){re.escape(name.split('.')[0].rstrip('!'))}(?![\w$])")
    others = (each for at, each in enumerate(edits.new) if at != number)
    return any(named.search(each) and ASSERTS.search(each) and THERE.search(each) for each in others)
