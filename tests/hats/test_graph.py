"""Drawings: one picture of each, and that no name can break out of one."""

from __future__ import annotations

from ralph.hats import graph
from ralph.hats.loader import load
from tests.hats.shapes import BUILDER, REFUSALS, hat, topology

REVIEWED = topology(
    hat("builder", "build.task build.blocked review.no", "build.done escalate.human"),
    hat("reviewer", "build.done", "review.done review.no lost.thing"),
    done="review.done",
)


def test_a_tree() -> None:
    assert graph.text(REVIEWED, REFUSALS) == (
        "build.task ▶ Builder\n"
        "├─ build.done ▶ Reviewer\n"
        "│  ├─ review.done ▶ done\n"
        "│  ├─ review.no ▶ Builder ↑\n"
        "│  ├─ lost.thing ▶ Ralph\n"
        "│  └─ review.blocked (refused) ▶ Ralph\n"
        "├─ escalate.human ▶ a person\n"
        "└─ build.blocked (refused) ▶ Builder ↑\n"
    )


def test_mermaid() -> None:
    assert graph.mermaid(REVIEWED, REFUSALS) == (
        "flowchart TD\n"
        "  start([start])\n"
        '  hat1["Builder"]\n'
        '  hat2["Reviewer"]\n'
        '  end1(["a person"])\n'
        '  end2(["done"])\n'
        '  end3(["Ralph"])\n'
        '  end4(["Ralph"])\n'
        '  start -->|"build.task"| hat1\n'
        '  hat1 -->|"build.done"| hat2\n'
        '  hat1 -->|"escalate.human"| end1\n'
        '  hat1 -.->|"build.blocked"| hat1\n'
        '  hat2 -->|"review.done"| end2\n'
        '  hat2 -->|"review.no"| hat1\n'
        '  hat2 -->|"lost.thing"| end3\n'
        '  hat2 -.->|"review.blocked"| end4\n'
    )


def test_hats_that_no_event_reaches_are_drawn_too() -> None:
    drawn = graph.text(topology(BUILDER, hat("guide", "human.guidance", "escalate.human")), REFUSALS)
    assert "human.guidance ▶ Guide\n└─ escalate.human ▶ a person\n" in drawn


def test_names_are_shown_and_never_obeyed() -> None:
    evil = topology(hat("a", "build.task", "build.done", name='x"]; click a "javascript:1" \x1b[2J\u202e#quot;<b>'))
    for drawn in (graph.text(evil, REFUSALS), graph.mermaid(evil, REFUSALS)):
        assert "\x1b" not in drawn
        assert "\u202e" not in drawn
    assert '"]; click' not in graph.mermaid(evil, REFUSALS)
    assert "<b>" not in graph.mermaid(evil, REFUSALS)


def test_a_long_chain_is_drawn() -> None:
    first = hat("h0", "build.task", "t.1 build.done")
    chain = [hat(f"h{number}", f"t.{number}", f"t.{number + 1}") for number in range(1, 1100)]
    assert "H1099" in graph.text(topology(first, *chain), REFUSALS)


def test_the_same_hats_give_the_same_drawing() -> None:
    preset = load("confession-loop")
    assert graph.text(preset, REFUSALS) == graph.text(load("confession-loop"), dict(reversed(REFUSALS.items())))
