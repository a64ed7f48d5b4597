"""A text or a date that was compared as a whole, and of which only a piece is now (policy set v2, class G05).

Rule, for `f().toISOString() == "2024-03-01"` that became `f().toISOString().slice(0, 4) == "2024"`: it is a loss where
what is wanted now is a piece of what was wanted, and what is asked is cut out of what was asked, or a part of its date.
It is none where the pieces that a test asks for come to the whole, where a time lost what stands behind its day, and of
a message.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.texts.wording import MESSAGE
from ralph.system.patterns import later

CUT = r"\??\.(?:slice|substring|substr|charAt|at|split|partition|Substring|Split)\([^()]*\)|\[[^\[\]]*\]"
OF_DATE = (
    r"\??\.(?:get(?:UTC)?(?:FullYear|Year|Month|MonthValue|Date|Day|DayOfMonth|Hours|Minutes)"
    r"|year|Year|month|Month|day|Day|monthValue|dayOfMonth)(?:\(\))?"
)
SPELLED = r"\.(?:toISOString|toString|toJSON|isoformat|strftime|Format|format|to_s|iso8601)(?:\([^()]*\))?"
TAIL = later(rf"(?:{CUT}|{OF_DATE}|{SPELLED})$")
TAKES = later(rf"(?:{CUT}|{OF_DATE})$")
TEXT = later(r"[\"'`](?P<text>[^\"'`]*)[\"'`]")
DATE = later(
    r"(?:[\w.]*\bdate(?:time)?|LocalDate(?:Time)?\.of|new Date|time\.Date|DateOnly|DateTime|Date\.new)\b.*\(.*\)"
)
DAY = later(r"\d{4}-\d\d-\d\d")
MOST_TAILS = 6
LONGEST = 400


def takes_piece(new: Check, old: Check, facts: Facts) -> bool:
    """`facts` are those of the test that has the new assertion."""
    if old.relation != "==" or new.relation != "==" or old.grade is not Grade.EXACT or not new.grade:
        return False
    if new.subject == old.subject or not TAKES.search(new.subject) or len(new.subject) > LONGEST:
        return False
    whole, piece, asked = _text(old.wanted), _text(new.wanted), _asked(old.subject)
    if not whole or not piece or asked != _asked(new.subject) or MESSAGE.search(asked):
        return False
    if not _is_piece(piece, whole) or (DAY.search(whole) and DAY.search(piece)):
        return False
    pieces = {_text(each.wanted) for each in facts.checks if each.relation == "==" and _asked(each.subject) == asked}
    return sum(map(_letters, pieces)) < _letters(whole)


def _is_piece(piece: str, whole: str) -> bool:
    if piece.isdigit():
        numbers = {number.lstrip("0") for number in re.findall(r"\d+", whole)}
        return piece != whole and piece.lstrip("0") in numbers
    return len(piece) < len(whole) and piece in whole


def _text(written: str) -> str:
    """What a constant says: a text, a number, or the numbers of a date."""
    text = TEXT.fullmatch(written)
    if text is not None:
        return text["text"]
    return written if written.isdigit() or DATE.fullmatch(written) else ""


def _asked(subject: str) -> str:
    """What is asked, whatever is cut out of it and however it is spelled."""
    for _ in range(MOST_TAILS):
        found = TAIL.search(subject[-LONGEST:])
        if found is None:
            break
        subject = subject[: len(subject) - len(found[0])]
    return subject


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
