"""An assertion at the place where it stands, with what keeps it from counting there."""

from __future__ import annotations

from ralph.guardrails.inventory.failures.reach import Reach
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.truth import Said
from ralph.record import replace

Place = tuple[int, int, str]
"""A line, a column, and what is written on the line."""


def placed(said: Said, reach: Reach, times: int | None, place: Place) -> Check:
    perhaps = reach.cap is Grade.EXISTS
    line, column, snippet = place
    return Check(
        subject=said.subject,
        relation=said.relation,
        wanted=said.wanted,
        grade=min(said.grade, reach.cap),
        line=line,
        column=column,
        known=said.known,
        slack=said.slack,
        perhaps=perhaps,
        times=times,
        covers=said.covers,
        chosen=reach.chosen,
        cut=reach.cut,
        why=reach.why if reach.cap < said.grade or (perhaps and said.grade) else said.why,
        snippet=snippet,
    )


def once_more(check: Check, cap: Grade, why: str, times: int | None, place: Place, *, chosen: bool = False) -> Check:
    """What a helper asserts, where it is called: with no higher grade than `cap`, which `why` says the reason of."""
    line, column, snippet = place
    less = cap < check.grade or (cap is Grade.EXISTS and check.grade)
    return replace(
        check,
        grade=min(check.grade, cap),
        line=line,
        column=column,
        perhaps=check.perhaps or cap is Grade.EXISTS,
        times=times,
        chosen=check.chosen or chosen,
        why=why if less else check.why,
        snippet=snippet,
    )
