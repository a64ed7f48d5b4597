"""The entries of a job's matrix, as GitHub makes them of its lists, `exclude` and `include`.

Rule: every choice of one value per list that no `exclude` describes is an entry. An `include` extends the entries whose
own values it leaves alone, and where there is none it is an entry itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from ralph.guardrails.checks.readers.expressions import Value
from ralph.guardrails.config.node import Node, canonical

Entry = Mapping[str, Value]
MOST = 256
"""No service runs a job more often."""


def entries(job: Node | None) -> list[Entry] | None:
    """None where there is no matrix, or where only running something could tell what is in it."""
    matrix = job.at("strategy", "matrix") if job is not None else None
    if matrix is None or not matrix.mapping:
        return None
    parts = {key: value for key, value in matrix.mapping.items() if key not in ("include", "exclude")}
    lists = list(parts.values())
    adjusted = [matrix.mapping[key] for key in ("include", "exclude") if key in matrix.mapping]
    if not all(isinstance(node.value, list) for node in (*lists, *adjusted)):
        return None
    if prod(len(node.items) for node in lists) > MOST:
        return None
    choices = [
        {key.lower(): _value(item) for key, item in zip(parts, chosen, strict=True)}
        for chosen in product(*(node.items for node in lists))
        if lists
    ]
    excluded = [_values(item) for item in _items(matrix, "exclude")]
    kept = [entry for entry in choices if not any(_agree(entry, less) for less in excluded)]
    return _extended(kept, [_values(item) for item in _items(matrix, "include")])


def still_runs(before: Node, after: Node, axis: str, now: Node | None) -> bool:
    """The axis of a job has fewer values, and each entry of those that it lost is one of the other job's, or a part."""
    values = before.at("strategy", "matrix", axis)
    left = {canonical(item) for item in now.items} if now is not None else set()
    lost = [_value(item) for item in values.items if canonical(item) not in left] if values is not None else []
    old, new = entries(before), entries(after)
    if not lost or None in lost or not old or not new:
        return False
    return all(any(_agree(more, entry) for more in new) for entry in old if entry.get(axis.lower()) in lost)


def _extended(kept: list[dict[str, Value]], included: list[dict[str, Value]]) -> list[Entry]:
    found = [dict(entry) for entry in kept]
    alone: list[Entry] = []
    for more in included:
        fitting = [
            index
            for index, entry in enumerate(kept)
            if all(key not in entry or entry[key] == value for key, value in more.items())
        ]
        for index in fitting:
            found[index].update(more)
        if not fitting:
            alone.append(more)
    return [*found, *alone]


def _agree(entry: Entry, less: Entry) -> bool:
    """Holds for an entry that says all that the lesser one says."""
    return all(key in entry and entry[key] == value for key, value in less.items())


def _items(matrix: Node, key: str) -> list[Node]:
    return list(matrix.mapping[key].items) if key in matrix.mapping else []


def _values(node: Node) -> dict[str, Value]:
    return {key.lower(): _value(value) for key, value in node.mapping.items()}


def _value(node: Node) -> Value:
    """A text, a truth, or None for what an expression says; a table by the names in it."""
    if node.mapping:
        return _values(node)
    if isinstance(node.value, bool):
        return node.value
    text = canonical(node) if node.value is not None else ""
    return None if "${{" in text else text
