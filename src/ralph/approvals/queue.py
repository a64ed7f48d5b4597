"""The queue of approvals: an agent's side asks and waits, a person answers, and what was approved happens once.

Rules (design decisions 24, 27, 32; spec: policy engine, enforcement rule 3):

- A request is three files that appear whole, once, and never change: `<id>.request.json`, `<id>.answer.json` (signed)
  and `<id>.closed.json`. Which of them exist says where it stands, so a kill at any moment leaves it before or after.
- Whoever waits holds a lock on the request, which ends with him. Each ask makes a request of its own, with one
  exception: an open one for exactly the same action by the same agent and session, which nobody waits for any more
  (the time was up, the client was killed), is taken over, with the answer that it may have got meanwhile.
- A question may be put before it is known which call will need the answer (`AHEAD` as its session): whoever wants that
  very action next takes it over. Only for commands, which their text and folder say in full.
- An answer counts only if `sealing` says so. The waiting side compares it with the request it holds in memory, so a
  file that was changed after asking approves nothing. What is damaged or forged is an ApprovalError, never an approval.
- `consume` must succeed before the action starts; it does so once. First the decision and its use stand in the log,
  then the action may start: who removes the sign that an approval was used has to forge a ledger too.
- A request that expired is closed; an answer after that is refused. No clock set back prolongs a wait.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex

from ralph.approvals import decisions, wire
from ralph.approvals.folder import Folder, opened
from ralph.approvals.model import Answer, Decision, Request, moment, shown
from ralph.approvals.state import ANSWER, CLOSED, REQUEST, answer_of, closed_as, load
from ralph.errors import ApprovalError
from ralph.permissions.model import Action, Permissions
from ralph.permissions.model import Decision as Judgement
from ralph.record import replace
from ralph.system import clock
from ralph.system.clock import rfc3339

AHEAD = "asked ahead"
"""The session of a question that was put before the call that needs the answer."""
POLL_S = 0.1
MOST_DETAIL = 64 << 10
_EXPIRED = "nobody answered before the request expired"


class Queue:
    """The approvals of the project at `root`. An instance belongs to one thread."""

    def __init__(self, root: Path, *, now: Callable[[], datetime] = clock.now) -> None:
        self.root = root.resolve()
        self._now = now
        self._held: dict[str, int] = {}

    def ask(
        self, action: Action, judgement: Judgement, policy: Permissions, *, agent: str, session: str, detail: str = ""
    ) -> Request:
        """Put an action before a person. Raises StorageError if the queue cannot be written."""
        asked = self._now()
        what = shown(action)
        hashed = wire.hash_of(what, policy.digest, str(self.root))
        request = Request(
            id=f"{hashed[:8]}{token_hex(3)}",
            root=str(self.root),
            action=what,
            action_hash=hashed,
            policy_digest=policy.digest,
            classes=tuple(str(each) for each in judgement.classes),
            rule=judgement.rule,
            reason=judgement.reason,
            alternative=judgement.alternative,
            agent=agent,
            session=session,
            asked_at=rfc3339(asked),
            expires_at=rfc3339(asked + timedelta(seconds=policy.approval.expires_s)),
            requires_reason=policy.approval.require_reason,
            detail=detail[:MOST_DETAIL],
        )
        with self._folder() as folder, folder.locked():
            self._close_expired(folder)
            return self._take_over(folder, request) or self._make(folder, request)

    def wait(self, request: Request, timeout_s: float) -> Answer:
        """The answer to a request of one's own, or what became of it. UNANSWERED when the time is up.

        Raises ApprovalError if request or answer were tampered with.
        """
        started = time.monotonic()
        lifetime = (moment(request.expires_at) - moment(request.asked_at)).total_seconds()
        with self._folder() as folder:
            try:
                while True:
                    expired = not request.is_open_at(self._now()) or time.monotonic() - started >= lifetime
                    if answer := self._outcome(folder, request, expired=expired):
                        break
                    if time.monotonic() - started >= timeout_s:
                        reason = f"nobody answered within {timeout_s:g} s; it stays open until {request.expires_at}"
                        answer = Answer(decision=Decision.UNANSWERED, reason=reason)
                        break
                    time.sleep(min(POLL_S, max(timeout_s, 0.001)))
            except BaseException:
                self._release(request.id)
                raise
        if not answer.approved:
            self._release(request.id)
        return answer

    def consume(self, request: Request, *, sandbox_level: str = "") -> Answer:
        """Use an approval up: the action may start now, and never again. Raises ApprovalError if it may not."""
        with self._folder() as folder, folder.locked():
            answer = answer_of(folder, request)
            if answer is None or not answer.approved:
                raise ApprovalError(f"The request {request.id} is not approved: nothing may start.")
            if status := closed_as(folder, request.id):
                raise ApprovalError(f"The approval {request.id} counts once and is {status} already: ask again.")
            if not request.is_open_at(self._now()):
                raise ApprovalError(f"The approval {request.id} expired at {request.expires_at}: ask again.")
            used = request.id in decisions.recorded(self.root, "approval_used")
            decisions.record_decision(self.root, request, answer, now=self._now())
            self._close(folder, request.id, "used")
            if used:
                raise ApprovalError(
                    f"The approval {request.id} was used, and somebody removed the sign of it: ask again."
                )
            decisions.record_use(self.root, request, now=self._now(), sandbox_level=sandbox_level)
        self._release(request.id)
        return answer

    def withdraw(self, request: Request) -> None:
        """Take a question back that need not be answered any more; an approval that it got is void."""
        with self._folder() as folder, folder.locked():
            self._close(folder, request.id, "withdrawn")
        self._release(request.id)

    def leave(self, request: Request) -> None:
        """Wait no longer, and leave the question, with any answer it got, to whoever wants that action next."""
        self._release(request.id)

    @contextmanager
    def _folder(self) -> Iterator[Folder]:
        with opened(self.root, create=True) as folder:
            assert folder is not None
            yield folder

    def _make(self, folder: Folder, request: Request) -> Request:
        data = wire.encode(request)
        if len(data) > wire.LARGEST:
            raise ApprovalError("The action is too long to be shown to a person: split it, or put it into a script.")
        held = folder.create(request.id + REQUEST, data, held=True)
        assert held is not None
        self._held[request.id] = held
        return request

    def _take_over(self, folder: Folder, wanted: Request) -> Request | None:
        """An open request for the same action that nobody waits for."""
        for name in folder.names():
            if not (name.startswith(wanted.action_hash[:8]) and name.endswith(REQUEST)):
                continue
            try:
                found = load(folder, name.removesuffix(REQUEST))
            except ApprovalError:
                continue
            if not _same(wanted, found) or folder.has(found.id + CLOSED) or not found.is_open_at(self._now()):
                continue
            if moment(found.expires_at) - moment(found.asked_at) > moment(wanted.expires_at) - moment(wanted.asked_at):
                continue  # nobody asked for so long a life
            if (held := folder.hold(name)) is not None:
                self._held[found.id] = held
                return found
        return None

    def _outcome(self, folder: Folder, request: Request, *, expired: bool) -> Answer | None:
        """What became of the request by now; None while it is open."""
        if not expired and not folder.has(request.id + ANSWER) and not folder.has(request.id + CLOSED):
            return None
        with folder.locked():
            status = closed_as(folder, request.id)
            if status:
                ended = Decision.EXPIRED if status == "expired" else Decision.WITHDRAWN
                return Answer(decision=ended, reason=f"the request is {status} already")
            answer = answer_of(folder, request)
            if answer is None or (answer.approved and expired):
                answer = Answer(decision=Decision.EXPIRED, reason=_EXPIRED)
            if not answer.approved:
                decisions.record_decision(self.root, request, answer, now=self._now())
                self._close(folder, request.id, "expired" if answer.decision is Decision.EXPIRED else "delivered")
            return answer

    def _close_expired(self, folder: Folder) -> None:
        """Record and close what nobody answered in time."""
        names = set(folder.names())
        expired = []
        for request_id in sorted(name.removesuffix(REQUEST) for name in names if name.endswith(REQUEST)):
            if not {request_id + ANSWER, request_id + CLOSED} & names:
                with suppress(ApprovalError):  # a damaged one is nobody's decision
                    expired.append(load(folder, request_id))
        expired = [each for each in expired if self._now() >= moment(each.expires_at)]
        known = decisions.recorded(self.root) if expired else frozenset()
        for request in expired:
            answer = Answer(decision=Decision.EXPIRED, reason=_EXPIRED)
            decisions.record_decision(self.root, request, answer, now=self._now(), known=known)
            self._close(folder, request.id, "expired")

    def _close(self, folder: Folder, request_id: str, how: str) -> None:
        data = json.dumps({"as": how, "at": rfc3339(self._now())}).encode("ascii") + b"\n"
        try:
            folder.create(request_id + CLOSED, data)
        except FileExistsError:
            if how in ("used", "withdrawn"):
                raise ApprovalError(
                    f"The approval {request_id} counts once and is closed already: ask again."
                ) from None

    def _release(self, request_id: str) -> None:
        held = self._held.pop(request_id, None)
        if held is not None:
            os.close(held)


def _same(wanted: Request, found: Request) -> bool:
    """Whether `found` asks what is wanted now: everything but its name and its times is the same.

    A question that was put ahead carries the asker's reason instead of what a client's call would have shown.
    """
    same = replace(wanted, id=found.id, asked_at=found.asked_at, expires_at=found.expires_at)
    if found.session == AHEAD and found.action.kind == "command":
        same = replace(same, agent=found.agent, session=AHEAD, detail=found.detail)
    return same == found
