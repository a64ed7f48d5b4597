"""The demonstration is the whole arc, for real: from a wish to signed evidence, with everything in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.cli.main import run
from ralph.events import log
from ralph.loop import journal
from ralph.loop.memory import history
from ralph.loop.plan.files import PlanStore

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8").split("```\n")[1].splitlines()
"""What the README shows of it."""
ARC = (
    "phase: discovery",
    "phase: planning",
    "phase: building",
    *README[:-2],  # a lie, a cheat, what is denied
    "$ kill -9 RALPH",
    "$ ralph resume",
    README[-2],  # it is measured: complete
    "ralph approvals approve",
    "phase: validation",
    README[-1],
    "every file, signature and ledger entry holds.",
)


def test_the_arc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "demo"
    assert run(["demo", str(root)]) == 0
    told = capsys.readouterr().out
    place = 0
    for each in ARC:
        place = told.find(each, place)
        assert place >= 0, f"{each!r} is not said, or not there"
    found = journal.latest(root)
    assert found is not None
    assert (found.state.end, found.state.verdict) == ("passed", "PASS")
    assert [task.status for task in PlanStore(root).load().tasks] == ["complete", "complete"]
    assert not (root / "docs" / "rounding.md").exists()
    assert "context_full" in [line.handoff_reason for line in history.read(root).lines]
    assert run(["audit", "verify", "last", "-C", str(root)]) == 0
    assert run(["audit", "replay", "last", "-C", str(root)]) == 0
    events, _ = log.read(root / log.LOG)
    assert [event.topic for event in events].count("build.done") == 2, "nothing is published twice because of the kill"
    assert found.state.total.cost_usd == pytest.approx(0.59), "nor counted"


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run(["demo", str(tmp_path)]) == 3
    assert "not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
