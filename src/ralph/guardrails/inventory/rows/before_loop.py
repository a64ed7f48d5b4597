"""An assertion about the same thing each time, which moved out of a loop to before it (class G05).

    for name in NAMES:                                 assert source.url == "img.jpg"
        page = Page(name)                              for name in NAMES:
        assert source.url == "img.jpg"                     page = Page(name)
        assert page.link(source) == LINKS[name]            assert page.link(source) == LINKS[name]

Rule: it calls nothing, stands in no loop any more, and the statements of the loop that assert nothing do no more than
make things whose classes they name, and none of them names what it looks at: one look tells as much as many. It is for
a person. Where the loop does something (`store.apply(each)`), each round asks anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

LOOP = later(r"\s*(?:async\s+)?(?:for|while)\b|.*\.each\b|.*\.forEach\(")
ASSERTS = later(
    r"\s*(?:await\s+)?(?:assert\b|(?:self|t|this)\.(?:assert|expect)\w*\(|(?:assert|expect|require)\w*[.(!])"
)
MAKES = later(
    r"\s*(?:(?:const|let|var|val|final|auto)\s+)?[\w, ]+\s*(?::?=)\s*(?:new\s+)?"
    r"(?:(?:\w+\.)*[A-Z]\w*\([^()]*\)|[\w.'\"\[\]]+)\s*;?"
)
"""`page = Page(name)`, `want = WANTED[name]`."""
HEAD = later(r"\s*with self\.subTest\(.*\):\s*")
NOTHING = later(r"\s*[})\];]*\s*(?:(?:#|//).*)?")
CALL = later(r"(?P<name>[\w.]+!?)\(")
ROOT = later(r"(?<![\w.'\"])(?P<name>[a-z_]\w*)(?=\.)")


def stands_before_loop(check: Check | None, pair: Pair) -> bool:
    if check is None or not check.over or check.perhaps:
        return False
    if not any(each.key == check.key and not each.over and not each.perhaps for each in pair.new.facts().checks):
        return False
    lines = pair.old.text.split("\n")
    at = check.line - pair.old.line
    if not 0 < at < len(lines) or ASSERTS.match(lines[at]) is None or len(CALL.findall(lines[at])) > 1:
        return False
    looked_at = {match["name"] for match in ROOT.finditer(lines[at])} - {"self", "this", "t"}
    body = list(_body(lines, at))
    return bool(looked_at and body) and all(_is_quiet(line, looked_at) for line in body)


def _is_quiet(line: str, looked_at: set[str]) -> bool:
    if ASSERTS.match(line) or HEAD.fullmatch(line) or NOTHING.fullmatch(line):
        return True
    return MAKES.fullmatch(line) is not None and looked_at.isdisjoint(re.findall(r"\w+", line))


def _body(lines: Sequence[str], at: int) -> Iterator[str]:
    """The statements of the innermost loop around a line; nothing where its head cannot be told."""
    deep = depth(lines[at])
    top = at
    while top > 0 and (not lines[top].strip() or depth(lines[top]) >= deep or LOOP.match(lines[top]) is None):
        if lines[top].strip() and depth(lines[top]) < deep:
            deep = depth(lines[top])
        top -= 1
    if top <= 0:
        return
    for line in lines[top + 1 :]:
        if line.strip() and depth(line) <= depth(lines[top]):
            return
        yield line
