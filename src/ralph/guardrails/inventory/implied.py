"""Assertions that are not missed, because others of the test say as much about the same thing.

Rules (policy set v2, class G05):

- One of a low grade is not missed where a stronger one is about its subject, or a part of it.
- What is said of a part is not missed where the head says exactly what the whole is, of which the base said little.
- That a callback got no error is not missed where one certain value is asked of what replaced it.
- A type is not missed where the base had one certain value of the same thing, and that assertion did not fall.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.system.patterns import later

TYPES = frozenset({"isinstance", "assertIsInstance", "IsType", "Implements", "type"})
"""Relations that tell a type only."""
WHOLE = frozenset(
    {"==", "snapshot ==", "containsExactly", "containsExactlyInAnyOrder", "contain_exactly", "match_array"}
)
MADE = later(
    r"(?:new )?(?:\w+\.)*[A-Z]\w*\([^()]*\)|(?:(?:List|Set|Arrays|ImmutableList)\.(?:of|asList)|listOf|setOf)\([^()]*\)"
    r"|vec!\[[^\[\]]*\]|new\[\]\{[^{}]*\}"
)
"""An object made for the comparison, of constants."""
NO_ERROR = later(r"err|error|e|ex")
NONE = frozenset({("==", "null"), ("==", "undefined")})
PICKED = later(r"[\[({][^\[\]]+ for [^\[\]]+ in ([\w.()]+)[\])}]")
"""Something of each element of a whole."""
PROJECTED = later(r"(?:type|len)\((.+)\)")


def implied(check: Check, before: Facts, after: Facts) -> bool:
    """Something stronger is said about the same subject, or a part of it; or exactly what a new whole is, of a part."""
    projected = PROJECTED.fullmatch(check.subject)
    subject = projected[1] if projected else check.subject
    picked = PICKED.fullmatch(subject)
    if check.grade <= Grade.SHAPE and any(
        each.grade > check.grade and subject and subject in each.subject for each in after.checks
    ):
        return True
    if NO_ERROR.fullmatch(check.subject) and (check.relation, check.wanted) in NONE:
        # A promise that is kept has no error to ask about.
        asked = {each.subject for each in before.checks}
        return any(each.grade is Grade.EXACT and each.known and each.subject not in asked for each in after.checks)
    wholes = {each.subject for each in before.checks if each.grade > Grade.SHAPE}
    return any(
        each.relation in WHOLE
        and (each.known or MADE.fullmatch(each.wanted))
        and each.grade >= check.grade
        and each.subject not in wholes
        and (_is_part(check.subject, each.subject) or (picked is not None and picked[1] == each.subject))
        for each in after.checks
    )


def only_a_type(check: Check, before: Facts, fallen: Collection[Check]) -> bool:
    """A type, or that something is there, of what stands in an assertion of one certain value that did not fall."""
    if check.grade > Grade.SHAPE or check.relation not in TYPES or not check.subject:
        return False
    subject = re.compile(rf"(?<!\w){re.escape(check.subject)}(?!\w)")
    return any(
        each.grade is Grade.EXACT
        and each not in fallen
        and (subject.search(each.subject) or subject.search(each.wanted))
        for each in before.checks
    )


def _is_part(part: str, whole: str) -> bool:
    """`a.b[0].c` of `a.b`."""
    part, whole = part.replace("(", " ").replace(")", " ").strip(), whole.replace("(", " ").replace(")", " ").strip()
    return len(part) > len(whole) > 0 and part.startswith(whole) and part[len(whole) :].lstrip()[:1] in (".", "[")
