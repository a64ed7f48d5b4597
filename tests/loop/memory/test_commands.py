"""`ralph memory`, `ralph handoff`, `ralph reset`."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ralph.loop import control
from ralph.loop.control import Control
from ralph.loop.memory import history, notes
from ralph.loop.memory.capture import capture_iteration, capture_session
from ralph.loop.plan.files import PlanStore
from ralph.loop.saved import StateStore
from ralph.system import clock
from tests.cli.command import Answer, ralph, refused
from tests.loop.memory.samples import NOW, iteration, plan, session, state
from tests.project import git, repository


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that a run has worked on."""
    root = repository(tmp_path / "project", {"a.md": "one\n"})
    StateStore(root).save(state(root))
    StateStore(root).save(state(root, iteration_count=48))
    PlanStore(root).change(lambda _: plan())
    capture_iteration(root, iteration(48, session_id="run-2"), now=NOW)
    return root


@pytest.fixture
def running(project: Path) -> Iterator[Path]:
    """The same, with a run at work."""
    with control.hold(project, "20261122T120000000Z-abc"):
        yield project


def answered(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str | Path) -> Answer:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return ralph(*arguments)


def test_memory_shows_what_the_next_prompt_gets(project: Path) -> None:
    notes.remember(project, "the port is 8081", now=NOW)
    answer = ralph("memory", "-C", project)
    assert answer.code == 0
    assert answer.out.startswith("# Session Memory - Iteration 48\n")
    assert "> the port is 8081" in answer.out
    assert ralph("memory", "--show", "-C", project).out == answer.out
    document = ralph("memory", "--show", "-C", project, "--json").document
    assert (document["text"], document["limit"]) == (answer.out, 8000)


def test_memory_counts(project: Path) -> None:
    capture_session(project, session(), now=NOW)
    document = ralph("memory", "--stats", "-C", project, "--json").document
    assert (document["iterations"]["files"], document["sessions"]["files"], document["archive"]["files"]) == (1, 1, 0)
    assert document["sessions"]["bytes"] > 500
    assert "sessions" in ralph("memory", "--stats", "-C", project).out


def test_memory_cleans_up(project: Path) -> None:
    now = clock.now()
    for number in range(1, 25):
        capture_iteration(project, iteration(number), now=now - timedelta(days=60))
    old = project / ".ralph/memory/archive/old.md"
    old.parent.mkdir()
    old.touch()
    long_ago = (now - timedelta(days=31)).timestamp()
    os.utime(old, (long_ago, long_ago))
    document = ralph("memory", "--cleanup", "-C", project, "--json").document
    assert document == {"archived": [f"iter-{number:03d}.md" for number in range(1, 6)], "deleted": ["old.md"]}
    assert ralph("memory", "--cleanup", "-C", project).out == "0 archived, 0 deleted.\n"


def test_memory_of_a_project_where_nothing_was_done(tmp_path: Path) -> None:
    root = repository(tmp_path / "fresh", {"a.md": "one\n"})
    for option in ("--show", "--stats", "--cleanup"):
        assert ralph("memory", option, "-C", root).code == 0
    assert ralph("reset", "-C", root).out == "There is nothing to reset.\n"
    assert not (root / ".ralph").exists()


def test_memory_of_a_damaged_project_is_one_sentence(project: Path) -> None:
    (project / ".ralph/state.json").write_text("null")
    refused(ralph("memory", "-C", project), "state.json", "state.json.bak is good")


def test_a_handoff_by_hand(project: Path) -> None:
    document = ralph("handoff", "-C", project, "--summary", "Mail is next", "--reason", "lunch", "--json").document
    assert document == {"session_id": "run-2", "summary_path": ".ralph/memory/sessions/session-001.md"}
    assert "In the words of a person:\n> Mail is next" in (project / ".ralph/MEMORY.md").read_text()
    (line,) = history.read(project).lines
    assert (line.session_id, line.handoff_reason, line.tokens_used) == ("run-2", "lunch", 250_000)


def test_after_a_handoff_the_session_counts_from_zero(project: Path) -> None:
    """In the first implementation it went on, and its cost denied every tool for good."""
    ralph("handoff", "-C", project)
    found = StateStore(project).load()
    assert (found.session_id, found.session_cost_usd, found.session_tokens_used) == (None, 0.0, 0)
    assert (found.total_cost_usd, found.iteration_count) == (12.34, 48)


def test_each_handoff_is_one_more_session(project: Path) -> None:
    for _ in range(3):
        assert ralph("handoff", "-C", project).code == 0
    assert len(history.read(project).lines) == 3
    assert len(list((project / ".ralph/memory/sessions").iterdir())) == 3


def test_a_handoff_works_in_a_fresh_project_and_leaves_it_clean_for_git(tmp_path: Path) -> None:
    root = repository(tmp_path / "fresh", {"a.md": "one\n"})
    assert ralph("handoff", "-C", root).code == 0
    assert "## Session Metadata" in (root / ".ralph/MEMORY.md").read_text()
    assert git(root, "status", "--porcelain") == ""


