"""Patterns that find something in every text: who wants them wants nothing (policy set v2, class G05).

Rule, for all languages: an assertion whose only pattern fits nothing at all and what nobody means (`(no number)?`,
`a|`, `.*`) demands nothing of a text, and of an error no more than its kind.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import FITS_ALL, Check, Grade
from ralph.guardrails.inventory.texts.wording import ASKS_PATTERN, LITERAL, WHOLE, literal_text
from ralph.guardrails.source import remembered
from ralph.record import replace
from ralph.system.patterns import later

LONGEST = 200
"""Characters of a pattern that is tried."""
ANYTHING = ("", "qZ 7\x00")
"""A regular expression that finds something in nothing, and in what nobody means, fits everything."""
MOST = later(r"\^?(?:\(\?s\))?\(?(?:\.|\.\+\??)\)?\$?")
"""One that fits everything but nothing."""
MAY_FIT = later(r"[?*|]|\"\"|''|/ ?\^? ?/|\.\+")
MADE = later(r"(?:\bMustCompile|\bRegex::new|\bRegExp|\bRegex|\bPattern\.(?:compile|matches))\(\s*$")
"""What stands before a pattern that is made where it is asked."""
WHOLE_MESSAGE = later(r"hasMessageMatching$")
TOLD = later(r"(?i)rais|throw|reject|panic|error|message")
"""Relations that ask for an error, whatever it says; a text without letters is in all that it may say."""
REFUSED = later(r"(?i)\b(?:not|no|doesnt)|none")


def fits(pattern: str, *, whole: bool = False) -> bool:
    """`whole`: it has to fit a text from end to end."""
    if len(pattern) > LONGEST:
        return False
    written = re.sub(r"\(\?<(?=\w)", "(?P<", pattern).replace(r"\z", r"\Z")
    tried = re.fullmatch if whole else re.search
    try:
        return all(tried(written, each) for each in ANYTHING) or MOST.fullmatch(pattern) is not None
    except (re.error, RecursionError, OverflowError):
        return False


def felt(check: Check) -> Check:
    """What an assertion is worth, by its pattern."""
    text = f"{check.subject} {check.wanted}"
    if not check.grade or len(text) > LONGEST * 5 or MAY_FIT.search(text) is None or REFUSED.search(check.relation):
        return check
    if not _is_idle(check.subject, check.relation, check.wanted):
        return check
    if TOLD.search(check.relation) is None:
        return replace(check, grade=Grade.NOTHING, why=FITS_ALL)
    kind = LITERAL.sub("", check.wanted).strip() if "(" not in check.wanted else ""
    grade = Grade.CLOSE if re.search(r"\w", kind) else Grade.EXISTS
    return replace(check, wanted=kind, grade=min(check.grade, grade), why=FITS_ALL, covers=1)


@remembered(20_000)
def _is_idle(subject: str, relation: str, wanted: str) -> bool:
    if (told := list(LITERAL.finditer(wanted))) and len(told) == 1:
        pattern = literal_text(told[0])
        how = f"{relation} {LITERAL.sub('', wanted)}"
        if told[0]["regex"] is not None or ASKS_PATTERN.search(how):
            whole = WHOLE.search(how) is not None or WHOLE_MESSAGE.search(relation) is not None
            return fits(pattern, whole=whole and told[0]["double"] is not None)
        return pattern == "" and TOLD.search(relation) is not None
    for match in LITERAL.finditer(subject):
        asked = match.start() == 0 and ASKS_PATTERN.search(relation) is not None and not wanted
        if asked or MADE.search(subject[: match.start()]):
            return fits(literal_text(match))
    return False
