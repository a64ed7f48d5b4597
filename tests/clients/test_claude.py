"""The real Claude Code behind `ralph hook claude`: what is denied does not happen, and the model reads why."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clients.anthropic import Claude, call, say, scripted
from tests.clients.harness import POLICY, World, ended


def results(world: World, *tools: tuple[str, dict[str, Any]]) -> list[str]:
    """What the model was told about each of these calls."""
    with scripted(*(call(each) for each in tools), say("done")) as model:
        ended(world.start_claude(model.url))
        return model.results()


def bash(command: str) -> tuple[str, dict[str, Any]]:
    return "Bash", {"command": command, "description": "a command"}


def test_a_denied_command_does_not_run_and_the_model_reads_why(world: World) -> None:
    (told,) = results(world, bash("touch outside.txt"))
    assert not (world.root / "outside.txt").exists()
    assert "files.allowWrite" in told
    assert "outside.txt" in (world.root / "state" / "progress.jsonl").read_text()


def test_an_allowed_command_runs_in_the_sandbox(world: World) -> None:
    """The script is allowed by name, so that only the walls hold it."""
    world.write("tools/probe.sh", "echo ran > src/ran.txt\ncat .env\necho x > tools/x\necho x > .git/x\nenv\n")
    (told,) = results(world, bash("bash tools/probe.sh"))
    assert (world.root / "src" / "ran.txt").read_text() == "ran\n"
    assert "RALPH_SANDBOX=bubblewrap" in told
    assert "very-secret" not in told
    assert "sk-ant-dummy" not in told
    assert not (world.root / "tools" / "x").exists()
    assert not (world.root / ".git" / "x").exists()
    assert not list((world.root / ".ralph" / "tickets").iterdir())


def test_a_failing_command_fails_for_the_model_too(world: World) -> None:
    (told,) = results(world, bash("grep -q nothing src/a.txt"))
    assert "Exit code 1" in told


def test_files_are_judged_like_commands(world: World) -> None:
    secret, closed, free = world.root / ".env", world.root / "tools.txt", world.root / "src" / "new.txt"
    told = results(
        world,
        ("Read", {"file_path": str(secret)}),
        ("Write", {"file_path": str(closed), "content": "x"}),
        ("Write", {"file_path": str(free), "content": "x"}),
        ("Write", {"file_path": str(world.root / ".claude" / "settings.json"), "content": "{}"}),
    )
    assert "files.denyRead" in told[0]
    assert "very-secret" not in json.dumps(told)
    assert not closed.exists()
    assert free.read_text() == "x"
    assert "ralph hook claude" in (world.root / ".claude" / "settings.json").read_text()


def test_a_path_is_what_the_client_takes_it_for(world: World) -> None:
    """Claude Code expands `~` and drops blanks: a path that looks like one in the project leads elsewhere."""
    (world.home / "token.txt").write_text("very-secret\n")
    told = results(
        world,
        ("Read", {"file_path": "~/token.txt"}),
        ("Read", {"file_path": f" {world.home}/token.txt"}),
        ("Read", {"file_path": f"{world.root}/.env "}),
    )
    assert "very-secret" not in json.dumps(told)
    assert all("Denied by" in each or "another path" in each for each in told)


def test_each_command_starts_where_the_client_stands(world: World) -> None:
    """A `cd` ends with its command, because the command runs in a shell of Ralph's."""
    told = results(world, bash("cd src && pwd"), bash("pwd"))
    assert [each.strip() for each in told] == [str(world.root / "src"), str(world.root)]


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param("{", id="not JSON"),
        pytest.param('{"version": 1, "mode": "core"}', id="incomplete"),
        pytest.param(None, id="none"),
    ],
)
def test_a_broken_policy_denies(world: World, policy: str | None) -> None:
    if policy is None:
        world.git("rm", "--quiet", "ralph.policy.json")
    else:
        world.write("ralph.policy.json", policy)
    world.git("commit", "--quiet", "--all", "--message", "Broken")
    told = results(world, bash("touch src/marker"), ("Write", {"file_path": f"{world.root}/src/m", "content": ""}))
    assert not (world.root / "src" / "marker").exists()
    assert not (world.root / "src" / "m").exists()
    assert all("ralph.policy.json" in each for each in told)


def test_a_policy_that_nobody_committed_does_not_count(world: World) -> None:
    world.write("ralph.policy.json", json.dumps({**POLICY, "mode": "core"}))
    (told,) = results(world, bash("touch outside.txt"))
    assert not (world.root / "outside.txt").exists()
    assert "Denied" in told


def requests(world: World) -> set[str]:
    return {path.name.split(".")[0] for path in (world.root / ".ralph" / "approvals").glob("*.request.json")}


def wait_for_request(world: World, known: set[str]) -> str:
    for _ in range(1200):
        if found := requests(world) - known:
            return found.pop()
        time.sleep(0.1)
    raise AssertionError("the client asked nobody")


def answered(world: World, command: str, *answer: str) -> tuple[str, Claude]:
    """Let the client ask, answer as a person, and give what the model was told."""
    with scripted(call(bash(command)), say("done")) as model:
        known = requests(world)
        client = world.start_claude(model.url)
        done = world.person("approvals", answer[0], wait_for_request(world, known), *answer[1:])
        assert done.returncode == 0, done.stderr
        ended(client)
        return model.results()[0], model


def test_a_person_approves_and_it_runs_once(world: World) -> None:
    doomed = world.write("src/old.txt", "old\n")
    told, _ = answered(world, "rm src/old.txt && echo gone", "approve", "--reason", "it is old")
    assert not doomed.exists()
    assert "gone" in told
    world.write("src/old.txt", "old\n")
    again, _ = answered(world, "rm src/old.txt && echo gone", "reject", "--reason", "not again")
    assert "not again" in again
    assert doomed.exists()


def test_a_suggestion_reaches_the_model(world: World) -> None:
    kept = world.write("src/old.txt", "old\n")
    told, _ = answered(world, "rm src/old.txt", "suggest", "move it to src/attic")
    assert kept.exists()
    assert "move it to src/attic" in told


def test_no_agent_approves_itself(world: World, tmp_path: Path) -> None:
    """In core mode nearly everything may run: what keeps an agent from answering are the walls and closed files."""
    world.commit_policy({**POLICY, "mode": "core", "files": {**POLICY["files"], "allowWrite": ["."]}})
    world.write("src/old.txt", "old\n")
    with scripted(call(bash("rm src/old.txt")), say("done")) as model:
        client = world.start_claude(model.url)
        request = wait_for_request(world, set())
        answer = world.root / ".ralph" / "approvals" / f"{request}.answer.json"
        attempts: list[tuple[str, dict[str, Any]]] = [
            bash(f"ralph approvals approve {request} --reason mine"),
            bash(f"python3 -m ralph approvals approve {request} --reason mine"),
            bash(f"echo '{{}}' > .ralph/approvals/{request}.answer.json"),
            bash(f"cp src/a.txt .ralph/approvals/{request}.answer.json"),
            bash("rm -rf .ralph"),
            bash("cat ~/.config/ralph/keys/*"),
            ("Write", {"file_path": str(answer), "content": "{}"}),
            ("mcp__ralph__approve", {"id": request}),
        ]
        with scripted(*(call(each) for each in attempts), say("done")) as other:
            ended(world.start_claude(other.url), 100)
            told = other.results()
        ended(client)
        assert "unanswered" in model.results()[0]
    assert len(told) == len(attempts)
    assert not answer.exists()
    assert "PRIVATE" not in json.dumps(told)
    assert (world.root / "src" / "old.txt").exists()
