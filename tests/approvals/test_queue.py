"""Asking, answering, using: what each side of the queue may count on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ralph.approvals.answering import Desk
from ralph.approvals.decisions import LEARNING
from ralph.approvals.model import Decision, Status
from ralph.approvals.person import AGENT_MARKS
from ralph.approvals.queue import AHEAD
from ralph.errors import ApprovalError, UsageError
from ralph.permissions.model import ReadPath, RunCommand, UseTool, WritePath
from ralph.record import replace
from ralph.system import ledger
from tests.approvals.situation import INSTALL, JUDGEMENT, LENIENT, POLICY, Situation


def test_an_approval_is_used_once(place: Situation) -> None:
    request = place.ask()
    assert (place.entry(request).status, place.entry(request).waiting) == (Status.OPEN, True)
    given = place.decide(request)
    answer = place.queue.wait(request, 5)
    assert (answer, answer.approved, answer.reason) == (given, True, "needed")
    assert place.queue.consume(request) == answer
    assert (place.entry(request).status, place.entry(request).waiting) == (Status.USED, False)
    with pytest.raises(ApprovalError, match="counts once and is used"):
        place.queue.consume(request)
    assert place.queue.wait(request, 0).decision is Decision.WITHDRAWN


def test_a_rejection_and_a_suggestion_reach_the_agent(place: Situation) -> None:
    first, second = place.ask(), place.ask(RunCommand("rm -rf build"))
    place.decide(first, Decision.REJECTED)
    place.decide(second, Decision.SUGGESTED, "run `make clean`")
    assert place.queue.wait(first, 5).decision is Decision.REJECTED
    answer = place.queue.wait(second, 5)
    assert (answer.decision, answer.text, answer.approved) == (Decision.SUGGESTED, "run `make clean`", False)
    for request in (first, second):
        with pytest.raises(ApprovalError, match="not approved"):
            place.queue.consume(request)


def test_what_nobody_answers_does_not_happen(place: Situation) -> None:
    request = place.ask()
    assert place.queue.wait(request, 0.05).decision is Decision.UNANSWERED
    with pytest.raises(ApprovalError, match="not approved"):
        place.queue.consume(request)
    assert place.entry(request).status is Status.OPEN


def test_the_next_attempt_takes_an_abandoned_request_over(place: Situation) -> None:
    """The person may answer after the client's time was up; the agent's next attempt finds the answer, once."""
    request = place.ask()
    place.queue.wait(request, 0)
    place.decide(request)
    again = place.agent()
    assert place.ask(queue=again) == request
    assert again.wait(request, 0).approved
    again.consume(request)
    assert place.ask().id != request.id


def test_a_question_put_ahead_is_taken_over_by_whoever_runs_the_command(place: Situation) -> None:
    """The call that needs the answer comes from a session that nobody knew of, and says more than the asker did."""
    ahead = place.queue.ask(INSTALL, JUDGEMENT, POLICY, agent="ralph", session=AHEAD, detail="reason: I need it")
    assert place.ask().id != ahead.id  # it is still waited for
    place.queue.leave(ahead)
    place.decide(ahead)
    other = place.agent()
    assert place.ask(queue=other).id == ahead.id
    other.consume(ahead)
    assert place.ask(queue=place.agent()).id != ahead.id


def test_what_is_written_is_never_asked_ahead(place: Situation) -> None:
    write = WritePath("package.json", content_digest="0" * 64)
    ahead = place.queue.ask(write, JUDGEMENT, POLICY, agent="ralph", session=AHEAD)
    place.queue.leave(ahead)
    assert place.ask(write).id != ahead.id


@pytest.mark.parametrize("other", ["waited for", "another session", "another policy", "another action", "rejected"])
def test_any_other_question_is_a_request_of_its_own(place: Situation, other: str) -> None:
    request = place.ask()
    if other != "waited for":
        place.queue.wait(request, 0)
    if other == "rejected":
        place.decide(request, Decision.REJECTED)
        place.queue.wait(request, 0)
    action = RunCommand("npm install left-pad ") if other == "another action" else RunCommand("npm install left-pad")
    policy = replace(POLICY, digest="cd" * 32) if other == "another policy" else POLICY
    session = "s2" if other == "another session" else "s1"
    assert place.ask(action, policy, queue=place.agent(), session=session).id != request.id


def test_a_request_expires(place: Situation) -> None:
    request = place.ask()
    place.clock.pass_by(3600)
    assert place.entry(request).status is Status.EXPIRED
    with pytest.raises(ApprovalError, match="is expired"):
        place.decide(request)
    assert place.queue.wait(request, 5).decision is Decision.EXPIRED
    assert [entry.record["decision"] for entry in ledger.read(place.root / LEARNING)] == ["expired"]


def test_an_approval_expires_unused(place: Situation) -> None:
    request = place.ask()
    place.decide(request)
    place.clock.pass_by(3601)
    with pytest.raises(ApprovalError, match=r"expired at 2026-11-22T13:00:00\.000Z"):
        place.queue.consume(request)
    assert place.queue.wait(request, 5).decision is Decision.EXPIRED


def test_the_next_question_records_what_expired(place: Situation) -> None:
    request = place.ask()
    place.clock.pass_by(3601)
    place.ask(RunCommand("rm x"))
    (entry,) = ledger.read(place.root / LEARNING)
    assert (entry.record["requestId"], entry.record["decision"], entry.record["decidedBy"]) == (
        request.id,
        "expired",
        None,
    )


def test_a_clock_set_back_prolongs_nothing(place: Situation) -> None:
    request = place.ask()
    place.decide(request)
    place.clock.pass_by(-60)
    assert place.queue.wait(request, 0).approved
    place.clock.pass_by(-600)
    assert place.entry(request).status is Status.EXPIRED
    with pytest.raises(ApprovalError, match="expired"):
        place.queue.consume(request)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_the_reason_is_required_where_the_policy_says_so(place: Situation, reason: str) -> None:
    request, lenient = place.ask(), place.ask(RunCommand("rm x"), LENIENT)
    for decision in (Decision.APPROVED, Decision.REJECTED):
        with pytest.raises(UsageError, match="requires a reason"):
            place.desk.answer(request, decision, reason=reason)
    with pytest.raises(UsageError, match="needs a text"):
        place.desk.answer(request, Decision.SUGGESTED, text=reason)
    assert place.desk.answer(lenient, Decision.APPROVED, reason=reason).approved


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_an_agent_cannot_answer(place: Situation, mark: str) -> None:
    request = place.ask()
    with pytest.raises(ApprovalError, match=f"environment of an agent \\({mark} is set\\)"):
        Desk(place.root, {mark: "1"}).answer(request, Decision.APPROVED, reason="I may")
    assert place.entry(request).status is Status.OPEN


def test_the_first_answer_counts(place: Situation) -> None:
    request = place.ask()
    place.decide(request, Decision.REJECTED)
    with pytest.raises(ApprovalError, match="is rejected: it takes no answer any more"):
        place.decide(request)


def test_a_withdrawn_request_is_void(place: Situation) -> None:
    request = place.ask()
    place.decide(request)
    place.queue.withdraw(request)
    with pytest.raises(ApprovalError, match="is withdrawn already"):
        place.queue.consume(request)
    assert place.entry(request).status is Status.WITHDRAWN


@pytest.mark.parametrize(
    "action",
    [
        RunCommand("echo 'ü\n\x1b[2J'", cwd="/tmp"),
        ReadPath("secret.txt"),
        WritePath("package.json", content_digest="12" * 32),
        WritePath("old.txt", deletes=True),
        UseTool("WebFetch", "https://example.org"),
    ],
    ids=lambda action: type(action).__name__,
)
def test_every_kind_of_action_can_be_asked_for(place: Situation, action: RunCommand | ReadPath | WritePath) -> None:
    request = place.ask(action)
    place.decide(request)
    assert place.queue.wait(request, 1).approved
    assert place.entry(request).request == request


def test_ids_may_be_shortened(place: Situation) -> None:
    first, second = place.ask(), place.ask(session="s2")
    assert place.desk.find(first.id[:-2]).id in (first.id, second.id)
    with pytest.raises(ApprovalError, match="2 approval requests begin with"):
        place.desk.find(first.id[:8])
    with pytest.raises(ApprovalError, match="No approval request is called"):
        place.desk.find("")


def test_waiting_ends_with_the_process(place: Situation) -> None:
    """TERM while it waits: nothing is left locked, and the request is open for the next attempt."""
    program = (
        "from pathlib import Path; from tests.approvals.situation import Situation\n"
        f"place = Situation(Path({str(place.root)!r})); request = place.ask(); print(request.id, flush=True)\n"
        "place.queue.wait(request, 60)"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path.cwd(), text=True)
    assert child.stdout is not None
    request_id = child.stdout.readline().strip()
    assert place.desk.find(request_id).waiting
    child.terminate()
    child.wait()
    child.stdout.close()
    assert not place.desk.find(request_id).waiting
    assert place.ask().id == request_id


def test_asking_needs_no_cryptography() -> None:
    program = "import sys, ralph.approvals.queue; sys.exit('cryptography' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
