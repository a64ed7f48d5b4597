"""A question whether one text holds another: `f().contains("a")`, `strings.HasPrefix(f(), "a")`.

As conditions they have no value that is wanted but `true`. What they ask for is one all the same: another text is
another expected value, and a longer one that holds the old one asks for more.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.prefilter import is_in_part
from ralph.record import replace
from ralph.system.patterns import later

TEXT = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)"
OF_ITSELF = later(
    r"(?s)(?P<of>.+)\.(?P<how>(?i:contains?(?:_?key|_?value)?|starts?_?with|ends?_?with|matches|includes?|is_match|match)\??)"
    rf"\((?P<part>{TEXT})\)"
)
OF_PACKAGE = later(
    rf"(?s)(?:strings|bytes|regexp)\.(?P<how>HasPrefix|HasSuffix|Contains|EqualFold)\((?P<of>.+),(?P<part>{TEXT})\)"
)
PATTERN = rf"(?:new )?(?:\w+(?:\.|::))*(?:Regex|regexp|RegExp|Pattern)\b[.:\w]*\({TEXT}\)"
OF_PATTERN = later(rf"(?s)(?P<part>{PATTERN})(?P<of>.+)")
BY_PATTERN = later(rf"(?s)(?P<of>.+)\.(?P<how>matches|contains\w*|find)\((?P<part>{PATTERN})\)")
FORMS = (OF_PACKAGE, OF_PATTERN, BY_PATTERN, OF_ITSELF)
TEXT_FIRST = later(rf"^(?:{TEXT}) (?=\S)")
"""`Assert.Matches(pattern, text)`: the pattern stands before what is asked."""
PAIR = later(r"(?s)(?P<of>[^,(){}]*(?:\([^(){}]*\))?),(?:&?\[|map\[|&?[\w.]+\{).*\}")
"""What is asked, and a literal of Go to which it is equal as a whole."""
LONGEST = 400


def asked_apart(old: Check, new: Check) -> tuple[Check, Check] | None:
    """Both, as questions that want the text, if they ask it of the same for another one; not where more is asked."""
    if old.relation != "==" or new.relation != "==" or old.wanted != new.wanted or old.wanted not in ("true", "false"):
        return None
    one, other = _asked(old), _asked(new)
    if one is None or other is None or one.key[:2] != other.key[:2] or one.wanted == other.wanted:
        return None
    says_more = old.wanted == "true" and one.wanted[1:-1] in other.wanted
    return None if says_more else (one, other)


def subject_of(check: Check) -> str:
    """What is asked, whichever text it is asked for."""
    asked = _asked(check)
    if asked is not None:
        return asked.subject
    pair = PAIR.fullmatch(check.subject) if not check.wanted else None
    return TEXT_FIRST.sub("", check.subject) if pair is None else pair["of"]


def _asked(check: Check) -> Check | None:
    subject = check.subject
    if len(subject) > LONGEST or "(" not in subject:
        return None
    matched = (form.fullmatch(subject) for form in FORMS if is_in_part(form, subject))
    found: re.Match[str] | None = next(filter(None, matched), None)
    if found is None:
        return None
    return replace(
        check,
        subject=found["of"],
        relation=found.groupdict().get("how", "matches").lower(),
        wanted=found["part"],
        known=True,
    )
