"""The court of a turn: one law in Ralph's own process, in hooks of a client, and behind a ticket."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ralph.hook import docket
from ralph.hook.court import OWN, TurnCourt
from ralph.hook.model import Call
from ralph.hook.run_policy import policy_of_run
from ralph.mcp.model import PREFIX
from ralph.permissions.capabilities import Capabilities
from tests.hook.test_door import knock
from tests.hook.workshop import POLICY, governed, knocked, records, seat
from tests.project import repository

DISCOVERY = Capabilities(name="discovery", write=("specs",), shell=False)
FILES = {"src/a.txt": "a\n", "tools/probe.sh": "echo ran > src/ran.txt; echo x > specs/n; cat .env; env\n"}
PROBE = {**POLICY["commands"], "allow": ["bash tools/probe.sh"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = governed(tmp_path / "project", FILES, commands=PROBE)
    (made / ".env").write_text("very-secret\n")
    (made / "specs").mkdir()
    return made


def call(root: Path, tool: str, number: str = "call-1", **arguments: Any) -> Call:
    return Call(tool=tool, arguments=arguments, cwd=str(root), session="s", client="claude", id=number)


def denied(done: subprocess.CompletedProcess[str]) -> str:
    """Why: a sentence, or a decision in the client's own words."""
    if done.returncode == 2:
        assert done.stdout == ""
        return done.stderr
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny", answer
    reason: str = answer["permissionDecisionReason"]
    return reason


