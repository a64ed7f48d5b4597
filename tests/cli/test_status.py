"""`ralph status`: how a run stands, whatever became of its process."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ralph.loop import journal, standing
from ralph.loop.control import CONTROL, Control, hold
from ralph.loop.inputs import Controlled
from ralph.system import clock, ledger
from tests.cli.command import Answer, ralph
from tests.cli.runs import BEGUN, RUN, begin, happened, judged, turn
from tests.project import repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"a.md": "one\n"})


def status(root: Path, *options: str) -> Answer:
    return ralph("status", "-C", root, *options)


def test_nothing_ran(root: Path) -> None:
    answer = status(root)
    assert answer == Answer(0, 'Nothing ran here yet.\n→ begin: ralph run "what is wanted"\n', "")
    document = status(root, "--json").document
    assert (document["run"], document["status"], document["waiting"]) == (None, "none", {"approvals": 0, "gate": 0})
    assert not (root / ".ralph").exists(), "looking leaves nothing behind"


def test_a_run_at_work(root: Path) -> None:
    run = begin(root)
    happened(run, turn(), judged(told=("tests: fail",)))
    with hold(root, RUN) as held:
        text, document = status(root).out, status(root, "--json").document
    assert text.splitlines()[0] == f"Run {RUN}: running, process {held.pid}."
    for part in (
        "phase      building, iteration 1",
        "task       auth-01, attempt 1",
        "tasks      0 complete, 2 open",
        "now        the agent works",
        "context    10% of the window",
        "breaker    closed (0 failures, 0 iterations without progress)",
        "spent      $0.50, 1,000 tokens, 60 s, 1 iteration",
        "left       $49.50, 3 h 59 min, 99 iterations",
        f"folder     .ralph/runs/{RUN}",
        "→ watch: ralph status --follow",
    ):
        assert part in text
    assert (document["status"], document["process"], document["phase"]) == ("running", held.pid, "building")
    assert document["task"] == {"id": "auth-01", "attempt": 1}
    assert document["told"] == ["tests: fail"]
    assert document["left"]["cost_usd"] == 49.5


def test_a_run_whose_process_is_gone(root: Path) -> None:
    begin(root)
    for look in (status(root), ralph("status", "--follow", "-C", root)):
        assert look.code == 0
        assert "ralph resume" in look.out
    assert status(root, "--json").document["status"] == "interrupted"
    with hold(root, "another"):
        assert status(root, "--json").document["status"] == "interrupted"


def test_a_run_that_ended(root: Path) -> None:
    happened(begin(root), Controlled(do="stop"))
    answer = status(root)
    assert answer.out.startswith(f"Run {RUN}: stopped. It was stopped; `ralph resume` goes on with it.\n")
    assert status(root, "--json").document["end"] == "stopped"


def test_an_open_breaker(root: Path) -> None:
    run = begin(root)
    for _ in range(3):
        happened(run, turn(reason="api_error", detail="overloaded"), judged())
    answer = status(root)
    assert "open (consecutive_failures:3), may be tried again in" in answer.out
    assert "→ when the cause is gone: ralph breaker reset --reason R" in answer.out


def test_a_cost_that_nobody_knows_is_not_nothing(root: Path) -> None:
    happened(begin(root), turn(None), judged(), turn(1.25), judged())
    assert "spent      $1.25 and 1 turn of unknown cost" in status(root).out


def test_a_limit_that_comes_near_is_told(root: Path) -> None:
    limits = replace(BEGUN.settings.limits, total_usd=1.0)
    happened(begin(root, replace(BEGUN, settings=replace(BEGUN.settings, limits=limits))), turn(0.9), judged())
    assert "near       cost_limit:$0.90 of $1.00 in total" in status(root).out


def test_what_was_refused_is_an_anomaly(root: Path) -> None:
    for number in range(5):
        record = {
            "type": "policy_violation",
            "violationType": "command_denied",
            "target": f"rm {number}",
            "reason": "r",
        }
        ledger.append(root / "state" / "progress.jsonl", record, time=clock.now())
    ledger.append(root / "state" / "progress.jsonl", {"type": "command_run"}, time=clock.now())
    answer = status(root)
    assert "anomalies  5 refused actions" in answer.out
    assert "command_denied: rm 4 (r)" in answer.out
    assert "rm 1" not in answer.out


def test_an_order_that_nobody_can_follow_is_told(root: Path) -> None:
    Control(root).post("inject", "one")
    path = root / CONTROL
    path.write_bytes(b"garbage\n" + path.read_bytes())
    assert f"line 1 of {path} is damaged" in status(root).out


def test_what_an_agent_wrote_is_shown_and_not_obeyed(root: Path) -> None:
    evil = replace(BEGUN, agent="a\x1b]0;title\x07\x1b[2J\u202e")
    begin(root, evil)
    answer = status(root)
    assert "\x1b" not in answer.out
    assert "\\x1b[2J\\u202e" in answer.out


def test_what_the_runner_left_counts_only_for_the_log_as_it_is(root: Path) -> None:
    run = begin(root)
    happened(run, turn(), judged())
    kept = run.folder / standing.STANDING
    fast = status(root, "--json").document
    kept.unlink()
    assert status(root, "--json").document == fast
    for text in ("", "[]", '{"at": [1, "x"], "standing": {"run": "forged"}}', '{"at": 5}'):
        kept.write_text(text)
        assert status(root, "--json").document == fast
    assert (standing.RUNS, standing.LOG) == (journal.RUNS, journal.LOG)


def test_a_damaged_log_is_named_and_not_guessed(root: Path) -> None:
    run = begin(root)
    (run.folder / standing.STANDING).unlink()
    run.path.write_bytes(run.path.read_bytes().replace(b"tester", b"forger"))
    answer = status(root)
    assert (answer.code, answer.out) == (3, "")
    assert "is damaged at line 1" in answer.err


def test_following_a_run_to_its_end(root: Path) -> None:
    run = begin(root)
    with hold(root, RUN):
        command = [sys.executable, "-m", "ralph", "status", "--follow", "-C", str(root)]
        follower = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert follower.stdout is not None
        assert follower.stdout.readline() == "phase: building\n"
        happened(run, turn(), judged(told=("tests: fail",)))
        happened(run, Controlled(do="inject", text="use tabs", number=1), Controlled(do="stop", number=2))
        out, _ = follower.communicate(timeout=120)
    assert follower.returncode == 0
    for part in (
        "iteration 1: completed ($0.50, 1,000 tokens, 60 s)",
        "  tests: fail",
        "a person says: inject use tabs",
    ):
        assert part in out
    assert out.rstrip().endswith("→ `ralph status` shows more; `ralph resume` goes on")
    assert "STOPPED: It was stopped" in out


def test_following_as_json(root: Path) -> None:
    happened(begin(root), turn(), judged(), Controlled(do="stop"))
    answer = status(root, "--follow", "--json")
    assert answer.document["standing"]["end"] == "stopped"


def test_there_is_nothing_to_follow(root: Path) -> None:
    answer = status(root, "--follow")
    assert (answer.code, answer.err) == (3, "ralph: Nothing ran here yet: begin with `ralph run`.\n")
