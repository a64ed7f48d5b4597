"""An assertion of a loop over written values that is written out, where one value has another answer now (class G05).

Rule: `[nil, ""].each { |it| refute same(it, it) }` became `refute same(nil, nil)` and, in this or in a new test,
`assert same("", "")`, as the product changed with it: each value is asked about as before, at least one with the same
answer. Which one has another answer now is for a person, as where an assertion alone wants another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.rows.sources import parts_of_list
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.texts import bare
from ralph.system.patterns import later

LOOPS = (
    later(
        r"[\[(](?P<values>[^\[\]()\n]+)[\])]\.(?:each|forEach|for_each)\b(?:\s+do\b|\(function\b)?\W{1,6}(?P<name>[A-Za-z_]\w*)"
    ),
    later(
        r"\bfor\b\s*\(?\s*(?:(?:const|let|var|int|String|final)\s+)?(?P<name>[A-Za-z_]\w*)\s*(?:in|of|:)\s*"
        r"[\[(](?P<values>[^\[\]()\n]+)[\])]"
    ),
)
PLAIN = later(r"nil|null|None|undefined|[tT]rue|[fF]alse|:\w+")
MOST = 10
"""Values of a loop that somebody writes out."""


def is_written_out(check: Check, pair: Pair, there: Iterable[Check]) -> bool:
    """`there`: what the head's tests ask, the edited one and new ones."""
    if check.times == 1 or not check.subject:
        return False
    for name, values in _loops(pair.old.lines):
        named = re.compile(rf"(?<![\w.\"':]){re.escape(name)}(?!\w)")
        if not named.search(check.subject):
            continue
        parts = named.split(check.subject)
        asked = [_plain(value.join(parts)) for value in values]
        same = [each for each in there if _plain(each.subject) in asked and each.grade and not each.perhaps]
        kept = {_plain(each.subject) for each in same if _key(each) == _key(check) and each.grade >= check.grade}
        if kept and {_plain(each.subject) for each in same} >= set(asked):
            return True
    return False


def _plain(text: str) -> str:
    return bare(text).replace('"', "'")


def _key(check: Check) -> tuple[str, str]:
    return check.relation, check.wanted


def _loops(text: str) -> Iterable[tuple[str, Sequence[str]]]:
    for form in LOOPS:
        for match in form.finditer(text):
            values = parts_of_list(match["values"])
            if 1 < len(values) <= MOST and all(CONSTANT.fullmatch(each) or PLAIN.fullmatch(each) for each in values):
                yield match["name"], values
