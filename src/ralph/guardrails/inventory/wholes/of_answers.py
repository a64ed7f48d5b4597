"""Members of an answer, where the whole answer is compared now, got in another way (policy set v2, class G05).

Rules:

- `Client(URL).status("P2")["state"] == "announced"` is not missed where the head says exactly what the same call gives
  (`await client.status("P2")`, of a fixture) and that is a new record or literal which has the value: under the name
  of the member, or, where it names none, as often as the base wanted it.
- Nor is `[each["state"] for each in answer] == ["a", "b"]` where the head compares the list with one of as many such
  records, each with its value.
- A call is the same by its last name, and by the constants that it is given: all of the base are in the head's. That of
  a double is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.commas import between_commas, marks, step
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT, MAKER
from ralph.system.patterns import later

MEMBER = later(r"(?P<of>.*\))(?:\.(?P<name>\w+)(?:\(\))?|\[[\"'](?P<key>[^\"'\[\]]+)[\"']\])", re.DOTALL)
OF_EACH = later(
    r"\[(?P<each>\w+)(?:\.(?P<name>\w+)|\[[\"'](?P<key>[^\"'\[\]]+)[\"']\]) for (?P=each) in (?P<of>.*)\]", re.DOTALL
)
RECORD = later(rf"(?:new )?(?:[A-Za-z]\w*(?:\.|::))*{MAKER}\((?P<made>.*)\)|\{{(?P<literal>.*)\}}", re.DOTALL)
LIST = later(r"(?:vec!)?\[(?P<list>.*)\]", re.DOTALL)
ENTRY = later(r"[\"']?(?P<name>\w+)[\"']?\s*(?:=(?![=>])|:(?!:)|=>)\s*(?P<value>.*)", re.DOTALL)
DOUBLE = later(r"(?i)mock|fake|stub|dummy|double")
METHOD = later(r"\w+$")
WORDS = frozenset(("None", "True", "False", "null", "true", "false", "nil"))


def in_a_record(check: Check, before: Facts, after: Facts) -> bool:
    if check.relation != "==" or check.grade < Grade.CLOSE:
        return False
    if (part := OF_EACH.fullmatch(check.subject)) is not None:
        name = part["name"] or part["key"]
        return any(_each_has(whole, name, check.wanted) for whole in _wholes(part["of"], before, after))
    if (part := MEMBER.fullmatch(check.subject)) is None:
        return False
    name, times = part["name"] or part["key"], sum(_wants_alike(each, check, part["of"]) for each in before.checks)
    return any(_has(whole, name, check.wanted, times) for whole in _wholes(part["of"], before, after))


def _wholes(of: str, before: Facts, after: Facts) -> Iterator[str]:
    """What the head, and not the base, says that it is."""
    known, asked = {each.key for each in before.checks}, _call(of)
    for each in after.checks:
        certain = each.relation == "==" and each.grade is Grade.EXACT and not each.perhaps and each.key not in known
        replaced = DOUBLE.search(each.subject) is not None and DOUBLE.search(of) is None
        if not certain or replaced:
            continue
        if each.subject == of or (asked is not None and _is_same(asked, _call(each.subject))):
            yield each.wanted


def _wants_alike(other: Check, check: Check, of: str) -> bool:
    part = MEMBER.fullmatch(other.subject)
    return part is not None and part["of"] == of and (other.relation, other.wanted) == ("==", check.wanted)


def _is_same(old: tuple[str, str], new: tuple[str, str] | None) -> bool:
    if new is None or old[0] != new[0]:
        return False
    constants = CONSTANT.findall(old[1])
    return old[1] == new[1] or (bool(constants) and set(constants) <= set(CONSTANT.findall(new[1])))


def _call(subject: str) -> tuple[str, str] | None:
    """The last name that is called, and what it is given; None for what is no call."""
    depth, opened = 0, -1
    if not subject.endswith(")"):
        return None
    for at, letter in marks(subject, STRING):
        if letter == "(" and not depth:
            opened = at
        depth += step(letter)
    method = METHOD.search(subject[:opened]) if opened > 0 else None
    return (method[0], subject[opened + 1 : -1]) if method is not None else None


def _each_has(whole: str, name: str, wanted: str) -> bool:
    records, values = _elements(whole), _elements(wanted)
    return len(records) == len(values) > 0 and all(
        _has(record, name, value, 1) for record, value in zip(records, values, strict=True)
    )


def _elements(written: str) -> list[str]:
    found = LIST.fullmatch(written)
    return [each for each in between_commas(found["list"], STRING) if each] if found is not None else []


def _has(whole: str, name: str, wanted: str, times: int) -> bool:
    """By its name; of values without names, as often as they are asked for."""
    record = RECORD.fullmatch(whole)
    if record is None or not (CONSTANT.fullmatch(wanted) or wanted in WORDS):
        return False
    parts = between_commas(record["made"] or record["literal"] or "", STRING)
    entries = [ENTRY.fullmatch(part) for part in parts]
    named = {entry["name"]: entry["value"] for entry in entries if entry is not None}
    if name in named:
        return named[name] == wanted
    return [part for part, entry in zip(parts, entries, strict=True) if entry is None].count(wanted) >= times
