"""Coverage floors that a command gives as one object of JSON: `--coverageThreshold='{"global": {"lines": 90}}'`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Worse
from ralph.guardrails.config.node import Node, canonical

Floors = Mapping[tuple[str, str], float]
METRICS = ("lines", "branches", "functions", "statements")
"""What the coverage of JavaScript is measured in."""


def no_lower_floors(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """A check of the lattice: no floor falls or goes; those of all files hold where a path has none of its own."""
    old, new = _floors(before), _floors(after)
    if old is None or new is None:
        if (before and canonical(before)) != (after and canonical(after)):
            yield Worse(node=after, text="changes to what cannot be judged", unreadable=True)
        return
    for (place, metric), was in old.items():
        now = new.get((place, metric), new.get(("global", metric)))
        if now is None or not now >= was:
            text = f"{place}.{metric} " + ("is gone" if now is None else f"falls from {was:g} to {now:g}")
            yield Worse(node=after, text=text, was=was, now=now)


def _floors(node: Node | None) -> Floors | None:
    """None for what is no table of tables of numbers."""
    if node is None:
        return {}
    try:
        table = json.loads(canonical(node).strip("'"))
        return {(place, metric): float(floor) for place, floors in table.items() for metric, floor in floors.items()}
    except (ValueError, TypeError, AttributeError):
        return None
