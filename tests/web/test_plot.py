"""Plots and drawings: figures in, numbers inside of the picture out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ralph.hats.flow import Flow
from ralph.hats.loader import available, load
from ralph.hats.model import Hat, Topology
from ralph.web.drawing import draw
from ralph.web.plot import HEIGHT, WIDTH, figure, line_plot


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=100))
def test_every_point_lies_in_the_picture(values: list[float]) -> None:
    found = line_plot(values, "$", "iterations")
    pairs = [each.split(",") for each in found.points.split()]
    assert len(pairs) == len(values)
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in pairs)


def test_more_is_higher() -> None:
    heights = [float(each.split(",")[1]) for each in line_plot([1, 2, 3], "", "x").points.split()]
    assert heights == sorted(heights, reverse=True)


def test_figures() -> None:
    assert [figure(1.5, "$"), figure(1500, ""), figure(2_500_000, ""), figure(50, "%")] == [
        "$1.50",
        "1.5k",
        "2.5M",
        "50%",
    ]


def test_every_hat_of_every_preset_has_a_box_of_its_own() -> None:
    for name in available():
        topology = load(name)
        found = draw(Flow(topology, {}))
        places = [(box.x, box.y) for box in found.boxes]
        assert len(places) == len(set(places)) == len(topology.hats) + 2
        assert all(0 <= x < found.width and 0 <= y < found.height for x, y in places)
        assert len(found.steps) == len(Flow(topology, {}).edges)


def test_a_hat_that_wakes_itself_and_one_that_nothing_wakes() -> None:
    hats = (
        Hat(id="one", name="One\u202e", triggers=("build.task",), publishes=("build.task",)),
        Hat(id="two", name="Two", triggers=("never",), publishes=("LOOP_COMPLETE",)),
    )
    found = draw(Flow(Topology(name="odd", hats=hats), {}))
    assert len(found.boxes) == 4
    assert "\u202e" not in "".join(box.label.text for box in found.boxes)
