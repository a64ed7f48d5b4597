"""What agents ask for, and a person's answer to it: through the same desk as `ralph approvals`."""

from __future__ import annotations

import hmac
from datetime import datetime

from ralph.approvals import wire
from ralph.approvals.answering import Desk
from ralph.approvals.model import Answer, Decision, Entry, Request, Status, moment
from ralph.errors import ApprovalError, UsageError
from ralph.record import record
from ralph.system import clock
from ralph.web.shown import NOTHING, Shown, block, line, whole
from ralph.web.site import Site

DECISIONS = {"approve": Decision.APPROVED, "reject": Decision.REJECTED, "suggest": Decision.SUGGESTED}
_TO_DO = (Status.OPEN, Status.APPROVED, Status.DAMAGED)
MOST_ANSWERED = 30


@record(kw_only=True)
class ApprovalRow:
    id: str
    status: str
    kind: str
    text: Shown
    classes: tuple[str, ...]
    agent: Shown
    asked: str
    left: str
    waiting: bool
    problem: str


@record
class Inbox:
    open: tuple[ApprovalRow, ...]
    answered: tuple[ApprovalRow, ...]


@record
class DiffLine:
    """`kind` is add, remove, place, or ""."""

    kind: str
    text: str


@record(kw_only=True)
class ApprovalPage:
    """One request. `seen` names every byte of it, and comes back with the decision."""

    row: ApprovalRow
    pairs: tuple[tuple[str, Shown], ...]
    diff: tuple[DiffLine, ...]
    diff_cut: str
    decidable: bool
    requires_reason: bool
    seen: str
    answer: tuple[tuple[str, Shown], ...]


def inbox(site: Site) -> Inbox:
    """Raises RalphError."""
    now = clock.now()
    entries = Desk(site.root, site.environ).entries()
    to_do = tuple(_row(each, now) for each in entries if each.status in _TO_DO)
    done = [each for each in entries if each.status not in _TO_DO]
    return Inbox(to_do, tuple(_row(each, now) for each in reversed(done[-MOST_ANSWERED:])))


def waiting(site: Site) -> int:
    """How many requests a person has to answer. Raises RalphError."""
    return sum(each.status is Status.OPEN for each in Desk(site.root, site.environ).entries())


def page(site: Site, request_id: str) -> ApprovalPage:
    """Raises RalphError."""
    found = _find(site, request_id)
    request = found.request
    detail = request.detail if request else ""
    shown = block(detail, 40_000, 800)
    return ApprovalPage(
        row=_row(found, clock.now()),
        pairs=_pairs(request) if request else (),
        diff=tuple(_diff_line(each) for each in shown.text.removesuffix("\n").split("\n")) if detail else (),
        diff_cut=shown.cut,
        decidable=found.status is Status.OPEN,
        requires_reason=bool(request and request.requires_reason),
        seen=wire.digest(request) if request else "",
        answer=_answer(found.answer) if found.answer else (),
    )


def everything(site: Site, request_id: str) -> Shown:
    """The whole request as a text, where a page had to cut it. Raises RalphError."""
    request = _find(site, request_id).request
    if request is None:
        raise ApprovalError("This request cannot be read.")
    action = request.action
    parts = [f"{action.kind}: {action.text}", action.subject or "", request.reason, request.detail]
    return whole("\n\n".join(part for part in parts if part))


def decide(site: Site, request_id: str, decision: str, seen: str, reason: str) -> Answer:
    """A person's decision about the request that they have seen. Raises RalphError."""
    if decision not in DECISIONS:
        raise UsageError("A request is approved or rejected, or another way is suggested.")
    request = _find(site, request_id).request
    if request is None or not hmac.compare_digest(wire.digest(request).encode(), seen.encode()):
        raise ApprovalError("The request is not the one that the page showed: look at it again.")
    is_text = DECISIONS[decision] is Decision.SUGGESTED
    if request.requires_reason and not is_text and not reason.strip():
        raise UsageError("The policy requires a reason: write it into the field.")
    desk = Desk(site.root, site.environ)
    return desk.answer(request, DECISIONS[decision], reason="" if is_text else reason, text=reason if is_text else "")


def _find(site: Site, request_id: str) -> Entry:
    for each in Desk(site.root, site.environ).entries():
        if each.id == request_id:
            return each
    raise UsageError(f"There is no approval request {line(request_id, 60)} here.")


def _row(found: Entry, now: datetime) -> ApprovalRow:
    request = found.request
    return ApprovalRow(
        id=str(line(found.id, 100)),
        status=str(found.status),
        kind=("delete" if request.action.deletes else request.action.kind) if request else "",
        text=line(request.action.text, 300) if request else NOTHING,
        classes=request.classes if request else (),
        agent=line(request.agent, 60) if request else NOTHING,
        asked=request.asked_at if request else "",
        left=_left(request, now) if request and found.status in (Status.OPEN, Status.APPROVED) else "",
        waiting=found.waiting,
        problem=str(line(found.problem or "", 600)),
    )


def _left(request: Request, now: datetime) -> str:
    seconds = max(0, int((moment(request.expires_at) - now).total_seconds()))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"


def _pairs(request: Request) -> tuple[tuple[str, Shown], ...]:
    action = request.action
    pairs = {
        ("delete" if action.deletes else action.kind): action.text,
        "on": action.subject or "",
        "content": action.content_digest or "",
        "in": action.cwd or request.root,
        "classes": ", ".join(request.classes),
        "rule": request.rule,
        "why": request.reason,
        "instead": request.alternative or "",
        "asked by": f"{request.agent} {request.session}".rstrip(),
        "expires": request.expires_at,
        "hash": request.action_hash,
    }
    return tuple((name, block(text)) for name, text in pairs.items() if text)


def _answer(answer: Answer) -> tuple[tuple[str, Shown], ...]:
    pairs = {
        "decision": str(answer.decision),
        "reason": answer.reason,
        "suggestion": answer.text,
        "by": answer.who or "",
        "signed with": answer.keyid or "",
        "at": answer.decided_at or "",
    }
    return tuple((name, block(text)) for name, text in pairs.items() if text)


def _diff_line(text: str) -> DiffLine:
    if text.startswith(("@@", "+++", "---", "diff ")):
        return DiffLine("place", text)
    return DiffLine({"+": "add", "-": "remove"}.get(text[:1], ""), text)
