"""`ralph approvals`, `ralph checkpoint` and `ralph rollback` as a person and a program meet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.approvals.model import Decision
from ralph.approvals.person import AGENT_MARKS
from ralph.approvals.queue import Queue
from ralph.permissions.model import RunCommand
from tests.approvals.situation import JUDGEMENT, POLICY
from tests.cli.command import ralph, refused
from tests.project import repository, write


@pytest.fixture(autouse=True)
def _a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in AGENT_MARKS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"a.md": "one\n"})


@pytest.fixture
def queue(root: Path) -> Queue:
    return Queue(root)


def ask(queue: Queue, text: str = "npm install left-pad") -> str:
    return queue.ask(RunCommand(text), JUDGEMENT, POLICY, agent="claude", session="s1", detail="+ left-pad").id


def test_an_empty_queue(root: Path) -> None:
    assert ralph("approvals", "list", "-C", root).out == "Nothing waits for an answer.\n"
    assert ralph("approvals", "list", "-C", root, "--json").document == {"approvals": []}


def test_list_and_show(root: Path, queue: Queue) -> None:
    request = ask(queue)
    (line,) = ralph("approvals", "list", "-C", root).out.splitlines()
    assert line.startswith(f"{request}  open")
    assert line.endswith("left, an agent waits  command npm install left-pad")
    shown = ralph("approvals", "show", request[:10], "-C", root).out
    for word in ("npm install left-pad", "dependency_changes", "use what is installed", "claude s1", "+ left-pad"):
        assert word in shown
    document = ralph("approvals", "show", request, "-C", root, "--json").document
    assert document["request"]["action"]["text"] == "npm install left-pad"


def test_approve_reject_suggest(root: Path, queue: Queue) -> None:
    action = RunCommand("npm install left-pad")
    cases = [
        (["approve", "--reason", "small"], Decision.APPROVED, "small", ""),
        (["reject", "--reason", "no"], Decision.REJECTED, "no", ""),
        (["suggest", "write it yourself"], Decision.SUGGESTED, "", "write it yourself"),
    ]
    for (command, *rest), decision, reason, text in cases:
        request = queue.ask(action, JUDGEMENT, POLICY, agent="claude", session=command)
        given = ralph("approvals", command, request.id, *rest, "-C", root)
        assert (given.code, given.err) == (0, "")
        assert "npm install left-pad" in given.out
        answer = queue.wait(request, 1)
        assert (answer.decision, answer.reason, answer.text) == (decision, reason, text)


def test_what_an_agent_wrote_cannot_act_on_the_terminal(root: Path, queue: Queue) -> None:
    request = ask(queue, "rm -rf src \x1b[2K\rls\u202e\nsecond line")
    for command in (["list"], ["show", request], ["approve", request, "--reason", "x"]):
        said = ralph("approvals", *command, "-C", root).out
        assert not set(said) & {"\x1b", "\r", "\u202e"}
        assert "\\x1b[2K\\x0dls\\u202e" in said


def test_refusals(root: Path, queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    request = ask(queue)
    refused(ralph("approvals", "approve", request, "-C", root), "requires a reason")
    refused(ralph("approvals", "suggest", request, " ", "-C", root), "needs a text")
    refused(ralph("approvals", "show", "zzz", "-C", root), "'zzz'", "ralph approvals list")
    for name in AGENT_MARKS:
        with monkeypatch.context() as environment:
            environment.setenv(name, "1")
            refused(ralph("approvals", "approve", request, "--reason", "x", "-C", root), name)
            refused(ralph("rollback", "-C", root), name)
    path = root / ".ralph" / "approvals" / f"{request}.request.json"
    path.write_bytes(path.read_bytes().replace(b"left-pad", b"evil-pad"))
    assert "damaged" in ralph("approvals", "list", "-C", root).out
    refused(ralph("approvals", "approve", request, "--reason", "x", "-C", root), "was changed")


def test_checkpoint_and_rollback(root: Path) -> None:
    refused(ralph("rollback", "-C", root), "'last'", "ralph rollback --list")
    kept = ralph("checkpoint", "before", "-C", root, "--json").document["checkpoint"]
    write(root, {"a.md": "agent\n", "new\x1b.md": "agent\n"})
    said = ralph("rollback", "-C", root)
    assert said.code == 0
    assert "  a.md\n  new\\x1b.md\n" in said.out
    assert (root / "a.md").read_text() == "one\n"
    listed = ralph("rollback", "--list", "-C", root, "--json").document["checkpoints"]
    assert [each["kind"] for each in listed] == ["checkpoints", "rejected"]
    back = ralph("rollback", listed[1]["id"], "-C", root, "--json").document
    assert back["changed"] == ["a.md", "new\x1b.md"]
    assert (root / "a.md").read_text() == "agent\n"
    assert ralph("rollback", kept["id"], "-C", root).code == 0
