"""`ralph prompt run`, `ralph gate` and `ralph exceptions`, as a person and a program get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Answer, ralph, refused
from tests.gates.workplace import Workplace, file, say
from tests.project import commit, write

TEXT = '>>work now :: verify:"grep -q ok out.txt" max:1'


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace.at(tmp_path)


def run(place: Workplace, *turns: list[dict[str, object]], text: str = TEXT, options: tuple[str, ...] = ()) -> Answer:
    place.agent(*turns)
    agent = f"scripted:{place.root.parent / 'scripted.yaml'}"
    return ralph("prompt", "run", text, "--agent", agent, "-C", place.root, *options)


def test_a_pass(place: Workplace) -> None:
    answer = run(place, [say("working"), file("out.txt", "ok")])
    assert answer.code == 0
    assert answer.out.startswith("PASS: every gate holds")
    assert "attempt 1: exit code 0" in answer.err
    assert ralph("gate", "list", "-C", place.root).out == "No run is under way.\n"
    assert "passed" in ralph("gate", "list", "--all", "-C", place.root).out


def test_blocked_then_skipped_is_not_passed(place: Workplace) -> None:
    answer = run(place, [], options=("--json",))
    assert answer.code == 2
    (gate,) = answer.document["gates"]
    assert (gate["state"], gate["failures"], gate["limit"]) == ("blocked", 1, 1)
    assert "Maximum Attempts Reached" in ralph("gate", "show", gate["id"], "-C", place.root).out

    skipped = ralph("gate", "skip", gate["id"], "--reason", "known", "--until", "2h", "-C", place.root)
    assert (skipped.code, "skipped" in skipped.out) == (0, True)
    listed = ralph("gate", "list", "-C", place.root)
    assert "exception" in listed.out
    assert "known" in listed.out
    again = run(place, [])
    assert again.code == 1
    assert again.out.startswith("NOT PASSED: gates were left out by a person's exception")


def test_retry_gives_the_attempts_again(place: Workplace) -> None:
    text = TEXT.replace("max:1", "max:2")
    gate = run(place, [], [], text=text, options=("--json",)).document["gates"][0]["id"]
    answer = ralph("gate", "retry", gate, "--reason", "the tool was missing", "-C", place.root, "--json")
    assert (answer.document["state"], answer.document["failures"]) == ("pending", 0)
    assert run(place, [], [], [file("out.txt", "ok")], text=text).code == 0


def test_abort_ends_the_run(place: Workplace) -> None:
    gate = run(place, [], options=("--json",)).document["gates"][0]["id"]
    assert ralph("gate", "abort", gate, "--reason", "given up", "-C", place.root).code == 0
    assert run(place, [], options=("--json",)).document["gates"][0]["id"] != gate, "a new run"
    refused(ralph("gate", "retry", gate, "--reason", "x", "-C", place.root), "has ended")


@pytest.mark.parametrize("action", ["retry", "skip", "abort"])
def test_an_agent_decides_nothing(place: Workplace, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = run(place, [], options=("--json",)).document["gates"][0]["id"]
    monkeypatch.setenv("CLAUDECODE", "1")
    refused(ralph("gate", action, gate, "--reason", "x", "-C", place.root), "Only a person may decide this")
    assert ralph("gate", "show", gate, "-C", place.root, "--json").document["state"] == "blocked"


@pytest.mark.parametrize("command", [("gate", "retry", "x"), ("gate", "skip", "x"), ("exceptions", "revoke", "x")])
def test_a_reason_is_required(place: Workplace, command: tuple[str, ...]) -> None:
    refused(ralph(*command, "-C", place.root), "--reason")


def test_the_turns_are_a_limit(place: Workplace) -> None:
    text = TEXT.replace("max:1", "max:5")
    assert run(place, [], [], text=text, options=("--max-turns", "2")).code == 5


def test_a_tool_that_the_agent_planted_proves_nothing(place: Workplace) -> None:
    """Git ignores it, so the tree does not show it."""
    write(place.root, {".gitignore": ".venv/\n", ".venv/bin/check": "#!/bin/sh\nexit 1\n"})
    (place.root / ".venv/bin/check").chmod(0o755)
    answer = run(place, [file(".venv/bin/check", "#!/bin/sh\nexit 0\n")], text='>>work now :: verify:"check" max:1')
    assert answer.code == 2
    assert "tools changed since the run began (.venv/bin/check)" in answer.out


def test_the_policy_that_a_person_committed_judges_the_command(place: Workplace) -> None:
    policy = (
        '{"version": 1, "mode": "delivery", "files": {"allowRead": ["."], "allowWrite": ["."], "denyRead": [],'
        ' "denyWrite": []}, "commands": {"allow": ["ls"], "deny": []}, "approval": {"requiredFor": [], "requireReason":'
        ' true}, "checks": {"required": [], "rollbackOnFail": false}}'
    )
    commit(place.root, {"ralph.policy.json": policy})
    answer = run(place, [file("out.txt", "ok")])
    assert answer.code == 2, answer.err
    assert "the permissions deny it" in answer.out
    commit(place.root, {"ralph.policy.json": policy.replace('"ls"', '"grep"')})
    assert run(place, [file("out.txt", "ok")], text=TEXT + " ").code == 0


@pytest.mark.parametrize(
    ("text", "agent", "words"),
    [
        ('>>work now :: verify:"', "scripted:s.yaml", ("1:",)),
        (">>nothing", "scripted:s.yaml", ("nothing",)),
        (TEXT, "nobody", ("nobody", "scripted:FILE")),
        (TEXT, "scripted:missing.yaml", ("missing.yaml",)),
    ],
)
def test_what_cannot_be_run(place: Workplace, text: str, agent: str, words: tuple[str, ...]) -> None:
    place.agent([], name="s")
    agent = agent.replace("s.yaml", str(place.root.parent / "s.yaml"))
    refused(ralph("prompt", "run", text, "--agent", agent, "-C", place.root), *words)


def test_exceptions_are_granted_listed_and_revoked(place: Workplace) -> None:
    given = ralph("exceptions", "add", "gate:1-1.1", "--reason", "a move", "--until", "1d", "-C", place.root, "--json")
    assert (given.code, given.document["status"], given.document["covers"]) == (0, "valid", "gate:1-1.1")
    one = given.document["id"]
    assert "a move" in ralph("exceptions", "list", "-C", place.root).out
    taken = ralph("exceptions", "revoke", one, "--reason", "done", "-C", place.root)
    assert "revoked" in taken.out
    assert ralph("exceptions", "list", "-C", place.root).out == "No exception counts.\n"
    listed = ralph("exceptions", "list", "--all", "-C", place.root, "--json").document
    assert [each["status"] for each in listed["exceptions"]] == ["revoked"]
