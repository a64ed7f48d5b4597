"""Members that a whole takes from itself, before it is compared with that (policy set v2, class G05).

    assert body["type"] == "x"                    assert body == {"type": body["type"], "status": 404}
    expect(body.type).toBe("x")                   expect(body).toEqual({ ...body, status: 404 })

Rule: what was asked of a member is not held by a whole that is compared with a record in which just this member comes
from the whole itself, by its name or with all others (`...body`, `**body`, `..body`). It is none where the member is
still asked about by itself, or where the base compared it so, too. A member for which the record has what the base
wanted is still asked about, whatever it has for others.
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wholes.of_answers import ENTRY
from ralph.system.patterns import later

WAY = later(r"(?P<whole>.+?)(?:\.(?P<name>\w+)(?:\(\))?|\[:?[\"']?(?P<key>\w+)[\"']?\])", re.DOTALL)
RECORD = later(r"(?:new )?(?:&?[A-Za-z][\w.:]*)?[({](?P<parts>.+)[)}]")
SPREAD = later(r"(?:\.{2,3}|\*\*)(?P<of>.+)")
COPIED = later(r"(?:\.(?:clone|to_owned|to_string|copy|dup)\(\))+$")


def of_itself(check: Check, before: Facts, after: Facts) -> Check | None:
    """The comparison of the head with which nothing is asked of the member any more."""
    asked = WAY.fullmatch(check.subject)
    if asked is None or check.relation != "==" or check.grade is not Grade.EXACT:
        return None
    if any(each.grade and each.subject == check.subject for each in after.checks):
        return None
    name = asked["name"] or asked["key"]
    if any(_takes(each, asked["whole"], check.subject, name) for each in before.checks):
        return None
    return next((each for each in after.checks if _takes(each, asked["whole"], check.subject, name)), None)


def has_member(check: Check, after: Facts) -> bool:
    """The head says exactly what the whole is, and its record has for the member what the base wanted."""
    asked = WAY.fullmatch(check.subject) if check.relation == "==" and check.wanted else None
    if asked is None:
        return False
    name = asked["name"] or asked["key"]
    exact = (each for each in after.checks if each.relation == "==" and each.grade >= check.grade and not each.perhaps)
    return any(each.subject == asked["whole"] and _parts(each).get(name) == check.wanted for each in exact)


def _takes(check: Check, whole: str, member: str, name: str) -> bool:
    if check.relation != "==" or check.subject != whole:
        return False
    record = RECORD.fullmatch(check.wanted)
    parts, named = between_commas(record["parts"], STRING) if record is not None else [], _parts(check)
    if name in named:
        return _is(named[name], member)
    spread = (SPREAD.fullmatch(part.replace(" ", "")) for part in parts)
    again = any(part is not None and _is(part["of"], whole) for part in spread)
    return again or any(_is(part, member) for part in parts)


def _parts(check: Check) -> dict[str, str]:
    """What is wanted of a record, by the names of its members."""
    record = RECORD.fullmatch(check.wanted)
    entries = map(ENTRY.fullmatch, between_commas(record["parts"], STRING) if record is not None else [])
    return {entry["name"]: entry["value"] for entry in entries if entry is not None}


def _is(written: str, value: str) -> bool:
    return COPIED.sub("", written.replace(" ", "")) == value.replace(" ", "")
