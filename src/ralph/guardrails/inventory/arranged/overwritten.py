"""What a test looks at was given the wanted constant by the test itself (policy set v2, class G05).

Rule: between the answer of the product and the assertion the very variable is given a constant, in the same block or in
one around it, and nothing else after that: `got := Sum(1); got = 3; assert.Equal(t, 3, got)`. So it is under the
condition that it was another one: `if got != 3 { got = 3 }`. Whatever the assertion says, it says nothing of the
product. Lines are read as they are written: most languages give a name a value alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import tree_sitter

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.source import Source
from ralph.guardrails.texts import depth
from ralph.record import replace
from ralph.system.patterns import later

CONSTANT = r"(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|nil|null|None|undefined|[tT]rue|[fF]alse)"
WRAPPED = rf"(?:{CONSTANT}|(?:Ok|Some|Err)\((?:-?\d[\w.]*|\"[^\"\n]*\"|\(\))?\))"
DECLARED = r"(?:[A-Za-z][\w<>\[\],.:]*[ \t]+){0,3}"
TYPED = r"(?:[ \t]*:[ \t]*[\w<>\[\]]+)?"
GIVES = later(
    rf"(?m)^[ \t]*{DECLARED}(?P<name>[$@]?[A-Za-z_]\w*){TYPED}[ \t]*:?=[ \t]*{WRAPPED}[ \t]*;?[ \t]*(?:(?://|#).*)?$"
)
ASSIGNED = later(rf"[$@]?[A-Za-z_]\w*\s*=(?![=~>])\s*{CONSTANT}")
"""`assertEquals(3, got = 3)`: it looks at what it has just given."""
TEXT = later(r"[\"'`]")
ROOT = later(r"[$@]?[A-Za-z_]\w*(?![\w(!])")
WHY = "the test gave it a constant itself"


def without_overwritten(checks: Sequence[Check], source: Source, body: tree_sitter.Node) -> tuple[Check, ...]:
    """The assertions of a test, those about a constant of its own as the nothing that they say."""
    rows = source.lines[body.start_point.row : body.end_point.row + 1]
    lines = [each.decode("utf-8", "replace").expandtabs(4) for each in rows]
    first = body.start_point.row + source.first_line
    given = {match["name"] for line in lines for match in GIVES.finditer(line)}
    return tuple(_judged(each, lines, first) if _may_be(each, given) else each for each in checks)


def _may_be(check: Check, given: AbstractSet[str]) -> bool:
    return _root(check.subject) in given or "=" in check.subject


def _judged(check: Check, lines: Sequence[str], first: int) -> Check:
    given = check.grade and (
        ASSIGNED.fullmatch(check.subject) or _is_given(_root(check.subject), check.line, lines, first)
    )
    return replace(check, grade=Grade.NOTHING, why=WHY) if given else check


def _root(subject: str) -> str:
    match = ROOT.match(subject)
    return match[0] if match is not None else ""


def _is_given(name: str, line: int, lines: Sequence[str], first: int) -> bool:
    """Its last value before the line is a constant, and it had one before."""
    word = re.escape(name)
    writes = re.compile(
        rf"(?<![\w.$@]){word}\b[^=\n(]*?(?:\+\+|--|(?:[-+*/%|&^]|<<|>>|\|\||\?\?)?:?=(?![=>~]))"
        rf"|(?:\+\+|--|&[ \t]*(?:mut[ \t]+)?){word}\b|\b(?:ref|out)[ \t]+{word}\b"
    )
    above = [(number, text) for number, text in enumerate(lines, first) if number < line and writes.search(text)]
    if len(above) < 2:
        return False
    number, text = above[-1]
    if not _gives(text, name) or (TEXT.search(text) and all(_gives(each, name) for _, each in above)):
        return False  # a text that is there from the start may be written on
    here = depth(text)
    if (before := _correcting(name, text, lines[: number - first])) is not None:
        here = depth(before)
    between = [each for each in lines[number - first + 1 : line - first + 1] if each.strip()]
    return all(depth(each) >= here for each in between)


def _correcting(name: str, text: str, above: Sequence[str]) -> str | None:
    """The line of an `if` that compares the name with the constant which it is given below: it has that behind it."""
    before = next((each for each in reversed(above) if each.strip()), "")
    constant = text.rpartition("=")[2].strip().rstrip(";")
    asked = re.match(r"\s*if\b(?P<asked>[^{]*)", before)
    if asked is None or depth(before) >= depth(text):
        return None
    both = all(re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", asked["asked"]) for each in (name, constant))
    return before if both and re.search(r"!=|~=|\bis not\b", before) else None


def _gives(line: str, name: str) -> bool:
    """It gives the name a constant."""
    gives = GIVES.match(line)
    return gives is not None and gives["name"] == name
