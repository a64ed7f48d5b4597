"""An axis of a matrix that only numbers the rows of its `include` (policy set v2, class G09).

    flavor: [1, 2]
    include:
      - {flavor: 1, node: 14, typescript: latest}
      - {flavor: 2, node: 16, typescript: next}

Rule: each value has one row that names it and something else, and nothing of the job but names asks for the value. What
the job runs with are the values in its rows: another number for the same row is nothing. A switch of some rows, and
what only names a run once more, is no axis. Where a word is gone from all rows (`rc`, `nightly`), which is no old
version, the numbers are judged as they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.checks.readers.same_axis import uses
from ralph.guardrails.config.node import Node, canonical


def by_rows(axis: str, before: Node, after: Node) -> list[tuple[str, Node, Node]]:
    """The axes that the rows of both jobs make up, each with its values before and after; none for an axis itself."""
    was, now = _numbered(axis, before), _numbered(axis, after)
    if not was or not now:
        return []
    asked = [key for key in was if len(was[key].items) > 1 and any(at != "name" for at, _ in uses(before, key))]
    rows = [(key, was[key], now.get(key) or was[key].with_value([])) for key in asked]
    return [] if any(_loses_a_word(old, new) for _, old, new in rows) else rows


def _loses_a_word(old: Node, new: Node) -> bool:
    left = [canonical(each) for each in new.items]
    return any(value not in left and not any(map(str.isdigit, value)) for value in map(canonical, old.items))


def _numbered(axis: str, job: Node) -> Mapping[str, Node]:
    matrix = job.at("strategy", "matrix")
    values, rows = (matrix.at(axis), matrix.at("include")) if matrix is not None else (None, None)
    if values is None or rows is None or any(at != "name" for at, _ in uses(job, axis)):
        return {}
    named = [canonical(number) for row in rows.items if (number := row.at(axis)) is not None]
    if sorted(named) != sorted(map(canonical, values.items)) or len(set(named)) != len(named):
        return {}
    found: dict[str, list[Node]] = {}
    for row in rows.items:
        for key, value in row.mapping.items():
            known = found.setdefault(key, [])
            if key != axis and canonical(value) not in map(canonical, known):
                known.append(value)
    return {key: rows.with_value(listed) for key, listed in found.items() if key != axis}
