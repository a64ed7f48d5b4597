"""What a helper asserts where it is called: its parameters are what the call hands it (test inventory, class G05).

Rules:

- What a parameter leaves open is known where it is called: whether what is wanted is a constant, or anything
  (`expect.anything()`), or the very thing that is looked at; how far a bound or a tolerance lets it go.
- Nothing demands more by being called.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.javascript.checks.lending import Asked
from ralph.guardrails.javascript.checks.parameters import given_to
from ralph.guardrails.javascript.checks.putting import put_in
from ralph.guardrails.javascript.checks.reading import USUAL, Reading
from ralph.guardrails.javascript.checks.truth import Said, tolerated
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.record import replace
from ralph.system.patterns import later

_KNOWN = later(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\.\w+|\b\w+:|\b(?:true|false|null|undefined|NaN|Infinity)\b|\b\d[\w.]*"
)
_NAME = later(r"[A-Za-z_$`]")
_BOUNDS = {"<": 1, "<=": 1, ">": -1, ">=": -1}


def as_asked(asked: Asked, code: Code, reading: Reading, writing: Writing) -> Iterator[Check]:
    given = given_to(asked.lent.parameters, code, writing, asked.handed)
    written = {name: writing.of(each) for name, each in given.items() if not isinstance(each, str)}
    written |= {name: put_in(each, written) for name, each in given.items() if isinstance(each, str)}
    written |= asked.made
    nodes = {name: each for name, each in given.items() if not isinstance(each, str)}
    for check in asked.lent.checks:
        said = replace(check, subject=put_in(check.subject, written), wanted=put_in(check.wanted, written))
        wanted = nodes.get(check.wanted)
        if wanted is not None:
            said = _compared(replace(said, known=writing.is_constant(wanted)), wanted, writing)
        yield _settled(said, nodes.get(check.subject), wanted, reading)


def _compared(check: Check, wanted: tree_sitter.Node, writing: Writing) -> Check:
    """With the number that it is compared with."""
    number = writing.number(wanted)
    if check.relation in _BOUNDS and number is not None:
        return replace(check, slack=_BOUNDS[check.relation] * number, wanted="")
    if check.relation == "~" and check.slack is not None and number:
        slack = check.slack / abs(number)
        return replace(check, slack=slack, grade=Grade.CLOSE if slack < USUAL else tolerated(slack))
    return check


def _settled(
    check: Check, subject: tree_sitter.Node | None, wanted: tree_sitter.Node | None, reading: Reading
) -> Check:
    said = reading.settled(Said(subject, check.relation, check.grade, wanted))
    if check.relation == "==" and check.subject == check.wanted:
        said = replace(said, grade=Grade.NOTHING, why="both sides are the same")
    return of_constants(replace(check, grade=said.grade, why=said.why) if said.grade < check.grade else check)


def of_constants(check: Check) -> Check:
    """It demands nothing, if all of it is constant."""
    known = check.grade and check.subject and _is_constant(check.subject) and _is_constant(check.wanted)
    return replace(check, grade=Grade.NOTHING, why="it compares constants") if known else check


def _is_constant(text: str) -> bool:
    """A literal, or a part of one: `{ sum: 3 }.sum`."""
    return _NAME.search(_KNOWN.sub("", text)) is None
