"""Any order of asking, answering, using, waiting, dying and passing time agrees with a model of a few lines."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from ralph.approvals.decisions import LEARNING
from ralph.approvals.model import Decision, Request, Status
from ralph.errors import ApprovalError
from ralph.permissions.model import RunCommand
from ralph.system import ledger
from tests.approvals.situation import Situation


@dataclass
class Known:
    """What the model knows of a request."""

    request: Request
    age_s: float = 0
    decision: Decision | None = None
    closed: str | None = None

    @property
    def status(self) -> str:
        if self.closed and self.closed != "delivered":
            return self.closed
        if self.decision and self.decision is not Decision.APPROVED:
            return self.decision
        return "expired" if self.age_s >= 3600 else self.decision or "open"


class Machine(RuleBasedStateMachine):
    requests = Bundle("requests")

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.mkdtemp()
        self.place = Situation(Path(self.directory))
        self.known: dict[str, Known] = {}
        self.uses: list[str] = []

    def teardown(self) -> None:
        shutil.rmtree(self.directory)

    @rule(target=requests, name=st.sampled_from("ab"))
    def ask(self, name: str) -> str:
        request = self.place.ask(RunCommand(name))
        for known in self.known.values():
            if known.age_s >= 3600 and known.decision is None and known.closed is None:
                known.closed = "expired"
        if request.id in self.known:
            found = self.known[request.id]
            assert found.closed is None
            assert found.age_s < 3600
        self.known.setdefault(request.id, Known(request))
        return request.id

    @rule(request=requests, decision=st.sampled_from([Decision.APPROVED, Decision.REJECTED, Decision.SUGGESTED]))
    def answer(self, request: str, decision: Decision) -> None:
        known = self.known[request]
        if known.status == "open":
            self.place.decide(known.request, decision, "do this")
            known.decision = decision
        else:
            with pytest.raises(ApprovalError):
                self.place.decide(known.request, decision, "do this")

    @rule(request=requests)
    def use(self, request: str) -> None:
        known = self.known[request]
        if known.status == "approved":
            self.place.queue.consume(known.request)
            known.closed = "used"
            self.uses.append(request)
        else:
            with pytest.raises(ApprovalError):
                self.place.queue.consume(known.request)

    @rule(request=requests)
    def wait(self, request: str) -> None:
        known = self.known[request]
        decision = self.place.queue.wait(known.request, 0).decision
        assert (decision is Decision.APPROVED) == (known.status == "approved")
        assert (decision is Decision.UNANSWERED) == (known.status == "open")
        if known.closed is None and known.status in ("rejected", "suggested"):
            assert decision == known.status
            known.closed = "delivered"
        elif known.closed is None and known.status == "expired":
            assert decision is Decision.EXPIRED
            known.closed = "expired"

    @rule()
    def die(self) -> None:
        """The agent's process ends; another one starts."""
        for descriptor in list(self.place.queue._held):
            self.place.queue._release(descriptor)
        self.place.queue = self.place.agent()

    @rule(seconds=st.sampled_from([1.0, 1800.0, 3600.0]))
    def time_passes(self, seconds: float) -> None:
        self.place.clock.pass_by(seconds)
        for known in self.known.values():
            known.age_s += seconds

    @invariant()
    def the_list_agrees(self) -> None:
        listed = {each.id: each.status for each in self.place.desk.entries()}
        assert listed == {request: Status(known.status) for request, known in self.known.items()}

    @invariant()
    def every_decision_is_recorded_once(self) -> None:
        records = self.recorded("human_decision")
        decided = {each.request.id: each.decision for each in self.known.values() if each.decision}
        assert {record["requestId"]: record["decision"] for record in records if record["decidedBy"]} == decided
        assert len({record["requestId"] for record in records}) == len(records)
        assert [entry["requestId"] for entry in self.recorded("approval_used")] == self.uses

    def recorded(self, kind: str) -> list[dict[str, str]]:
        found = [entry.record for entry in ledger.read(self.place.root / LEARNING)]
        return [record for record in found if record["type"] == kind]


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=12, stateful_step_count=20, suppress_health_check=list(HealthCheck))
