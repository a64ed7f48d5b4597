"""A person decides in the browser: exactly as `ralph approvals` does, and never about something else than was shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from dataclasses import replace

from ralph.approvals import person
from ralph.approvals.answering import Desk
from ralph.approvals.model import Entry, Request, Status
from ralph.approvals.queue import Queue
from ralph.audit.keys import trusted_keys
from ralph.permissions.model import RunCommand, WritePath
from ralph.system import ledger
from tests.approvals.situation import INSTALL, JUDGEMENT, LENIENT, POLICY
from tests.web.sites import Browser, browser, project, text_of

DIFF = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+two\n"


@pytest.fixture
def shown(tmp_path: Path) -> Browser:
    return browser(project(tmp_path / "p"))


def ask(shown: Browser, text: str = INSTALL.text, *, detail: str = "", reason: bool = True) -> Request:
    queue = Queue(shown.site.root)
    policy = POLICY if reason else LENIENT
    return queue.ask(RunCommand(text), JUDGEMENT, policy, agent="claude", session="s1", detail=detail)


def fields(shown: Browser, request: Request, decision: str, reason: str = "needed") -> dict[str, str]:
    """What the page's form would send."""
    page = shown.get(f"/approvals/{request.id}").text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)
    return {"seen": seen, "decision": decision, "reason": reason}


def now(shown: Browser, request: Request) -> Entry:
    return Desk(shown.site.root, {}).find(request.id)


@pytest.mark.parametrize(
    ("decision", "status"),
    [("approve", Status.APPROVED), ("reject", Status.REJECTED), ("suggest", Status.SUGGESTED)],
)
def test_a_decision_is_signed_by_the_person(shown: Browser, decision: str, status: Status) -> None:
    request = ask(shown)
    answer = shown.post(f"/approvals/{request.id}", fields(shown, request, decision, "because"))
    assert answer.status_code == 303
    found = now(shown, request)
    assert found.status is status
    assert found.answer is not None  # its signature was checked
    assert found.answer.who == person.name()
    assert found.answer.keyid in trusted_keys()
    assert "because" in (found.answer.reason, found.answer.text)
    (recorded,) = [
        entry.record
        for entry in ledger.read(shown.site.root / "state" / "learning.jsonl")
        if entry.record["type"] == "human_decision"
    ]
    assert person.name() in str(recorded)
    page = text_of(shown.get(f"/approvals/{request.id}").text)
    assert "because" in page
    assert f"by {person.name()}" in page
    assert "textarea" not in shown.get(f"/approvals/{request.id}").text


def test_the_inbox_shows_what_waits(shown: Browser) -> None:
    request = ask(shown)
    page = shown.get("/approvals").text
    for word in (INSTALL.text, "dependency_changes", "claude", request.id):
        assert word in page


def test_the_page_shows_the_change(shown: Browser) -> None:
    request = ask(shown, detail=DIFF)
    page = shown.get(f"/approvals/{request.id}").text
    assert '<span class="remove">-one\n</span>' in page
    assert '<span class="add">+two\n</span>' in page
    assert request.action_hash in page


def test_a_reason_is_asked_for_where_the_policy_does(shown: Browser) -> None:
    request = ask(shown)
    answer = shown.post(f"/approvals/{request.id}", fields(shown, request, "approve", "  "))
    assert answer.status_code == 409
    assert "The policy requires a reason" in answer.text
    assert "--reason" not in answer.text
    assert now(shown, request).status is Status.OPEN
    lenient = ask(shown, "npm install other", reason=False)
    assert shown.post(f"/approvals/{lenient.id}", fields(shown, lenient, "approve", "")).status_code == 303


def test_what_was_written_is_not_lost(shown: Browser) -> None:
    request = ask(shown)
    given = fields(shown, request, "approve", "my <reason>") | {"seen": "0" * 64}
    answer = shown.post(f"/approvals/{request.id}", given)
    assert answer.status_code == 409
    assert "my &lt;reason&gt;</textarea>" in answer.text
    assert "not the one that the page showed" in text_of(answer.text)
    assert now(shown, request).status is Status.OPEN


@pytest.mark.parametrize("decision", ["", "approved", "APPROVE", "delete"])
def test_nothing_else_is_a_decision(shown: Browser, decision: str) -> None:
    request = ask(shown)
    assert shown.post(f"/approvals/{request.id}", fields(shown, request, decision)).status_code == 409
    assert now(shown, request).status is Status.OPEN


def test_one_answer_counts(shown: Browser) -> None:
    request = ask(shown)
    given = fields(shown, request, "reject")
    assert shown.post(f"/approvals/{request.id}", given).status_code == 303
    answer = shown.post(f"/approvals/{request.id}", given | {"decision": "approve"})
    assert answer.status_code == 409
    assert "takes no answer any more" in text_of(answer.text)
    assert now(shown, request).status is Status.REJECTED


def test_an_agent_decides_nothing(tmp_path: Path) -> None:
    root = project(tmp_path / "p")
    shown = browser(root)
    agents = Browser(replace(shown.site, environ={"CLAUDECODE": "1"}))
    request = ask(agents)
    answer = agents.post(f"/approvals/{request.id}", fields(agents, request, "approve"))
    assert answer.status_code == 409
    assert "Only a person" in text_of(answer.text)
    assert now(agents, request).status is Status.OPEN


def test_the_forms_of_one_dashboard_open_no_other(tmp_path: Path, shown: Browser) -> None:
    other = browser(project(tmp_path / "q"))
    request = ask(shown)
    given = fields(shown, request, "approve") | {"form": other.site.secret.form}
    assert shown.post(f"/approvals/{request.id}", given).status_code == 403
    assert now(shown, request).status is Status.OPEN


def test_a_damaged_request_is_shown_and_takes_no_answer(shown: Browser) -> None:
    request = ask(shown)
    file = shown.site.root / ".ralph" / "approvals" / f"{request.id}.request.json"
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"left-pad", b"rm-rf-all"))
    for page in (shown.get("/approvals"), shown.get(f"/approvals/{request.id}")):
        assert page.status_code == 200
        assert "damaged" in page.text
        assert "<textarea" not in page.text
    assert shown.post(f"/approvals/{request.id}", {"seen": "", "decision": "approve"}).status_code == 409


def test_what_is_deleted_is_called_so(shown: Browser) -> None:
    queue = Queue(shown.site.root)
    request = queue.ask(WritePath("a.md", deletes=True), JUDGEMENT, POLICY, agent="claude", session="s")
    assert "delete a.md" in text_of(shown.get("/approvals").text)
    assert "<dt>delete</dt>" in shown.get(f"/approvals/{request.id}").text


@pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e%2fx", "a" * 300])
def test_an_unknown_request(shown: Browser, name: str) -> None:
    assert shown.get(f"/approvals/{name}").status_code in (404, 401)
