"""Functions that worked with what they are given and now only answer as if they had (policy set v2, class G19): all
languages, by their lines.

`async saveAll(db, rows)`, which inserted each row and counted them, and is `return rows.length` now.

Rules, for a function of the product that both sides have:

- All that it does is to give back something that it is given, or how much that is; the base had a statement that asked
  something else to work, which it is still given (`db.insert(row)`), or which it has (`self.store.add(row)`).
- What is its own has to be followed by a count: to give back a value as it is may be all that is left to do.
- A function that says that it is deprecated, or whose work stands elsewhere in the change, is no matter of this rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.stubbed.only_told import (
    DROPS,
    EXCUSED,
    LITTLE,
    TELLER,
    TELLS,
    Function,
    edited_functions,
    edited_products,
    has_moved,
    stubbed_hit,
)
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

WORTH = later(
    rb"\b(?:return|length|size|len|[cC]ount|Length|del|void)\b|\b_\s*=|^\s*(?:Ok\()?\w+(?:\.len\(\))?\)?\s*$",
    re.MULTILINE,
)
WRAPPED = r"(?:(?:Ok|Some|Promise\.resolve|(?:Value)?Task\.FromResult|\w*Future\.\w+|Result\.success|Mono\.just)\()?"
SIZE = r"(?:\.(?:length|size|count|len|Count|Length)(?:\(\))?)"
ANSWER = later(
    rf"(?:return\s+)?(?:await\s+)?{WRAPPED}(?:(?P<of>len|count|sizeof)\(\s*[&$]?(?P<counted>\w+)\s*\)|\$?(?P<name>\w+)(?P<size>{SIZE})?)"
    r"(?:\s+as\s+\w+)?\)*(?:,\s*nil)?\s*;?"
)
ASKS = later(
    r"(?:await\s+)?(?:(?P<own>(?:self|this|@)\s*[.>-]*\s*\w+)|\$?(?P<given>\w+))(?:\.|->|::)\w+[!?]?\(.*\)(?:\.await)?\??;?"
)
"""A statement of its own that has something else work."""
OBSERVES = later(
    r"(?i)log|trac(?:e|er|ing)\b|span|metric|stats?\b|telemetry|debug|progress|print|note|warn|assert|valid|check"
)
"""What only watches, or asks before the work."""
NAMES = later(r"\w+")


def only_counted(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_products(change, WORTH):
        for was, new, now in edited_functions(file, change):
            around = "\n".join((*now[max(new.line - 4, 0) : new.line + 1], *new.body))
            if TELLER.search(new.name) or EXCUSED.search(around):
                continue
            if (worked := _no_longer_asked(was, new)) and not has_moved(was.steps, new.steps, change):
                detail = f"{new.name} only answers from what it is given, and has {worked} do nothing any more"
                yield stubbed_hit(file, spoken, new, now, detail)


def _no_longer_asked(was: Function, new: Function) -> str:
    """What the base had work, and the head does not; empty if this is no such function."""
    left = [each for each in new.steps if not (LITTLE.fullmatch(each) or DROPS.fullmatch(each))]
    answer = ANSWER.fullmatch(left[0]) if len(left) == 1 else None
    if answer is None:
        return ""
    name, counts = answer["counted"] or answer["name"], bool(answer["counted"] or answer["size"])
    given, had = _parameters(new), _parameters(was)
    if name not in given:
        return ""
    for step in was.steps:
        asks = ASKS.fullmatch(step)
        if asks is None or TELLS.fullmatch(step) or OBSERVES.search(step.partition("(")[0]):
            continue
        if asks["own"]:
            if counts and left[0] not in was.steps:
                return str(asks["own"])
        elif asks["given"] != name and asks["given"] in had and {asks["given"], f"_{asks['given']}"} & set(given):
            return str(asks["given"])
    return ""


def _parameters(function: Function) -> list[str]:
    return NAMES.findall(function.head.partition("(")[2].rpartition(")")[0])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (only_counted,)
