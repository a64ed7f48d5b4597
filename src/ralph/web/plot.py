"""Line plots as numbers for an inline SVG: no library, no script, and a table with the same figures beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ralph.record import record

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 12, 28


@record
class Plot:
    """`points` is the value of a polyline, `dots` the places of the points with what they stand for."""

    width: int
    height: int
    points: str
    dots: tuple[tuple[float, float, str], ...]
    ticks: tuple[tuple[float, str], ...]
    first: str
    last: str
    along: str
    left: int
    right: int
    bottom: int


def line_plot(values: Sequence[float], unit: str, along: str, *, most: float | None = None) -> Plot:
    """Values one after another. What is no finite number counts as nothing; `most` is the top of the scale."""
    clean = [value if math.isfinite(value) and value > 0 else 0.0 for value in values]
    top = most or _round_up(max(clean, default=0.0))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = wide / max(1, len(clean) - 1)
    places = [(LEFT + number * step, TOP + high * (1 - min(value, top) / top)) for number, value in enumerate(clean)]
    shown = places if len(places) <= 60 else []
    return Plot(
        width=WIDTH,
        height=HEIGHT,
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        dots=tuple(
            (round(x, 1), round(y, 1), f"{number}: {figure(value, unit)}")
            for number, ((x, y), value) in enumerate(zip(shown, clean, strict=False), start=1)
        ),
        ticks=tuple((TOP + high * (1 - share), figure(top * share, unit)) for share in (0, 0.5, 1)),
        first="1",
        last=str(len(clean)),
        along=along,
        left=LEFT,
        right=WIDTH - RIGHT,
        bottom=HEIGHT - BOTTOM,
    )


def figure(value: float, unit: str) -> str:
    """A number with its unit, short enough for an axis."""
    if unit == "$":
        return f"${value:.2f}"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter}{unit}"
    return f"{value:g}{unit}"


def _round_up(value: float) -> float:
    """The next round number that is not smaller."""
    if value <= 0:
        return 1.0
    size = 10.0 ** math.floor(math.log10(value))
    return next(size * step for step in (1, 2, 2.5, 5, 10) if size * step >= value * (1 - 1e-9))
