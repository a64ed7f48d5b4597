"""Comparisons of objects that leave out members which they did not leave out before (policy set v2, class G05).

Rules:

- A test that is the same but for `Excluding(o => o.Total)`, `ignoringFields("total")`, `excluding("total")`,
  `snapshot(exclude=props("total"))` or `cmpopts.IgnoreFields(Order{}, "Total")` asks nothing of that member any more;
  nor does one that now names the only members to compare.
- So it is where the test changed elsewhere, and the comparison itself is the same but for that: of the same two.
- It is for a person where product code changed that the test can notice, and where all that is left out differs from
  run to run by its name: a time, an id, a version. It blocks all the same where the answer itself says what is left
  out: whatever is missing in it (`ignoringActualNullFields()`) is compared with nothing.
"""

from __future__ import annotations

import re
from collections import Counter

from ralph.guardrails.inventory.model import Facts
from ralph.system.patterns import later

GIVEN = r"\(\s*(?P<given>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
LEAVES_OUT = later(
    r"(?:\.\s*(?:Excluding\w*|[eE]xcluding(?:Every)?|ignoring(?:Expected|Actual)?\w*(?:Fields|Types|Regexes)\w*)"
    rf"|,\s*cmpopts\.Ignore(?:Fields|Types|Unexported)|(?P<snapshot>\(exclude=(?:props|paths))){GIVEN}(?(snapshot)\))"
)
ONLY = later(rf"\.\s*(?:Including(?!Nested|All|Fields|Properties|Internal)\w*|comparingOnlyFields\w*){GIVEN}")
BY_MEMBERS = later(r"\.\s*usingRecursiveComparison\(\s*\)")
NO_OPTIONS = later(r",\s*\(?(\w+)\)?\s*=>\s*\1\s*(?=\))")
MEMBER = later(r"(\w+)\W*$")
CHANGING = later(
    r"(?i:.*(?:time|timestamp|date|uuid|guid|version|etag|token|nonce|duration|elapsed))"
    r"|[A-Za-z]\w*[a-z]At|\w*_at|(?i:id|created|updated|modified)|\w*(?:Id|ID|_id)"
)
"""What differs from run to run."""
OPEN = later(r"\bignoringActual(?:Null|Empty\w*)Fields\b")
STATEMENT = later(r";|[{}]|\n(?!\s*[.)])")
TELLING = 20
"""A shorter statement may be another one."""
MOST = 20_000
"""A longer test is not looked into."""


def left_out(before: Facts, after: Facts) -> tuple[str, ...]:
    """The members that are not compared any more, where nothing else of the test changed."""
    if max(len(before.body), len(after.body)) > MOST or len(after.body) <= len(before.body):
        return ()
    was, now = _members(before.body), _members(after.body)
    fresh = tuple((now - was).keys())
    if not fresh or was - now:
        return ()
    return fresh if _rest(before.body) == _rest(after.body) or _in_one(before.body, after.body) else ()


def _in_one(before: str, after: str) -> bool:
    """A statement that leaves something out is one of the base that left nothing out."""
    plain = {_rest(each) for each in STATEMENT.split(before) if not _members(each)}
    asked = (_rest(each) for each in STATEMENT.split(after) if _members(each))
    return any(len(each) >= TELLING and each in plain for each in asked)


def is_open(member: str) -> bool:
    """What is compared depends on what the test was given."""
    return OPEN.search(member) is not None


def is_changing(member: str) -> bool:
    """By its name it is another one in every run."""
    name = MEMBER.search(member)
    return name is not None and CHANGING.fullmatch(name[1]) is not None


def _members(body: str) -> Counter[str]:
    found = (part.strip() for match in LEAVES_OUT.finditer(body) for part in (match["given"] or match[0]).split(","))
    named = (part for part in found if part and not part.endswith("{}"))  # Go names the type, too
    return Counter([*named, *(["all but some"] if ONLY.search(body) else [])])


def _rest(body: str) -> str:
    """The test as if every comparison were of whole objects."""
    plain = BY_MEMBERS.sub("", ONLY.sub("", LEAVES_OUT.sub("", body)))
    return re.sub(r"\s+", "", NO_OPTIONS.sub("", plain))
