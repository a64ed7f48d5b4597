"""Assertions on a member by its name: `expect(x).toHaveProperty("a.b", 1)` (test inventory, class G05).

Rules:

- What such an assertion wants is wanted of the member, as of `x.a.b` where that stands there itself. Jest reads dots
  and brackets in a name as the way to a member of a member; chai takes the name as it is.
- How long something is, is asked of it, and not of its `length`, however that is written.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.chain import Link
from ralph.guardrails.javascript.checks.matchers import Matcher, matcher
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import replace
from ralph.system.patterns import later

_NAME = r"[A-Za-z_$][\w$]*"
_PLAIN = {"toHaveProperty": later(rf"{_NAME}(?:\.{_NAME}|\[\d+\])*"), "property": later(_NAME)}
"""What each takes for a name that can stand behind a dot."""


def of_value(link: Link) -> Matcher | None:
    """How much is demanded where a member is named with its value."""
    named = link.name in _PLAIN and len(link.arguments or ()) == 2
    return matcher("toEqual") if named else None


def member(link: Link, row: Matcher, code: Code, writing: Writing) -> str:
    """What stands behind the subject: `.a.b`, `['content-type']`."""
    if of_value(link) is None or row.relation != "==" or not link.arguments:
        return ""
    key = code.constants.value(link.arguments[0])
    plain = isinstance(key, str) and _PLAIN[link.name].fullmatch(key) is not None
    return f".{key}" if plain else f"[{writing.of(link.arguments[0])}]"


def measured(said: Said) -> Said:
    """`x.length === 3` as what it says of `x`."""
    owner, _, last = said.member.rpartition(".")
    if last:
        return replace(said, relation="length", grade=Grade.SHAPE, member=owner)
    whole = unwrapped(said.subject)
    holder = whole.child_by_field_name("object") if whole is not None else None
    return replace(said, relation="length", grade=Grade.SHAPE, subject=holder or said.subject)
