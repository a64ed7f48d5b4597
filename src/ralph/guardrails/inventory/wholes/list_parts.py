"""Parts of something, where all of it is written down now (policy set v2, class G05).

Rules:

- `expect(Array.isArray(reply.rows)).toBe(true)` is not missed where the head compares `reply` with an object that is
  written down and has a list as its `rows`. Where it has something else there, the question is gone.
- `items[1] == Item("b", 2)` wants another value where the head compares `items` with a list that has as many constants
  in that place, and others: `[Item("a", 1), Item("b", 3)]`; or that ends before it.
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

ASKED = later(r"Array\.isArray\((?P<of>.+)\)", re.DOTALL)
LAST = later(r".*\.(\w+)", re.DOTALL)
INDEX = later(r"\[(\d+)\]|\.(?:get|at)\((\d+)\)")
WRITTEN = later(r"(?:vec!)?\[(?P<list>.*)\]|(?:(?:List|Arrays)\.(?:of|asList)|listOf)\((?P<made>.*)\)", re.DOTALL)
MANY = later(r"\*|\.\.\.|.*\bfor\b.*\bin\b", re.DOTALL)
"""An element that may be several."""


def listed(check: Check) -> str:
    """What is to be a list; empty if that is not asked."""
    asked = ASKED.fullmatch(check.subject)
    positive = check.relation == "part" or (check.relation == "==" and check.wanted == "true")
    return asked["of"] if asked is not None and positive else ""


def shows_list(whole: Check, part: str) -> bool:
    name = LAST.fullmatch(part)
    return name is not None and re.search(rf"(?<![\w$]){re.escape(name[1])}: ?\[", whole.wanted) is not None


def other_element(whole: Check, part: Check) -> bool:
    """The list that the whole is to be has other constants in the place of the part."""
    index = INDEX.fullmatch(part.subject.removeprefix(whole.subject))
    written = WRITTEN.fullmatch(whole.wanted) if whole.relation == part.relation == "==" else None
    if index is None or written is None:
        return False
    elements = [each for each in between_commas(written["list"] or written["made"] or "", STRING) if each]
    if any(map(MANY.match, elements)):
        return False
    at = int(index[1] or index[2])
    return at >= len(elements) or _other(_constants(elements[at]), _constants(part.wanted))


def _constants(written: str) -> list[str]:
    return sorted(each.strip("\"'`") for each in CONSTANT.findall(written))


def _other(one: list[str], two: list[str]) -> bool:
    return len(one) == len(two) and one != two
