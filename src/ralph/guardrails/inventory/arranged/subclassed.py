"""A class of the test's own answers for the product's from which it is made (policy set v2, class G06).

Rule: an assertion of the base that wants in the head what it wanted before asks another class, which the test file
newly derives from the one that was asked, and which has its own version of the very method that is asked:
`class TestCart extends Cart { total() { return 3; } }`. A version that asks the product's (`super.total()`) is none,
and one of another method is what the product leaves open.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.model import Change
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

CLASS = later(r"(?<![\w.])[A-Z]\w*")
ASKED = later(r"(?:\.|->)(?P<method>[a-zA-Z_]\w*[?!]?)")
DERIVED = r"(?m)^[^\n]*\bclass\s+{own}\b[^\n{{]*(?:\bextends\s+|[(:<,]\s*){product}\b[^\n]*$"
DEFINES = r"(?m)^\s*(?:@\w+\s+)*(?:[\w<>\[\],?]+\s+)*(?:self\.)?{method}\s*(?:\(|$|=(?!=))"
HANDS_ON = later(r"\b(?:super|base|parent|wraps)\b")


def asks_own_class(pair: Pair, change: Change) -> Check | None:
    old, new = pair.old.facts().checks, pair.new.facts().checks
    were, are = {each.key for each in old}, {each.key for each in new}
    asked = [each for each in old if each.key not in are and each.wanted]
    fresh = [each for each in new if each.grade and each.key not in were] if asked else []
    for check in fresh:
        for was in asked:
            same = (was.relation, was.wanted) == (check.relation, check.wanted) and was.subject != check.subject
            if same and _is_own(was.subject, check.subject, pair, change):
                return check
    return None


def _is_own(was: str, now: str, pair: Pair, change: Change) -> bool:
    gone, come = (
        frozenset(CLASS.findall(one)) - frozenset(CLASS.findall(other)) for one, other in ((was, now), (now, was))
    )
    methods = ASKED.findall(now)
    if len(gone) != 1 or len(come) != 1 or not methods:
        return False
    (product,), (own,) = gone, come
    if re.sub(rf"\b{own}\b", product, now) != was:
        return False
    before, after = (
        (data or b"").decode("utf-8", "replace")
        for data in (change.blobs.before(pair.old.path), change.blobs.after(pair.new.path))
    )
    head = re.search(DERIVED.format(own=own, product=product), after)
    if head is None or re.search(rf"\bclass\s+{own}\b", before):
        return False
    body = _body(after[head.start() :].split("\n"))
    return any(re.search(DEFINES.format(method=re.escape(each)), body) for each in methods) and not HANDS_ON.search(
        body
    )


def _body(lines: list[str]) -> str:
    """What is deeper than its first line."""
    inner = lines[1:]
    end = next((at for at, each in enumerate(inner) if each.strip() and depth(each) <= depth(lines[0])), len(inner))
    return "\n".join(inner[:end])
