"""Memories on disk: read back exactly, captured once however often, and never lost by another capture."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory.capture import capture_iteration, capture_phase, capture_session
from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts, Summary, TaskNote
from ralph.loop.memory.rotation import rotate
from ralph.loop.words import Phase
from tests.loop.memory.samples import LOGIN, MODEL, NOW, iteration, phase, session, started, together


def archive(root: Path) -> list[str]:
    return folders.listed(root / ".ralph" / "memory" / "archive")


def test_an_iteration_says_what_the_specification_asks_for(tmp_path: Path) -> None:
    blocked = replace(LOGIN, note="no SMTP")
    path = capture_iteration(tmp_path, iteration(7, completed=(MODEL,), blocked=(blocked,)), now=NOW)
    assert path == tmp_path / ".ralph/memory/iterations/iter-007.md"
    text = path.read_text()
    for line in (
        "# Iteration 7",
        "- Phase: building",
        "- Progress: yes",
        "- Tokens: 12,345",
        "- Cost: $0.5000",
        "- [x] auth-01: Create User model",
        "- auth-02: Add login endpoint (no SMTP)",
        "1. src/login.py",
        "- Time: 2026-01-26T14:30:00.000Z",
    ):
        assert line in text.splitlines()


def test_a_cost_that_nobody_knows_is_not_zero(tmp_path: Path) -> None:
    text = capture_iteration(tmp_path, iteration(1, cost_usd=None, tokens=None), now=NOW).read_text()
    assert "- Cost: unknown" in text
    assert "- Tokens: unknown" in text


def test_a_phase_is_a_field_and_not_a_word_somewhere(tmp_path: Path) -> None:
    """The first implementation took any word for the phase: the task `discovery-api` made it discovery, and what was
    read back always said progress."""
    task = TaskNote(id="discovery-api", description="planning, validation, discovery complete")
    path = capture_iteration(tmp_path, iteration(3, task=task, progress=False), now=NOW)
    found = folders.read(path, IterationFacts)
    assert (found.phase, found.progress) == (Phase.BUILDING, False)


def test_a_phase_and_a_session(tmp_path: Path) -> None:
    assert "- small tasks first" in capture_phase(tmp_path, phase(), now=NOW).read_text()
    path = capture_session(tmp_path, session(), now=NOW)
    assert path == tmp_path / ".ralph/memory/sessions/session-001.md"
    text = path.read_text()
    assert "- Reason for the handoff: context_full" in text
    assert "## Notes for Next Session\n> Rate limiting" in text


def test_the_front_matter_is_yaml_for_others(tmp_path: Path) -> None:
    path = capture_session(tmp_path, session(), now=NOW)
    front = path.read_text().split("---\n")[1]
    assert yaml.safe_load(front) == json.loads(json.dumps(asdict(session())))


def test_capturing_twice_is_capturing_once(tmp_path: Path) -> None:
    """After a crash the last effects are performed again."""
    for _ in range(3):
        paths = [
            capture_iteration(tmp_path, iteration(1), now=NOW),
            capture_phase(tmp_path, phase(), now=NOW),
            capture_session(tmp_path, session(), now=NOW),
        ]
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in paths] == before
    assert folders.listed(tmp_path / ".ralph/memory/sessions") == ["session-001.md"]
    assert archive(tmp_path) == []


def test_the_first_time_stands_when_a_crash_lets_it_be_captured_later_again(tmp_path: Path) -> None:
    path = capture_iteration(tmp_path, iteration(1), now=NOW)
    before = path.read_bytes()
    capture_iteration(tmp_path, iteration(1, at="2026-01-26T15:00:00.000Z"), now=NOW)
    assert path.read_bytes() == before
    assert archive(tmp_path) == []


def test_what_a_person_added_below_stays(tmp_path: Path) -> None:
    path = capture_phase(tmp_path, phase(), now=NOW)
    path.write_text(path.read_text() + "\nRemember the index.\n")
    capture_phase(tmp_path, phase(), now=NOW)
    assert path.read_text().endswith("Remember the index.\n")


def test_a_phase_that_comes_again_keeps_its_first_memory_in_the_archive(tmp_path: Path) -> None:
    """Building is entered again after a validation that failed."""
    for number in (4, 9, 12):
        path = capture_phase(tmp_path, phase(phase=Phase.BUILDING, iteration=number), now=NOW)
    assert folders.read(path, PhaseFacts).iteration == 12
    assert archive(tmp_path) == ["building.2.md", "building.md"]
    kept = [folders.read(tmp_path / ".ralph/memory/archive" / name, PhaseFacts).iteration for name in archive(tmp_path)]
    assert sorted(kept) == [4, 9]


def test_fifteen_sessions_are_fifteen_memories(tmp_path: Path) -> None:
    """The first implementation numbered by counting files, and so wrote the eleventh again and again."""
    paths = []
    for number in range(1, 16):
        paths.append(capture_session(tmp_path, session(number), now=NOW).name)
        rotate(tmp_path, now=NOW)
    assert paths == [f"session-{number:03d}.md" for number in range(1, 16)]
    kept = folders.listed(tmp_path / ".ralph/memory/sessions")
    assert kept == [f"session-{number:03d}.md" for number in range(6, 16)]
    assert archive(tmp_path) == [f"session-{number:03d}.md" for number in range(1, 6)]


def test_numbers_go_on_when_everything_but_the_history_is_gone(tmp_path: Path) -> None:
    from ralph.loop.memory import history

    for number in range(1, 4):
        history.append(tmp_path, session(number), capture_session(tmp_path, session(number), now=NOW))
    for path in (tmp_path / ".ralph/memory/sessions").iterdir():
        path.unlink()
    assert capture_session(tmp_path, session(4), now=NOW).name == "session-004.md"
    assert capture_session(tmp_path, session(2), now=NOW).name == "session-002.md"


def test_numbers_grow_beyond_three_digits_in_their_order(tmp_path: Path) -> None:
    for number in (999, 1000, 1001):
        capture_iteration(tmp_path, iteration(number), now=NOW)
    found = folders.numbered(tmp_path / ".ralph/memory/iterations", "iter")
    assert [number for number, _ in found] == [999, 1000, 1001]


DAMAGE = {
    "empty": b"",
    "no front matter": b"# Iteration 1\n",
    "no end of it": b"---\niteration: 1\n",
    "a value that is no JSON": b"---\niteration: one\n---\n",
    "a field is missing": b"---\niteration: 1\n---\n",
    "not UTF-8": b'---\nagent: "\xff"\n---\n',
    "deeply nested": b"---\niteration: " + b"[" * 100_000 + b"\n---\n",
}


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_memory_is_told_and_its_bytes_are_kept(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / ".ralph/memory/iterations/iter-001.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(StorageError, match=r"iter-001\.md is damaged and is left out \(.*\); correct it, or move it"):
        folders.read(path, IterationFacts)
    capture_iteration(tmp_path, iteration(1), now=NOW)
    assert folders.read(path, IterationFacts) == iteration(1)
    assert (tmp_path / ".ralph/memory/archive/iter-001.md").read_bytes() == data


@pytest.mark.parametrize("edit", [lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text])
def test_a_memory_that_an_editor_has_saved_reads_the_same(tmp_path: Path, edit: Any) -> None:
    path = capture_iteration(tmp_path, iteration(1), now=NOW)
    path.write_bytes(edit(path.read_text()).encode())
    assert folders.read(path, IterationFacts) == iteration(1)


def test_a_field_that_somebody_added_is_no_damage(tmp_path: Path) -> None:
    path = capture_iteration(tmp_path, iteration(1), now=NOW)
    path.write_text(path.read_text().replace("---\n", "---\ntitle: My note: 1\n", 1))
    assert folders.read(path, IterationFacts) == iteration(1)


def test_a_cost_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be remembered"):
        capture_iteration(tmp_path, iteration(1, cost_usd=float("nan")), now=NOW)
    assert folders.listed(tmp_path / ".ralph/memory/iterations") == []


def test_a_link_in_the_place_of_a_memory_leads_nowhere(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("mine")
    path = tmp_path / ".ralph/memory/phases/planning.md"
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    with pytest.raises(StorageError, match="symbolic link"):
        capture_phase(tmp_path, phase(), now=NOW)
    assert target.read_text() == "mine"


CAPTURE = """
from pathlib import Path
from ralph.loop.memory.capture import capture_session
from ralph.loop.memory.rotation import rotate
from tests.loop.memory.samples import NOW, session
for number in range(6):
    print(capture_session(Path(sys.argv[1]), session(session_id=f"{sys.argv[2]}-{number}"), now=NOW).name)
    rotate(Path(sys.argv[1]), now=NOW)
