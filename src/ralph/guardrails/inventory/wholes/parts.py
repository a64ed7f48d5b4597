"""Wholes that were compared with a written value, and of which only parts are looked at now (policy set v2, class G05).

Rule: what is asked of a field or an element says nothing of the others, unless as many are asked about as there were.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wholes.implied import is_part
from ralph.system.patterns import later

WRITTEN = later(r"(?s)[\[{(].*[\]})]")
STRING = later(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
IN_GO = later(r"(?s)cmp\.(?:Diff|Equal)\((?P<both>.*)\)|.*,.*")
"""`cmp.Diff(want, got)`, and what is left of `reflect.DeepEqual(got, want)`."""
MADE_IN_GO = later(r"(?s)&?(?:\[\d*\][*\w.]+|map\[\w+\][*\w.]+|[A-Za-z]\w*(?:\.\w+)?)(?P<listed>\{.*\})")
FIRST = later(r"\s*(?:\.\s*[\w$]+|\[[^\[\]]*\])")
"""The field or element that a path begins with."""


def parts_of(old: Check, gained: Iterable[Check]) -> list[Check]:
    """The assertions about parts of a whole that was compared; none if they leave nothing of it out."""
    subject, listed = _compared(old)
    if old.relation != "==" or old.grade is not Grade.EXACT or not listed:
        return []
    size = len([each for each in between_commas(listed[1:-1], STRING) if each])
    parts = [each for each in gained if each.relation == "==" and is_part(each.subject, subject)]
    named = {match[0] for each in parts if (match := FIRST.match(each.subject, len(subject))) is not None}
    plain = all("(" not in each.subject[len(subject) :] for each in parts)
    return parts if plain and 0 < len(named) < size else []


def _compared(check: Check) -> tuple[str, str]:
    """What is compared, and the brackets of the written value that it is compared with; none if it is another one."""
    if check.known and WRITTEN.fullmatch(check.wanted):
        return check.subject, check.wanted
    if (made := MADE_IN_GO.fullmatch(check.wanted)) is not None:
        return check.subject, made["listed"]
    compared = IN_GO.fullmatch(check.subject) if check.wanted in ("", '""') else None
    both = between_commas(compared["both"] or check.subject, STRING) if compared else []
    for of, value in (both, both[::-1]) if len(both) == 2 else ():
        if (written := MADE_IN_GO.fullmatch(value)) is not None:
            return of, written["listed"]
    return "", ""
