"""The person's side of the queue: looking at requests, and deciding about one (design decisions 24, 27).

Rules:

- Who decides has seen what is decided: the action's hash is made anew from the text that is shown, and signed.
- Deciding is refused to agents, for a request that is not open, and without a reason where the policy requires one.
- A request gets one answer. Of many that come at once the first counts, and the others are told so.
- The decision stands in `state/learning.jsonl`; one whose writer was killed before that is added by the next decision,
  or by whoever uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from ralph.approvals import decisions, person, sealing
from ralph.approvals.folder import Folder, opened
from ralph.approvals.model import Answer, Decision, Entry, Request, Status
from ralph.approvals.state import ANSWER, entries, entry
from ralph.errors import ApprovalError, UsageError
from ralph.system import clock


class Desk:
    """Where a person sees and answers the requests of the project at `root`. `environ` shows whether it is one."""

    def __init__(self, root: Path, environ: Mapping[str, str], *, now: Callable[[], datetime] = clock.now) -> None:
        self.root = root.resolve()
        self._environ = environ
        self._now = now

    def entries(self) -> list[Entry]:
        """Every request there is, oldest first. Changes nothing."""
        with opened(self.root, create=False) as folder:
            return entries(folder, self._now()) if folder else []

    def find(self, beginning: str) -> Entry:
        """The request whose id is, or alone begins with, `beginning`. Raises ApprovalError."""
        found = self.entries()
        matching = [each for each in found if each.id == beginning]
        matching = matching or [each for each in found if beginning and each.id.startswith(beginning)]
        if len(matching) == 1:
            return matching[0]
        what = f"{len(matching)} approval requests begin with" if matching else "No approval request is called"
        raise ApprovalError(f"{what} {beginning!r}; `ralph approvals list` shows those there are.")

    def answer(
        self, seen: Request, decision: Decision, *, reason: str = "", text: str = "", who: str | None = None
    ) -> Answer:
        """Decide about the request that the person has `seen`. Raises ApprovalError or UsageError if that cannot be.

        `who` is for a door that knows the person otherwise than by the process's user.
        """
        person.refuse_agents(self._environ)
        if seen.requires_reason and decision is not Decision.SUGGESTED and not reason.strip():
            raise UsageError("The policy requires a reason: give it with --reason.")
        if decision is Decision.SUGGESTED and not text.strip():
            raise UsageError("A suggestion needs a text that says what the agent should do instead.")
        answer = Answer(decision=decision, reason=reason.strip(), text=text.strip(), who=who or person.name())
        with opened(self.root, create=False) as folder:
            if folder is None:
                raise ApprovalError(f"The approval request {seen.id} is gone: it was removed meanwhile.")
            with folder.locked():
                self._record_unrecorded(folder)
                return self._decide(folder, seen, answer)

    def _decide(self, folder: Folder, seen: Request, answer: Answer) -> Answer:
        now = self._now()
        found = entry(folder, seen.id, now)
        if found.status is not Status.OPEN:
            raise ApprovalError(
                found.problem or f"The approval request {seen.id} is {found.status}: it takes no answer any more."
            )
        if found.request != seen:
            raise ApprovalError(f"The approval request {seen.id} was changed after it was shown: look at it again.")
        sealed = sealing.seal(seen, answer, now)
        decided = sealing.unseal(sealed, seen)
        folder.create(seen.id + ANSWER, sealed)
        decisions.record_decision(self.root, seen, decided, now=now)
        return decided

    def _record_unrecorded(self, folder: Folder) -> None:
        """Add the decisions whose writers were killed between deciding and recording."""
        answered = [name.removesuffix(ANSWER) for name in folder.names() if name.endswith(ANSWER)]
        missing = set(answered) - decisions.recorded(self.root) if answered else set()
        for each in (entry(folder, request_id, self._now()) for request_id in sorted(missing)):
            if each.request and each.answer:
                decisions.record_decision(self.root, each.request, each.answer, now=self._now())
