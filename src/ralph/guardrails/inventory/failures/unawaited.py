"""Assertions that no longer wait for what they ask (policy set v2, class G05).

Rule: that something is there, or is not one certain value, is true of every promise, task and coroutine: an assertion
that waited for the answer and no longer does asks nothing. So it is with a member that was to be nothing, as a promise
has none. What wants one certain value fails without its answer, and needs no finding.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

WRITTEN = later(r"\(?await ")
"""Where languages keep the word in what is asked."""
CONFIGURED = later(r"\.ConfigureAwait\(\w+\)")
ALWAYS_MET = frozenset({"exists", "true", "!=", "is not", "not in", "not part", "not matches", "NotSame"})
NOTHING = frozenset({("==", "undefined"), ("falsy", ""), ("!=", "true"), ("false", "")})
"""What a member has to be that no promise has."""
ANY_OBJECT = frozenset({"object", "Object"})
TYPES = frozenset({"type", "is a", "isinstance"})


def is_unawaited(new: Check, old: Check) -> bool:
    """The same question, which a promise always answers as it is wanted."""
    if not _waits(old) or new.waits or "await " in new.subject or not old.grade:
        return False
    asked = _plain(old.subject)
    if (_plain(new.subject), new.relation, new.wanted) != (asked, old.relation, old.wanted):
        return False
    if old.relation in TYPES:
        return old.wanted.strip("\"'") in ANY_OBJECT
    of_member = not asked.endswith((")", "]"))
    return old.relation in ALWAYS_MET or (of_member and (old.relation, old.wanted) in NOTHING)


def _waits(check: Check) -> bool:
    return check.waits == "subject" or WRITTEN.match(check.subject) is not None


def _plain(subject: str) -> str:
    """What is asked, whether it is waited for or not: `(await f(1)).name` is `f(1).name`."""
    subject = CONFIGURED.sub("", subject)
    end = _end_of_brackets(subject)
    if end:
        subject = f"{subject[1:end]}{subject[end + 1 :]}"
    return WRITTEN.sub("", subject, count=1)


def _end_of_brackets(text: str) -> int:
    """Where the brackets end with which a text begins; 0 if it begins with none."""
    depth = 0
    for at, sign in enumerate(text if text.startswith("(") else ""):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    return 0