def allowed(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "allow", answer
    return answer


def run(line: str, root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60, cwd=root)


def test_the_prefix_is_that_of_the_tools() -> None:
    assert OWN == PREFIX


def test_a_decision_is_written_down_with_its_call(root: Path) -> None:
    court = seat(root)
    assert not court.answer(call(root, "Write", "a", file_path="tools/x", content="")).allowed
    assert court.answer(call(root, "Read", "b", file_path="src/a.txt")).allowed
    assert court.answer(call(root, "mcp__ralph__get_next_task", "c")).allowed
    assert court.answer(call(root, "TodoWrite", "d")).allowed
    noted, end = docket.read(court.folder)
    assert [(each.id, each.outcome) for each in noted] == [
        ("a", "deny"),
        ("b", "allow"),
        ("c", "allow"),
        ("d", "allow"),
    ]
    assert noted[0].rule == "files.allowWrite"
    assert noted[0].session == "s"
    assert docket.read(court.folder, end) == ([], end)


def test_an_allowed_command_becomes_a_ticket_that_the_court_s_law_runs(root: Path) -> None:
    """The walls are those of the phase: the script may write where the phase may, and nowhere else."""
    court = seat(root, Capabilities(name="discovery", write=("specs",)))
    answer = court.answer(call(root, "Bash", command="bash tools/probe.sh"))
    assert answer.allowed, answer
    assert answer.arguments is not None
    done = run(answer.arguments["command"], root)
    assert (root / "specs" / "n").read_text() == "x\n"
    assert not (root / "src" / "ran.txt").exists()
    assert "very-secret" not in done.stdout
    assert "RALPH_TURN" not in done.stdout


def test_the_hook_answers_as_the_court_does(root: Path) -> None:
    court = seat(root, DISCOVERY)
    env = court.environment()
    assert "discovery" in denied(knocked(root, "Write", env, file_path="src/a.txt", content=""))
    assert "discovery" in denied(knocked(root, "Bash", env, command="ls"))
    allowed(knocked(root, "Write", env, file_path="specs/new.md", content=""))
    allowed(knocked(root, "mcp__ralph__ralph_get_next_task", env))
    noted, _ = docket.read(court.folder)
    assert [(each.id, each.outcome) for each in noted] == [
        ("call-1", each) for each in ("deny", "deny", "allow", "allow")
    ]


def test_outside_of_a_run_ralph_s_tools_are_tools_like_others(root: Path) -> None:
    assert "mcp__ralph__" in denied(knocked(root, "mcp__ralph__ralph_get_next_task"))


def test_a_ticket_of_the_hook_runs_under_the_court_s_law(root: Path) -> None:
    court = seat(root, Capabilities(name="discovery", write=("specs",)))
    answer = allowed(knocked(root, "Bash", court.environment(), command="bash tools/probe.sh"))
    run(answer["updatedInput"]["command"], root)
    assert (root / "specs" / "n").exists()
    assert not (root / "src" / "ran.txt").exists()


def test_the_law_of_a_run_is_the_one_it_began_with(root: Path) -> None:
    """Whatever becomes of the file in the repository, accepted or not, counts for the next run."""
    court = seat(root)
    answer = court.answer(call(root, "Bash", command="bash tools/probe.sh"))
    (root / "ralph.policy.json").write_text("{")
    allowed(knocked(root, "Read", court.environment(), file_path="src/a.txt"))
    assert answer.arguments is not None
    assert run(answer.arguments["command"], root).returncode == 0
    assert (root / "src" / "ran.txt").exists()


def test_a_repository_without_a_policy_gets_the_starter_policy(tmp_path: Path) -> None:
    root = repository(tmp_path / "fresh", {"pyproject.toml": "[project]\nname = 'x'\n", "src/x.py": "x = 1\n"})
    of_run = policy_of_run(root)
    assert "starter policy" in of_run.told
    court = seat(root, of_run=of_run)
    allowed(knocked(root, "Write", court.environment(), file_path="src/x.py", content=""))
    answer = allowed(knocked(root, "Bash", court.environment(), command="grep -n x src/x.py"))
    done = run(answer["updatedInput"]["command"], root)
    assert done.stdout == "1:x = 1\n", done.stderr
    assert "no ralph.policy.json" in denied(knocked(root, "Read", file_path="src/x.py"))


def test_a_repository_without_a_commit_gets_one_too(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    (root / "a.py").write_text("x = 1\n")
    assert "starter" in policy_of_run(root).told


def test_a_policy_that_nobody_accepted_is_no_reason_to_take_another(tmp_path: Path) -> None:
    root = repository(tmp_path / "project", {"a.py": ""})
    (root / "ralph.policy.json").write_text(json.dumps(POLICY))
    with pytest.raises(Exception, match="no person committed or accepted it"):
        policy_of_run(root)


def _edited(court: TurnCourt) -> None:
    place = court.folder / "court.json"
    place.write_bytes(place.read_bytes().replace(b'"shell": false', b'"shell": true'))


def _copied(court: TurnCourt) -> None:
    """The court of another turn, in which more was allowed."""
    wide = seat(court.root, turn="2-1")
    wide.environment()
    shutil.copy(wide.folder / "court.json", court.folder / "court.json")


def _another_law(court: TurnCourt) -> None:
    (court.folder.parent.parent / "policy.json").write_text(json.dumps({**POLICY, "mode": "core"}))


def _linked(court: TurnCourt) -> None:
    place = court.folder / "court.json"
    place.rename(court.folder / "away")
    place.symlink_to("away")


def _piped(court: TurnCourt) -> None:
    (court.folder / "court.json").unlink()
    os.mkfifo(court.folder / "court.json")


def _no_json(court: TurnCourt) -> None:
    (court.folder / "court.json").write_text("{}")


BROKEN: dict[str, tuple[Callable[[TurnCourt], object], str]] = {
    "edited": (_edited, "not made by Ralph"),
    "somebody else's": (_no_json, "not made by Ralph"),
    "of another turn": (_copied, "another turn"),
    "gone": (lambda court: (court.folder / "court.json").unlink(), "cannot be read"),
    "a link": (_linked, "cannot be read"),
    "a pipe": (_piped, "not made by Ralph"),
    "another policy": (_another_law, "not the policy that this run began with"),
    "no policy": (lambda court: (court.folder.parent.parent / "policy.json").unlink(), "cannot be read"),
    "another key": (
        lambda court: next(Path(os.environ["XDG_CONFIG_HOME"]).rglob("tickets.key")).write_bytes(b"x" * 32),
        "not made by Ralph",
    ),
}


@pytest.mark.parametrize(("spoil", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_court_denies(root: Path, spoil: Callable[[TurnCourt], object], why: str) -> None:
    court = seat(root, DISCOVERY)
    env = court.environment()
    spoil(court)
    assert why in denied(knocked(root, "Read", env, file_path="src/a.txt"))


FOREIGN = {
    "nowhere": "",
    "relative": ".ralph/runs/r/turns/1",
    "outside the project": "/srv/runs/r/turns/1",
    "not below the runs": "{root}/src/.ralph/runs/r/turns/1",
    "upwards": "{root}/.ralph/runs/../turns/1",
    "the run itself": "{root}/.ralph/runs/r",
}


@pytest.mark.parametrize("place", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_place_denies(root: Path, place: str) -> None:
    turn = place.format(root=root)
    assert "no turn of a run" in denied(knocked(root, "Read", {"RALPH_TURN": turn}, file_path="src/a.txt"))


def test_a_court_counts_in_its_project_and_for_its_client_alone(root: Path, tmp_path: Path) -> None:
    env = seat(root).environment()
    assert "belongs to claude" in denied(knocked(root, "Read", env, client="codex", file_path="src/a.txt"))
    other = governed(tmp_path / "other", FILES)
    assert "no turn of a run" in denied(knocked(other, "Read", env, file_path="src/a.txt"))


def test_what_goes_wrong_denies_with_a_sentence(root: Path) -> None:
    court = seat(root)
    shutil.rmtree(court.folder.parent.parent)
    answer = court.answer(call(root, "Read", file_path="src/a.txt"))
    assert not answer.allowed
    assert "could not be written down" in answer.reason
    answer = court.answer(call(root, "Bash", command="ls"))
    assert not answer.allowed


def test_a_decision_that_cannot_be_written_down_is_none(root: Path) -> None:
    court = seat(root)
    (court.folder / docket.NAME).mkdir()
    answer = court.answer(call(root, "Read", file_path="src/a.txt"))
    assert not answer.allowed
    assert "nothing is allowed" in answer.reason


@pytest.mark.parametrize("arguments", [{}, {"file_path": 3}, {"file_path": "a\0b"}, {"file_path": "\ud800"}])
def test_a_call_that_cannot_be_read_is_denied_and_written_down(root: Path, arguments: dict[str, Any]) -> None:
    court = seat(root)
    assert not court.answer(call(root, "Read", **arguments)).allowed
    ((noted,), _) = docket.read(court.folder)
    assert noted.outcome == "deny"


def test_many_threads_ask_at_once(root: Path) -> None:
    court = seat(root)
    asked = [("Bash", {"command": "grep -c a src/a.txt"}), ("Write", {"file_path": "tools/x", "content": ""})]
    calls = [call(root, tool, f"{number}-{tool}", **given) for number in range(30) for tool, given in asked]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(court.answer, calls))
    assert [each.allowed for each in answers] == [True, False] * 30
    noted, _ = docket.read(court.folder)
    assert {each.id: each.outcome for each in noted} == {
        each.id: "allow" if each.tool == "Bash" else "deny" for each in calls
    }
    tickets = {each.arguments["command"] for each in answers if each.arguments}
    assert len(tickets) == 30


def test_a_torn_line_of_a_killed_writer_spoils_no_other(root: Path) -> None:
    court = seat(root)
    (court.folder / docket.NAME).write_bytes(b'{"id": "torn", "to')
    court.answer(call(root, "Read", file_path="src/a.txt"))
    ((noted,), _) = docket.read(court.folder)
    assert noted.id == "call-1"


def test_a_torn_end_is_read_when_it_is_whole(root: Path) -> None:
    court = seat(root)
    court.answer(call(root, "Read", "a", file_path="src/a.txt"))
    place = court.folder / docket.NAME
    line = place.read_bytes().replace(b'"a"', b'"b"')
    _, end = docket.read(court.folder)
    with place.open("ab") as file:
        file.write(line[:20])
        file.flush()
        assert docket.read(court.folder, end) == ([], end)
        file.write(line[20:])
    assert [each.id for each in docket.read(court.folder, end)[0]] == ["b"]


CLOSED = ["state.json", "implementation_plan.json", "MEMORY.md", "runs/r/log.jsonl", "runs/r/policy.json", "tickets/x"]


@pytest.mark.parametrize("name", CLOSED)
def test_the_state_of_a_run_is_changed_by_tools_alone(root: Path, name: str) -> None:
    """The first implementation let an agent overwrite what said which task was done."""
    law = policy_of_run(
        governed(root.parent / "wide", FILES, mode="core", files={**POLICY["files"], "allowWrite": ["."]})
    )
    court = seat(root, of_run=law)
    place = f".ralph/{name}"
    assert not court.answer(call(root, "Write", file_path=place, content="{}")).allowed
    assert not court.answer(call(root, "Edit", file_path=str(root / place), old_string="a", new_string="b")).allowed
    for line in (f"echo x > {place}", f"cp src/a.txt {place}", f"rm -rf {place}", f"tee -a {place} < src/a.txt"):
        assert not court.answer(call(root, "Bash", command=line)).allowed, line


def test_walls_keep_a_script_from_the_state_of_a_run(tmp_path: Path) -> None:
    """A script that the policy allows by name is judged by nobody: here only the kernel stands in the way."""
    script = "for each in state.json MEMORY.md runs/r/log.jsonl; do echo forged > .ralph/$each; done; echo end\n"
    changed = {"files": {**POLICY["files"], "allowWrite": ["."]}, "commands": PROBE, "mode": "core"}
    root = governed(tmp_path / "project", {"tools/probe.sh": script}, **changed)
    court = seat(root)
    (root / ".ralph" / "runs" / "r").mkdir()
    answer = court.answer(call(root, "Bash", command="bash tools/probe.sh"))
    assert answer.arguments is not None, answer
    assert "end" in run(answer.arguments["command"], root).stdout
    assert not [
        each for each in (root / ".ralph").rglob("*") if each.is_file() and "forged" in each.read_text("latin-1")
    ]


def test_a_denial_of_a_run_is_a_violation_in_the_project_s_log_as_well(root: Path) -> None:
    seat(root).answer(call(root, "Write", file_path="tools/x", content=""))
    (found,) = records(root, "policy_violation")
    assert found["rule"] == "files.allowWrite"


def test_the_mark_of_a_session_stands_in_its_turn(root: Path) -> None:
    """A session that goes on in a second turn is proven there anew."""
    court = seat(root, client="codex")
    event = {"hook_event_name": "SessionStart", "session_id": "s-1", "cwd": str(root)}
    replied = knock(root, json.dumps(event).encode(), "codex", env=dict(court.environment()))
    assert (replied.code, replied.out) == (0, b"")
    assert (court.folder / "hooks" / "codex-s-1").exists()
    assert not (root / ".ralph" / "hooks").exists()
