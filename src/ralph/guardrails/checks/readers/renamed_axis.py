"""An axis of a matrix that has another name and other words for its values (policy set v2, class G09).

Rule: `click-7: [true, false]` and `click: [click-7, click-8]` are the same where the new axis has no fewer values, both
stand only in conditions of the job's steps and in what its steps get as variables of the same names, and for each run
of the base there is one of the head that takes the same steps and is the same in all other axes.
"""

from __future__ import annotations

import re

from ralph.guardrails.checks.readers.actions import bare
from ralph.guardrails.checks.readers.expressions import truth
from ralph.guardrails.checks.readers.matrix import Entry, entries
from ralph.guardrails.checks.readers.occasions import Occasion
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side

Run = tuple[frozenset[tuple[str, object]], tuple[bool | str, ...]]
"""The other axes, and which steps are taken; a condition that cannot be known stands for itself."""


def in_other_words(key: str, before: Node, after: Node, side: Side) -> Node | None:
    """The values of the new axis of a job that does what the old one did."""
    had, has = before.at("strategy", "matrix"), after.at("strategy", "matrix")
    if had is None or has is None or _places(before, key) is None:
        return None
    for name, values in has.mapping.items():
        if name in had.mapping or name in ("include", "exclude") or len(values.items) < len(had.mapping[key].items):
            continue
        if _places(before, key) != _places(after, name) or _steps(before) != _steps(after):
            continue
        old, new = _runs(before, key, side), _runs(after, name, side)
        if old and old <= new:
            return values
    return None


def _steps(job: Node) -> list[list[str]]:
    """What the steps run, whatever it depends on."""
    return [[canonical(step.at(what) or step.with_value("")) for what in ("uses", "run")] for step in _listed(job)]


def _places(job: Node, axis: str) -> list[tuple[int, str]] | None:
    """Which variables of which steps say the value; None if it stands where it may mean more."""
    said = re.compile(rf"\bmatrix\.{re.escape(axis)}(?![\w-])")
    found: list[tuple[int, str]] = []
    for index, step in enumerate(_listed(job)):
        variables = step.at("env") or step.with_value({})
        found += [(index, name) for name, value in variables.mapping.items() if said.search(canonical(value))]
        rest = {name: value for name, value in step.mapping.items() if name not in ("if", "env", "name")}
        if said.search(canonical(step.with_value(rest))):
            return None
    others = {name: value for name, value in job.mapping.items() if name not in ("steps", "name")}
    return None if said.search(canonical(job.with_value(others))) else found


def _runs(job: Node, axis: str, side: Side) -> set[Run]:
    """None at all where it cannot be known what hangs on the axis."""
    found: set[Run] = set()
    occasion = Occasion(side, job.with_value({}), job)
    conditions = [bare(canonical(step.at("if") or step.with_value(True))) for step in _listed(job)]
    for entry in entries(job) or ():
        occasion.entry = entry
        taken = [truth(each, occasion.look, occasion.ask) for each in conditions]
        if any(known is None and f"matrix.{axis}" in each for known, each in zip(taken, conditions, strict=True)):
            return set()
        told = zip(taken, conditions, strict=True)
        found.add((_without(entry, axis), tuple(each if known is None else known for known, each in told)))
    return found


def _without(entry: Entry, axis: str) -> frozenset[tuple[str, object]]:
    return frozenset((name, str(value)) for name, value in entry.items() if name != axis.lower())


def _listed(job: Node) -> list[Node]:
    steps = job.at("steps")
    return list(steps.items) if steps is not None else []
