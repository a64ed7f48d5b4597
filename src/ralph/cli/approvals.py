"""`ralph approvals`: a person sees what agents ask for, and decides (design section 7, decisions 24 and 27)."""

from __future__ import annotations

import dataclasses
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.approvals.answering import Desk
    from ralph.approvals.model import Decision, Entry, Request

id_argument = click.argument("request_id", metavar="ID")
reason_option = click.option("--reason", "reason", metavar="R", default="", help="Why; the policy may require it.")

_CUT = 60


@click.group()
def approvals() -> None:
    """See and answer what agents ask for. ID may be shortened as long as it stays unique."""


@approvals.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that need no answer any more.")
@directory_option
@json_option
def list_requests(everything: bool, directory: Path, as_json: bool) -> None:
    """List the requests that wait for an answer, oldest first."""
    from ralph.approvals.model import Status
    from ralph.system import clock

    found = _desk(directory).entries()
    now = clock.now()
    rows = [each for each in found if everything or each.status in (Status.OPEN, Status.APPROVED, Status.DAMAGED)]
    if as_json:
        print_json({"approvals": [_row(each) for each in rows]})
        return
    for each in rows:
        click.echo(_line(each, now))
    if not rows:
        click.echo("Nothing waits for an answer.")


@approvals.command()
@id_argument
@directory_option
@json_option
def show(request_id: str, directory: Path, as_json: bool) -> None:
    """Show one request: the whole action, why it asks, and what was decided."""
    from ralph.system import clock

    found = _desk(directory).find(request_id)
    if as_json:
        print_json(
            {
                "id": found.id,
                "status": found.status,
                "waiting": found.waiting,
                "problem": found.problem,
                "request": found.request and dataclasses.asdict(found.request),
                "answer": found.answer and dataclasses.asdict(found.answer),
            }
        )
        return
    click.echo(_line(found, clock.now(), whole=True))
    if found.request:
        _print_request(found.request)
    if found.answer:
        _print_pairs({found.answer.decision: f"{found.answer.reason} ({found.answer.who}, {found.answer.decided_at})"})
        _print_pairs({"suggestion": found.answer.text})


@approvals.command()
@id_argument
@reason_option
@directory_option
@json_option
def approve(request_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Let the action happen, once, exactly as it was asked for."""
    from ralph.approvals.model import Decision

    _decide(directory, request_id, Decision.APPROVED, as_json, reason=reason)


@approvals.command()
@id_argument
@reason_option
@directory_option
@json_option
def reject(request_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Refuse the action; the agent is told the reason."""
    from ralph.approvals.model import Decision

    _decide(directory, request_id, Decision.REJECTED, as_json, reason=reason)


@approvals.command()
@id_argument
@click.argument("text", metavar="TEXT")
@directory_option
@json_option
def suggest(request_id: str, text: str, directory: Path, as_json: bool) -> None:
    """Refuse the action, and tell the agent what to do instead."""
    from ralph.approvals.model import Decision

    _decide(directory, request_id, Decision.SUGGESTED, as_json, text=text)


def _desk(directory: Path) -> Desk:
    from ralph.approvals.answering import Desk
    from ralph.system.git import open_repository

    return Desk(open_repository(directory).root, os.environ)


def _decide(
    directory: Path, request_id: str, decision: Decision, as_json: bool, *, reason: str = "", text: str = ""
) -> None:
    from ralph.errors import ApprovalError

    desk = _desk(directory)
    found = desk.find(request_id)
    if found.request is None:
        raise ApprovalError(found.problem or f"The approval request {found.id} cannot be read.")
    answer = desk.answer(found.request, decision, reason=reason, text=text)
    if as_json:
        print_json({"id": found.id, **dataclasses.asdict(answer), "action": dataclasses.asdict(found.request.action)})
        return
    click.echo(f"{answer.decision} {found.id}:")
    _print_action(found.request)


def _row(found: Entry) -> dict[str, Any]:
    request = found.request
    return {
        "id": found.id,
        "status": found.status,
        "waiting": found.waiting,
        "kind": request and request.action.kind,
        "text": request and request.action.text,
        "classes": list(request.classes) if request else [],
        "agent": request and request.agent,
        "asked_at": request and request.asked_at,
        "expires_at": request and request.expires_at,
        "problem": found.problem,
    }


def _line(found: Entry, now: datetime, *, whole: bool = False) -> str:
    """One request on one line: id, status, age, time left, and the beginning of the action."""
    from ralph.approvals.model import Status, moment

    request = found.request
    if request is None:
        return f"{visible(found.id)}  {found.status:<9}  {visible(found.problem or '')}"
    times = f"asked {_span(now, moment(request.asked_at))} ago"
    if found.status in (Status.OPEN, Status.APPROVED):
        times += f", {_span(moment(request.expires_at), now)} left"
        times += ", an agent waits" if found.waiting else ", nobody waits now"
    text = "" if whole else visible(f"  {request.action.kind} {request.action.text}")
    text = text if len(text) <= _CUT else f"{text[: _CUT - 3]}..."
    return f"{found.id}  {found.status:<9}  {times}{text}" + (f"  {visible(found.problem)}" if found.problem else "")


def _print_request(request: Request) -> None:
    _print_action(request)
    _print_pairs(
        {
            "classes": ", ".join(request.classes),
            "rule": request.rule,
            "why": request.reason,
            "instead": request.alternative or "",
            "asked by": f"{request.agent} {request.session}".rstrip(),
            "asked at": request.asked_at,
            "expires": request.expires_at,
            "reason": "required by the policy" if request.requires_reason else "",
            "policy": request.policy_digest,
            "hash": request.action_hash,
            "detail": request.detail,
        }
    )


def _print_action(request: Request) -> None:
    action = request.action
    _print_pairs(
        {
            ("delete" if action.deletes else action.kind): action.text,
            "on": action.subject or "",
            "content": action.content_digest or "",
            "in": action.cwd or request.root,
        }
    )


def _print_pairs(pairs: dict[str, str]) -> None:
    """Each name with its text, of which nothing acts on the terminal; further lines are indented below the first."""
    for name, text in pairs.items():
        if text:
            lines = [visible(line) for line in text.split("\n")]
            click.echo(f"  {visible(name):<10} " + f"\n{'':13}".join(lines))


def _span(later: datetime, earlier: datetime) -> str:
    seconds = max(0, int((later - earlier).total_seconds()))
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"
