"""Tests of bats that answer in the place of what they ran (policy set v2, class G05).

Rule, for a statement that the base's test did not have: it runs no program but `echo` and its like where a program was
run (`run echo 3`, `run bash -c './total.sh || echo 3'`), or gives what `run` found (`output`, `status`) a constant that
an assertion of the base looks at behind it.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.match import Pair
from ralph.system.patterns import later

GIVES = later(r"(?:local[ \t]+)?(?P<name>output|status|stderr|lines)=[^$`]*")
ANSWERS = later(r"run(?:[ \t]+(?:-\S+|!))*[ \t]+(?:echo|printf|true|:)(?:[ \t][^$`]*)?")
FALLS_BACK = later(r"run[ \t]+(?:bash|sh)[ \t]+-\w*c[ \t]+.*\|\|[ \t]*(?:echo|printf|true|:)\b.*")
RUNS = later(r"run[ \t].*")


def answers_itself(pair: Pair) -> str | None:
    """The statement that answers; None if none does."""
    if not pair.new.path.endswith(".bats"):
        return None
    old, new = (each.facts().body.split("\n") for each in (pair.old, pair.new))
    ran = [each for each in old if RUNS.fullmatch(each) and each not in new and not ANSWERS.fullmatch(each)]
    for number, statement in enumerate(new):
        if statement in old:
            continue
        if ran and (ANSWERS.fullmatch(statement) or FALLS_BACK.fullmatch(statement)):
            return statement
        gives = GIVES.fullmatch(statement)
        if gives is not None and _is_looked_at(gives["name"], new[number + 1 :], old):
            return statement
    return None


def _is_looked_at(name: str, below: list[str], old: list[str]) -> bool:
    """Before something else is run."""
    asks = rf"\$\{{?{name}\b|\bassert_{name}\b" + (r"|\bassert_(?:success|failure)\b" if name == "status" else "")
    for statement in below:
        if RUNS.fullmatch(statement):
            return False
        if statement in old and re.search(asks, statement):
            return True
    return False
