"""The end of a session: when, what is asked, what is written, and that a crash in between is repaired."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ralph.loop.memory import active, capture, handoff, history, rotation
from ralph.loop.memory import folder as folders
from ralph.loop.memory.facts import SessionFacts, Summary, TaskNote
from ralph.loop.memory.handoff import REQUEST, own_summary, read_summary, session_facts
from ralph.loop.plan.model import ImplementationPlan
from tests.loop.memory.samples import AT, MODEL, NOW, iteration, plan, session, state

ANSWER = """Here is my summary.

## Progress
- mail works

### decisions:
- JWT, 24 h
# not a heading of ours
## Blockers/Issues
None.
## Completed This Session
- [x] everything
## Notes for the next session
1. rate limiting
"""


def test_what_an_agent_says_goes_under_the_headings_it_was_asked_for() -> None:
    found = read_summary(ANSWER)
    assert found is not None
    assert found.by == "agent"
    assert found.progress == ("- mail works",)
    assert found.decisions == ("- JWT, 24 h", "# not a heading of ours")
    assert found.blockers[0] == "None."
    assert "## Completed This Session" in found.blockers
    assert found.notes == ("Here is my summary.", "", "1. rate limiting")


def test_every_heading_that_is_asked_for_is_read() -> None:
    asked = [line.removeprefix("## ") for line in REQUEST.splitlines() if line.startswith("## ")]
    found = read_summary("\n".join(f"## {heading}\n{heading}!" for heading in asked))
    assert found == Summary(
        by="agent",
        progress=("Progress!",),
        decisions=("Architectural Decisions!",),
        blockers=("Blockers/Issues!",),
        notes=("Notes for Next Session!",),
    )


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "## Progress\n\n## Notes\nNone.\n", "## Progress\n- n/a"], ids=repr)
def test_words_that_say_nothing_are_no_summary(text: str) -> None:
    assert read_summary(text) is None


def test_of_a_summary_that_is_too_long_whole_lines_stay_and_the_rest_is_counted() -> None:
    found = read_summary("\n".join(f"line {number}" for number in range(3000)))
    assert found is not None
    assert found.notes[-2:] == ("line 1110", "[18,890 more characters were left out]")


def test_without_a_summary_ralph_tells_what_it_knows() -> None:
    found = own_summary(plan(), iterations=2, told=("build.done was refused: tests fail",), changed=2)
    assert found.by == "ralph"
    assert found.progress == ("Task auth-02: 2 iterations in this session, 1 failed attempts.",)
    assert found.blockers == ("build.done was refused: tests fail",)
    assert "2 files" in found.notes[0]


def test_with_nothing_to_tell_nothing_is_told() -> None:
    assert own_summary(ImplementationPlan(), iterations=3, told=(), changed=0) == Summary(by="ralph")


def test_the_facts_of_a_session_come_from_its_own_iterations(tmp_path: Path) -> None:
    iterations = [
        iteration(45, session_id="run-1", completed=(TaskNote(id="other", description=""),), files=("x",)),
        iteration(46, session_id="run-2", completed=(MODEL,), files=("a", "b"), cost_usd=None),
        iteration(47, session_id="run-2", files=("b", "c")),
    ]
    found = session_facts(state(tmp_path), plan(), iterations, reason="context_full", now=AT)
    assert (found.session_id, found.reason, found.iteration) == ("run-2", "context_full", 47)
    assert found.completed == (MODEL,)
    assert found.files == ("a", "b", "c")
    assert (found.tokens, found.cost_usd, found.unpriced, found.total_cost_usd) == (250_000, 2.5, 1, 12.34)
    assert [(task.id, task.note) for task in found.in_progress] == [("auth-02", "1 failed attempts")]


def written(root: Path) -> dict[str, bytes]:
    """Everything a handoff leaves, by path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted((root / ".ralph").rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def perform(root: Path, facts: SessionFacts) -> Path:
    return handoff.write(root, facts, state(root), plan(), now=NOW)


def test_a_handoff_writes_memory_active_memory_and_history(tmp_path: Path) -> None:
    path = perform(tmp_path, session(2))
    assert path.name == "session-001.md"
    assert "## Notes for Next Session" in (tmp_path / ".ralph/MEMORY.md").read_text()
    (line,) = history.read(tmp_path).lines
    assert (line.session_id, line.summary_path) == ("run-2", ".ralph/memory/sessions/session-001.md")


def test_a_handoff_done_twice_is_done_once(tmp_path: Path) -> None:
    perform(tmp_path, session(2))
    once = written(tmp_path)
    perform(tmp_path, session(2))
    assert written(tmp_path) == once


@pytest.mark.parametrize("steps", range(5))
def test_a_crash_after_any_step_is_repaired_by_doing_it_again(tmp_path: Path, steps: int) -> None:
    for each in (tmp_path / "crashed", tmp_path / "straight"):
        for number in range(1, 13):
            capture.capture_iteration(each, iteration(number), now=NOW)
            perform(each, session(number))
    root, facts = tmp_path / "crashed", session(13)
    partly: list[Callable[[], object]] = [
        lambda: capture.capture_session(root, facts, now=NOW),
        lambda: rotation.rotate(root, now=NOW),
        lambda: active.refresh(root, state(root), plan()),
        lambda: history.append(root, facts, root / ".ralph/memory/sessions/session-013.md"),
    ]
    for step in partly[:steps]:
        step()
    perform(root, facts)
    perform(tmp_path / "straight", facts)
    assert written(root) == written(tmp_path / "straight")


def test_fifteen_handoffs_keep_fifteen_memories_and_lines(tmp_path: Path) -> None:
    for number in range(1, 16):
        perform(tmp_path, session(number))
    memory = tmp_path / ".ralph" / "memory"
    names = [*folders.listed(memory / "archive"), *folders.listed(memory / "sessions")]
    assert names == [f"session-{number:03d}.md" for number in range(1, 16)]
    lines = (tmp_path / ".ralph/session_history/sessions.jsonl").read_text().splitlines()
    assert [json.loads(line)["session_id"] for line in lines] == [f"run-{number}" for number in range(1, 16)]