def test_a_run_at_work_is_asked_to_hand_off(running: Path) -> None:
    answer = ralph("handoff", "-C", running, "--reason", "lunch")
    assert answer.code == 0
    at_work = control.alive(running)
    assert at_work is not None
    (order,) = Control(running).since(0, at_work)
    assert (order.do, order.text) == ("handoff", "lunch")
    assert not (running / ".ralph/session_history").exists()
    refused(ralph("handoff", "-C", running, "--summary", "x"), "ralph inject")


def test_a_handoff_deletes_no_hint_that_no_prompt_has_had(project: Path) -> None:
    """In the first implementation it deleted them unread."""
    Control(project).post("inject", "use the old API", by="ann")
    ralph("handoff", "-C", project)
    with control.hold(project, "next") as at_work:
        assert [order.text for order in Control(project).since(0, at_work)] == ["use the old API"]


@pytest.mark.parametrize("command", [("handoff",), ("reset", "--yes")], ids=lambda words: str(words[0]))
def test_an_agent_decides_neither(project: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setenv("RALPH_AGENT", "1")
    refused(ralph(*command, "-C", project), "Only a person")


MOVED = ["state.json.bak", "state.json", "implementation_plan.json", "memory"]


def moved(project: Path, *options: str) -> list[str]:
    document = ralph("reset", "--yes", "-C", project, "--json", *options).document
    backup = project / document["backup"]
    names = [Path(path).name for path in document["moved"]]
    assert sorted(names) == sorted(path.name for path in backup.iterdir())
    return names


def test_reset_keeps_everything_in_a_backup(project: Path) -> None:
    """The first implementation wrote over state and plan, and kept nothing."""
    before = (project / ".ralph/implementation_plan.json").read_bytes()
    assert moved(project) == MOVED
    assert StateStore(project).load_or_none() is None
    assert PlanStore(project).load_or_none() is None
    (backup,) = (project / ".ralph/backups").iterdir()
    assert (backup / "implementation_plan.json").read_bytes() == before
    assert ralph("reset", "--yes", "-C", project).out == "There is nothing to reset.\n"


def test_reset_can_keep_the_plan(project: Path) -> None:
    PlanStore(project).change(lambda found: type(found)(tasks=found.tasks[:2]))
    assert moved(project, "--keep-plan") == ["state.json.bak", "state.json", "memory"]
    assert len(PlanStore(project).load().tasks) == 2


def test_moving_the_backup_back_undoes_a_reset(project: Path) -> None:
    moved(project)
    (backup,) = (project / ".ralph/backups").iterdir()
    for path in backup.iterdir():
        path.rename(project / ".ralph" / path.name)
    assert StateStore(project).load().iteration_count == 48
    assert PlanStore(project).load().tasks == plan().tasks


def test_reset_leaves_what_is_evidence(project: Path) -> None:
    kept = ["audit/x/run.json", "approvals/a.json", "runs/r/log.jsonl", "events.jsonl", "claims.jsonl", "control.jsonl"]
    kept += ["progress.txt", "session_history/sessions.jsonl"]
    for name in kept:
        path = project / ".ralph" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    moved(project)
    assert [name for name in kept if (project / ".ralph" / name).read_text() != name] == []


def test_reset_asks_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answered(monkeypatch, "n\n", "reset", "-C", project)
    assert (answer.code, answer.out) == (1, "")
    assert "state.json" in answer.err
    assert StateStore(project).load_or_none() is not None
    refused_without(answered(monkeypatch, "", "reset", "-C", project))
    assert StateStore(project).load_or_none() is not None
    answer = answered(monkeypatch, "y\n", "reset", "-C", project, "--json")
    assert json.loads(answer.out)["backup"].startswith(".ralph/backups/")
    assert StateStore(project).load_or_none() is None


def refused_without(answer: Answer) -> None:
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.splitlines()[-1] == (
        "ralph: Nobody answered, and nothing was reset; `--yes` resets without asking."
    )


def test_reset_is_refused_while_a_run_is_at_work(running: Path) -> None:
    refused(ralph("reset", "--yes", "-C", running), "at work", "ralph stop")
    assert StateStore(running).load_or_none() is not None


def test_numbers_of_sessions_go_on_after_a_reset(project: Path) -> None:
    ralph("handoff", "-C", project)
    moved(project)
    document = ralph("handoff", "-C", project, "--json").document
    assert document["summary_path"] == ".ralph/memory/sessions/session-002.md"


@pytest.mark.parametrize("command", ["memory", "handoff", "reset"])
def test_outside_of_a_repository_it_is_one_sentence(tmp_path: Path, command: str) -> None:
    refused(ralph(command, "-C", tmp_path), "git")
