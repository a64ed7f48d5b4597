"""An axis of a matrix that only has another name, or names the same systems in other words (policy set v2, class G09).

Rules:

- A new axis that stands wherever the old one stood is the old one.
- So is one that says where a job runs, if each system that the old one named has a machine, and it stands wherever else
  the old one stood: `${{ matrix.os }}-latest` of `Ubuntu` and `${{ matrix.runner }}` of `ubuntu-24.04` are one system.
- So is one whose values a variable gets that the old one wrote out: `env: [ORM=active_record, ORM=mongoid]` is
  `orm: [active_record, mongoid]` with `ORM: ${{ matrix.orm }}`.
- A machine of another provider runs the system that its name has in it.
- Neither holds where the job still asks for an old value, as in the condition of a step, which no run has any more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

SYSTEM = later(r"ubuntu|windows|macos")
PLACE = "runs-on"
GIVEN = later(r"(?P<name>[A-Za-z_]\w*)=(?P<value>[\w.:/-]+)")
SAID_ALONE = later(r"\$\{\{\s*matrix\s*\}\}")


def under_another_name(key: str, before: Node, after: Node) -> Node | None:
    """The new axis of a job that stands wherever the old one stood, or that has all its values and stands in places of
    the same kinds."""
    used, had = Counter(uses(before, key)), before.at("strategy", "matrix", key)
    if not used:
        return None
    wanted = {canonical(item) for item in had.items} if had is not None else set()
    for name, values in _new(before, after):
        stands = Counter(uses(after, name))
        whole = bool(wanted) and wanted <= {canonical(item) for item in values.items}
        if not used - stands or (whole and {at for at, _ in used} <= {at for at, _ in stands}):
            return values
    return None


def on_the_same_systems(key: str, before: Node, after: Node) -> Node | None:
    """The new axis that says where a job runs, on all systems that it ran on."""
    used, systems = Counter(uses(before, key)), _systems(key, before)
    values = before.at("strategy", "matrix", key)
    if not systems or None in systems or values is None or asks_for(after, map(canonical, values.items)):
        return None
    for name, new in _new(before, after):
        elsewhere = [place for place in used - Counter(uses(after, name)) if place[0] != PLACE]
        if not elsewhere and systems <= _systems(name, after):
            return new
    return None


def of_a_variable(key: str, before: Node, after: Node) -> Node | None:
    """The new axis that gives a variable all values that the old one gave it by its name."""
    values = before.at("strategy", "matrix", key)
    given = [GIVEN.fullmatch(canonical(item)) for item in values.items] if values is not None else []
    named = {match["name"] for match in given if match is not None}
    if len(named) != 1 or None in given or asks_for(after, (match[0] for match in given if match is not None)):
        return None
    wanted = {match["value"] for match in given if match is not None}
    for name, new in _new(before, after):
        variable = any(at in named and SAID_ALONE.fullmatch(text) for at, text in uses(after, name))
        if variable and wanted <= {canonical(item) for item in new.items} - _left_out(name, after):
            return new
    return None


def _left_out(axis: str, job: Node) -> set[str]:
    """Values with which nothing runs, whatever the other axes say."""
    rows = job.at("strategy", "matrix", "exclude")
    alone = (row.mapping for row in (rows.items if rows is not None else ()) if row.mapping and len(row.mapping) == 1)
    return {canonical(row[axis]) for row in alone if axis in row}


def system(value: str) -> str | None:
    """The one system that a machine's name has in it."""
    named = set(SYSTEM.findall(value.lower()))
    return named.pop() if len(named) == 1 else None


def asks_for(job: Node, values: Iterable[str]) -> bool:
    """The job names one of the values somewhere else than in its matrix."""
    rest = {name: value for name, value in job.mapping.items() if name != "strategy"}
    written = canonical(job.with_value(rest))
    return any(value in written for value in values)


def _new(before: Node, after: Node) -> Iterator[tuple[str, Node]]:
    had, has = before.at("strategy", "matrix"), after.at("strategy", "matrix")
    known = (*had.mapping, "include", "exclude") if had is not None else ()
    yield from (
        (name, values) for name, values in (has.mapping if has is not None else {}).items() if name not in known
    )


def _systems(axis: str, job: Node) -> set[str | None]:
    """Of all values of an axis that alone says where a job runs."""
    values, place = job.at("strategy", "matrix", axis), job.at(PLACE)
    said = re.compile(rf"\$\{{\{{\s*matrix\.{re.escape(axis)}\s*\}}\}}")
    if values is None or place is None or not isinstance(place.value, str) or not said.search(place.value):
        return set()
    return {system(said.sub("", place.value) + canonical(item)) for item in values.items}


def uses(node: Node, axis: str, at: str = "") -> Iterator[tuple[str, str]]:
    """Where a job says `matrix.axis`, and in which text."""
    named = rf"\bmatrix\.{re.escape(axis)}(?![\w-])"
    for key, value in node.mapping.items():
        yield from uses(value, axis, key)
    for item in node.items if isinstance(node.value, list) else ():
        yield from uses(item, axis, at)
    if isinstance(node.value, str) and re.search(named, node.value):
        yield at, re.sub(named, "matrix", node.value)
