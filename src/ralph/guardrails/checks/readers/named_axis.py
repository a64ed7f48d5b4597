"""An axis of environments that are named for the versions of the old axis (policy set v2, class G09).

Rule: `python-version: ["3.13", "3.14"]` and `environment: [test-py313, test-py314]` are the same versions where each
value of the old axis holds a number, another value of the new axis names it, with or without its points, and a command
of the job is told the new axis: `pixi run -e ${{ matrix.environment }} test`. What those environments are is for a
person. Where a setup is told the plain versions, see `same_axis`.
"""

from __future__ import annotations

import re

from ralph.guardrails.checks.readers.same_axis import asks_for, uses
from ralph.guardrails.config.node import Node, canonical


def named_for(key: str, before: Node, after: Node) -> Node | None:
    """The values of the new axis of a job that name all values of the old one."""
    had, has = before.at("strategy", "matrix"), after.at("strategy", "matrix")
    if had is None or has is None or key not in had.mapping:
        return None
    old = [canonical(item) for item in had.mapping[key].items]
    if not old or not all(any(map(str.isdigit, value)) for value in old) or asks_for(after, old):
        return None
    for name, values in has.mapping.items():
        told = any(at == "run" for at, _ in uses(after, name))
        if name not in had.mapping and name not in ("include", "exclude") and told and _name_all(values, old):
            return values
    return None


def _name_all(values: Node, old: list[str]) -> bool:
    """Each by a value of its own."""
    left = [canonical(item) for item in values.items]
    for version in old:
        said = re.compile(rf"(?<![\d.]){re.escape(version).replace(re.escape('.'), '[.]?')}(?![\w.])")
        found = next((value for value in left if said.search(value)), None)
        if found is None:
            return False
        left.remove(found)
    return True