"""


def test_eight_processes_never_share_a_number(tmp_path: Path) -> None:
    answers = together(*(started(CAPTURE, tmp_path, process) for process in range(8)))
    names = [name for answer in answers for name in answer.split()]
    assert sorted(names) == [f"session-{number:03d}.md" for number in range(1, 49)]
    assert len(archive(tmp_path)) == 38


texts = st.text(max_size=30)
notes = st.builds(TaskNote, id=texts, description=texts, note=texts)
few = st.lists(notes, max_size=2).map(tuple)
lines = st.lists(texts, max_size=3).map(tuple)
counts = st.integers(0, 2**53 - 1)
iterations = st.builds(
    IterationFacts,
    iteration=counts,
    phase=st.sampled_from(Phase),
    at=texts,
    progress=st.booleans(),
    session_id=st.none() | texts,
    task=st.none() | notes,
    completed=few,
    blocked=few,
    tokens=st.none() | counts,
    cost_usd=st.none() | st.floats(0, 1e9),
    files=lines,
    refusals=lines,
)
sessions = st.builds(
    SessionFacts,
    session_id=texts,
    phase=st.sampled_from(Phase),
    iteration=counts,
    reason=texts,
    ended_at=texts,
    summary=st.builds(Summary, by=st.sampled_from(["agent", "ralph", "person"]), progress=lines, notes=lines),
    completed=few,
    files=lines,
    cost_usd=st.floats(0, 1e9),
)


@given(iterations | sessions)
def test_what_is_read_back_is_exactly_what_was_captured(
    tmp_path_factory: pytest.TempPathFactory, facts: IterationFacts | SessionFacts
) -> None:
    root = tmp_path_factory.mktemp("project")
    if isinstance(facts, IterationFacts):
        assert folders.read(capture_iteration(root, facts, now=NOW), IterationFacts) == facts
    else:
        assert folders.read(capture_session(root, facts, now=NOW), SessionFacts) == facts


@given(iterations)
def test_no_text_of_others_begins_a_heading(tmp_path_factory: pytest.TempPathFactory, facts: IterationFacts) -> None:
    root = tmp_path_factory.mktemp("project")
    body = capture_iteration(root, facts, now=NOW).read_text(encoding="utf-8").split("---\n", 2)[2]
    headings = [line for line in body.split("\n") if line.lstrip().startswith("#")]
    assert headings == [
        f"# Iteration {facts.iteration}",
        "## Tasks Completed",
        "## Tasks Blocked",
        "## Files Modified",
        "## Refusals",
    ]
