"""Lists and records that were compared whole, and of which one piece is asked for now (policy set v2, class G05).

Rules, for what is written down in any language's way (`List.of("a", "b")`, `vec![1, 2]`, `new[] { 1, 2 }`, `%w[a b]`,
`Line("tea", 2)`, `Line { sku: "tea", qty: 2 }`):

- The head asks for an element, a run of elements or a member (`xs.first()`, `xs.take(1)`, `next(iter(xs))`,
  `line.sku()`, `const [first] = xs`) and wants of it what stood in the whole: it demands less (`parts` knows the ways
  without a call).
- It does not where all pieces that the test asks for come to the whole: a constant for each constant of it.
- How many there are, and something that is computed from the whole, are no pieces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.texts.lines_of_output import asked_by_line
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.parts import parts_of
from ralph.guardrails.inventory.wholes.short import LENGTH
from ralph.system.patterns import later

WHOLE = later(
    r"(?:\[.*\]|\(.*\)|\{.*\}|%[wi][\[({].*[\])}]|vec!\[.*\]|new(?: ?[\w.<>?]+)?(?:\[\])?(?:\([^()]*\))?\{.*\}"
    r"|&?(?:\[\d*\][\w.*]+|[A-Z]\w*(?:(?:::|\.)[A-Z]\w*)*)\{.*\}"
    r"|(?:(?:List|Set|Map|Arrays|ImmutableList|ImmutableMap)\.(?:of|asList)|(?:mutable)?(?:list|map|set|array)Of"
    r"|arrayOf|arrayListOf|(?:new )?[A-Z]\w*(?:\.[A-Z]\w*)*(?:\.new)?)\(.*\))",
    re.DOTALL,
)
"""A list, a mapping or a record, as it is written."""
WHOLLY = later(r"(?i)contains|(?:should)?contains?_?exactly\w*|match_array|equal|snapshot ==")
"""Relations to all that there is, element by element."""
WORDS = later(r"%[wi].(?P<words>[^\n]*).", re.DOTALL)
STEP = (
    r"(?:\??\.|!!\.|::)\s*\w+!?(?:::<[^()]*>)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\{[^{}]*\})?|!!|!(?=[.)]|$)|\?"
    r"|\[[^\[\]]*\]"
)
"""One step from a whole to what is in it."""
TAIL = later(rf"(?:{STEP})+")
HANDED = later(r"(?:(?:\w+\.)*(?:next|iter|first|head|last|take|islice|getFirst|getLast|nth|pop)\()+_(?:, ?\d+)?\)+")
COMPUTED = later(
    r"(?i)\.(?:size|length|len|count|sum\w*|max\w*|min\w*|average|contains\w*|include\?|includes|some|any\w*|every|all\w*"
    r"|index\w*|join\w*|to_?string|hash\w*|fold|reduce|inject|type|class|keys?|values|entries)\b"
)
"""Something that is said of the whole."""
KEY = later(r"[A-Za-z_]\w*")
"""By its key, or as a member of that name."""
LONGEST = 4_000
MOST_TAIL = 200


def in_pieces(old: Check, gained: Sequence[Check], after: Facts) -> Sequence[Check] | None:
    """The new assertions about parts of a whole that was compared; none if they come to it, None if there are none."""
    if (lines := asked_by_line(old, gained, after)) is not None:
        return lines
    return parts_of(old, gained) or _pieces_of(old, gained, after)


def _pieces_of(old: Check, gained: Sequence[Check], after: Facts) -> Sequence[Check] | None:
    wholly = old.relation != "=="
    if not old.subject or len(old.wanted) > LONGEST or old.grade < (Grade.CLOSE if wholly else Grade.EXACT):
        return None
    whole = _constants(old.wanted)
    if whole.total() < 2 or (WHOLLY.fullmatch(old.relation) if wholly else WHOLE.fullmatch(old.wanted)) is None:
        return None
    pieces = [each for each in gained if _is_piece(each, old, whole, after)]
    asked = Counter[str]()
    for each in after.checks if pieces else ():
        if _is_piece(each, old, whole, after):
            asked += _constants(each.wanted) + Counter(KEY.findall(each.subject[len(old.subject) :]))
        elif old.subject in each.subject and not LENGTH.search(f"{each.subject} {each.relation}"):
            return None
    return None if not pieces else [] if whole <= asked else pieces


def _is_piece(check: Check, old: Check, whole: Counter[str], after: Facts) -> bool:
    """What it asks is taken out of the whole, and what it wants stood in the whole."""
    if (
        check.relation != "=="
        or not check.grade
        or not check.wanted
        or not _is_taken(check.subject, old.subject, after)
    ):
        return False
    wanted = _constants(check.wanted)
    return bool(wanted) and wanted <= whole and wanted != whole


def _is_taken(asked: str, of: str, after: Facts) -> bool:
    if asked.startswith(of) and len(asked) - len(of) <= MOST_TAIL:
        tail = asked[len(of) :]
        return TAIL.fullmatch(tail) is not None and COMPUTED.search(tail) is None
    if of in asked:
        return HANDED.fullmatch(asked.replace(of, "_", 1)) is not None
    if not asked.isidentifier():
        return False
    name, source = re.escape(asked), re.escape(of)
    taken = rf"(?:[\[({{][^=\[\](){{}}]*\b{name}\b[^=\[\](){{}}]*[\])}}]|\b{name}\s*,[^=\n]*|,\s*{name}\b[^=\n]*)"
    taken = rf"{taken}\s*=\s*(?:await\s+)?{source}(?![.\[(])"
    return re.search(taken, after.body) is not None


def _constants(written: str) -> Counter[str]:
    words = WORDS.fullmatch(written)
    if words is not None:
        return Counter(words["words"].split())
    return Counter(each.strip("'\"") for each in CONSTANT.findall(written))
