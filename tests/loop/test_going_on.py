"""Limits that a person names on the command line hold until they name others, whatever happens in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.cli.main import run
from ralph.loop import budget, journal
from ralph.loop.state import State
from tests.project import repository

TURN = """\
  - - write: {path: README.md, content: "Line %d."}
    - usage: {input_tokens: 100, output_tokens: 1, cost_usd: 0.1}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a plan, in which a run stopped after two iterations, as a person wanted."""
    root = repository(tmp_path / "project", {"README.md": "A project.\n"})
    script = tmp_path / "script.yaml"
    script.write_text(f"name: scripted\nturns:\n{''.join(TURN % number for number in range(9))}")
    monkeypatch.chdir(root)
    assert run(["plan", "add", "Do it.", "--criterion", 'verify:"test -e done"']) == 0
    assert run(["run", "--agent", f"scripted:{script}", "--max-iterations", "2"]) == 5
    return root


def state(root: Path) -> State:
    found = journal.latest(root)
    assert found is not None
    return found.state


def test_a_limit_of_the_command_line_holds_when_the_run_goes_on(root: Path) -> None:
    assert (run(["resume"]), state(root).iteration) == (5, 2)
    assert (run(["resume", "--max-iterations", "3"]), state(root).iteration) == (5, 3)
    assert (run(["resume"]), state(root).iteration) == (5, 3)
    assert (run(["resume", "--max-cost", "0.35", "--max-iterations", "9"]), state(root).iteration) == (5, 4)
    assert (run(["resume"]), state(root).iteration) == (5, 4)
    assert "ralph resume --max-cost USD" in state(root).why


def test_other_limits_count_for_a_run_that_was_cut_off(root: Path) -> None:
    """What it was doing is not lost: the turn that was over is measured, and not played again."""
    log = root / journal.RUNS / state(root).run / journal.LOG
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    assert state(root).status == "running"
    assert (run(["resume", "--max-iterations", "3"]), state(root).iteration) == (5, 3)
    assert state(root).total.cost_usd == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("over", "way"),
    [
        ("iteration_limit:2 of 2", "--max-iterations"),
        ("cost_limit:$3.00 of $3.00 in total", "--max-cost"),
        ("cost_limit:$2.00 of $2.00 per iteration", "ralph.yml"),
        ("runtime_limit:60 of 60 s", "ralph.yml"),
    ],
)
def test_who_is_at_a_limit_is_told_how_to_go_on(over: str, way: str) -> None:
    assert way in budget.way_on(over)
