"""Hats as boxes and events as arrows, for an inline SVG. The same for the same hats; its edges stand in a table too."""

from __future__ import annotations

from ralph.hats.flow import Edge, Flow
from ralph.record import record
from ralph.web.shown import Shown, line

WIDE, HIGH, ACROSS, DOWN, EDGE = 132, 34, 44, 64, 16
START, END = "", "\0end"
"""Keys of the two boxes that are no hats; an id of a hat holds neither."""


@record
class Box:
    x: int
    y: int
    label: Shown
    kind: str


@record
class Arrow:
    """`path` is the value of an SVG path; `refused` arrows are what a gate publishes instead of a claim."""

    path: str
    refused: bool


@record
class Step:
    """An edge in words."""

    source: Shown
    topic: Shown
    target: Shown
    refused: bool


@record
class Drawing:
    name: Shown
    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    steps: tuple[Step, ...]


def draw(flow: Flow) -> Drawing:
    """Boxes stand in rows, by how many events it takes to come to them."""
    names = {hat.id: hat.name for hat in flow.topology.hats} | {START: "start", END: "done, or a person"}
    ways = [(edge.source or START, edge.target or END) for edge in flow.edges]
    places = _places(_levels(list(names), ways))
    boxes = [
        Box(x, y, line(names[key], 17), {START: "end", END: "end"}.get(key, "hat")) for key, (x, y) in places.items()
    ]
    lines: dict[tuple[str, str], bool] = {}
    for edge, way in zip(flow.edges, ways, strict=True):
        lines[way] = lines.get(way, True) and edge.refused
    return Drawing(
        name=line(flow.topology.name, 80),
        width=max(x for x, _ in places.values()) + WIDE + EDGE + 40,
        height=max(y for _, y in places.values()) + HIGH + EDGE,
        boxes=tuple(boxes),
        arrows=tuple(Arrow(_path(places[one], places[other]), refused) for (one, other), refused in lines.items()),
        steps=tuple(_step(edge, names) for edge in flow.edges),
    )


def _levels(keys: list[str], ways: list[tuple[str, str]]) -> list[list[str]]:
    """The keys in rows: start, what it wakes, what that wakes; the end last, and before it what nothing wakes."""
    rows, seen = [[START]], {START, END}
    while True:
        found = [other for one, other in ways if one in rows[-1] and other not in seen]
        following = list(dict.fromkeys(found))
        if not following:
            break
        seen.update(following)
        rows.append(following)
    alone = [key for key in keys if key not in seen]
    return [*rows, *([alone] if alone else []), [END]]


def _places(rows: list[list[str]]) -> dict[str, tuple[int, int]]:
    return {
        key: (EDGE + number * (WIDE + ACROSS), EDGE + level * (HIGH + DOWN))
        for level, row in enumerate(rows)
        for number, key in enumerate(row)
    }


def _path(one: tuple[int, int], other: tuple[int, int]) -> str:
    """Down from the bottom to the top; any other way in a bow along the right side."""
    (x1, y1), (x2, y2) = one, other
    if y2 > y1:
        middle = (y1 + HIGH + y2) // 2
        x1, x2 = x1 + WIDE // 2, x2 + WIDE // 2
        return f"M{x1} {y1 + HIGH} C{x1} {middle} {x2} {middle} {x2} {y2 - 4}"
    out, begin, end = max(x1, x2) + WIDE + 34, y1 + HIGH - 9, y2 + 9
    return f"M{x1 + WIDE} {begin} C{out} {begin} {out} {end} {x2 + WIDE + 4} {end}"


def _step(edge: Edge, names: dict[str, str]) -> Step:
    return Step(
        line(names[edge.source or START], 80), line(edge.topic, 80), line(names[edge.target or END], 80), edge.refused
    )
