"""The history of sessions: one line each, whatever is done twice, torn or edited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.loop.memory import history
from tests.loop.memory.samples import session, started, together

KEYS = ["session_id", "iteration", "tokens_used", "cost_usd", "tasks_completed", "phase", "handoff_reason"]


def add(root: Path, number: int) -> bool:
    return history.append(root, session(number), root / f".ralph/memory/sessions/session-{number:03d}.md")


def test_a_line_has_the_keys_of_the_specification_first(tmp_path: Path) -> None:
    assert add(tmp_path, 1)
    line = json.loads((tmp_path / ".ralph/session_history/sessions.jsonl").read_text())
    assert list(line)[:7] == KEYS
    assert (line["session_id"], line["tokens_used"], line["cost_usd"], line["tasks_completed"]) == (
        "run-1",
        250_000,
        2.5,
        1,
    )
    assert line["summary_path"] == ".ralph/memory/sessions/session-001.md"


def test_newest_first_and_no_more_than_asked_for(tmp_path: Path) -> None:
    for number in range(1, 6):
        add(tmp_path, number)
    assert [line.iteration for line in history.read(tmp_path, limit=2).lines] == [5, 4]
    assert len(history.read(tmp_path).lines) == 5
    assert history.read(tmp_path / "elsewhere").lines == ()


def test_a_session_has_one_line(tmp_path: Path) -> None:
    assert [add(tmp_path, 1), add(tmp_path, 1), add(tmp_path, 2), add(tmp_path, 1)] == [True, False, True, False]
    assert len(history.read(tmp_path).lines) == 2


def test_the_line_of_the_specification_is_read(tmp_path: Path) -> None:
    path = tmp_path / history.HISTORY
    path.parent.mkdir(parents=True)
    path.write_text(
        '{"session_id": "a1b2c3d4", "iteration": 47, "tokens_used": 250000, "cost_usd": 2.50, "tasks_completed": 3, '
        '"phase": "building", "handoff_reason": "phase_complete"}\n'
    )
    (line,) = history.read(tmp_path).lines
    assert (line.session_id, line.summary_path, history.numbers(tmp_path, "a1b2c3d4")) == ("a1b2c3d4", "", (None, 0))


@pytest.mark.parametrize("torn", [b'{"session_id": "run-9", "iter', b"\xff\xfe", b"[]", b"{}"], ids=repr)
def test_a_bad_line_hides_no_other(tmp_path: Path, torn: bytes) -> None:
    """In the first implementation one bad line hid all later ones."""
    add(tmp_path, 1)
    path = tmp_path / history.HISTORY
    path.write_bytes(path.read_bytes() + torn)
    add(tmp_path, 2)
    found = history.read(tmp_path)
    assert [line.session_id for line in found.lines] == ["run-2", "run-1"]
    assert found.damaged == 1


def test_an_id_in_another_field_is_not_the_session(tmp_path: Path) -> None:
    history.append(tmp_path, session(1, reason='"run-2"'), tmp_path / "session-001.md")
    assert add(tmp_path, 2)


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / history.HISTORY
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "target")
    with pytest.raises(StorageError, match="symbolic link"):
        add(tmp_path, 1)
    assert not (tmp_path / "target").exists()


def test_a_line_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="figures that cannot be read back"):
        history.append(tmp_path, session(1, cost_usd=float("nan")), tmp_path / "session-001.md")
    assert history.read(tmp_path).lines == ()


APPEND = """
from pathlib import Path
from ralph.loop.memory import history
from tests.loop.memory.samples import session
root = Path(sys.argv[1])
for number in range(15):
    history.append(root, session(session_id=f"{sys.argv[2]}-{number}"), root / "session-001.md")
    history.append(root, session(session_id=f"all-{number}"), root / "session-001.md")
"""


def test_eight_processes_lose_no_line_and_double_none(tmp_path: Path) -> None:
    together(*(started(APPEND, tmp_path, number) for number in range(8)))
    ids = [line.session_id for line in history.read(tmp_path).lines]
    assert len(ids) == len(set(ids)) == 8 * 15 + 15
