"""What becomes of a confession: Ralph runs the easiest issue itself, and the rest follows. Pure but for what is given.

Spec: events, evidence and confession, "The Confession Handler". Rules:

- A report that cannot be read, or whose check is false or proves nothing, is not to be relied on: a new one is asked
  for, with the reason. After `MAX_CONFESSIONS` such reports for one task a person is asked.
- A confession of issues whose easiest one is true is believed: the work goes back to the builder, or to a person.
- A clean one whose claim is true, with the confidence that is wanted, is all that completion may follow from.

The agent that handles a confession may publish what follows here or something stricter, never more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ralph.errors import RalphError
from ralph.hats.confession import ConfessionReport, EasiestIssue, Unreadable, decision_of, issues
from ralph.hats.flow import COMPLETE, ESCALATE
from ralph.record import record
from ralph.system.text import visible

MAX_CONFESSIONS = 3
FIX = "fix.needed"
ASK_AGAIN = "confession.requested"

CANNOT_SAY = {126: "it cannot be executed", 127: "there is no such command"}
"""Exit codes of a shell that say that nothing ran."""


@record(kw_only=True)
class Ran:
    """How a command ended. `problem`: it was not run, or its end proves nothing (denied, killed, too slow)."""

    exit_code: int | None
    problem: str | None = None
    output: str = ""


@record(kw_only=True)
class Finding:
    """What Ralph found when it checked the easiest issue. `unknown`: it could not be checked, so nothing is shown."""

    state: Literal["true", "false", "unknown"]
    reason: str
    output: str = ""


@record(kw_only=True)
class NextStep:
    """What follows. `topic` and `payload` are the event that Ralph would publish; the handler may answer with one of
    `allowed`, the first of which is that topic.
    """

    action: Literal["rework", "confess", "accept", "escalate"]
    topic: str
    payload: str
    allowed: tuple[str, ...]


def run_issue(issue: EasiestIssue, run: Callable[[str], Ran], read: Callable[[str], str | None]) -> Finding:
    """Check the claim of a report that was read. `run` runs a command as the project's permissions and the sandbox have
    it; `read` gives the text of a file inside the project, None where there is none.
    """
    try:
        if issue.kind == "command":
            return _ended(issue.command or "", issue.expect or "fail", run(issue.command or ""))
        return _stands(issue, read(issue.path or ""))
    except RalphError as error:
        return Finding(state="unknown", reason=f"it could not be checked: {error}")


def next_step(
    report: ConfessionReport | Unreadable, finding: Finding | None, *, limit: float, unreliable: int = 0
) -> NextStep:
    """What follows from a report and what Ralph found. `unreliable`: reports of this task that were not before."""
    if isinstance(report, Unreadable):
        return _again(report.reason, unreliable)
    if finding is None or finding.state != "true":
        why = finding.reason if finding else "nothing in it was checked"
        return _again(f"{_claim(report)} was not confirmed: {why}.", unreliable)
    found = issues(report, limit)
    if decision_of(report, limit) == "issues_found":
        lines = [f"The confession was checked: {finding.reason}. Correct each of these:"]
        lines += [f"- {each}" for each in found]
        return NextStep(action="rework", topic=FIX, payload="\n".join(lines), allowed=(FIX, ESCALATE))
    done = f"The confession is clean, and Ralph checked {_claim(report)}: {finding.reason}."
    allowed = (COMPLETE, FIX, ASK_AGAIN, ESCALATE)
    return NextStep(action="accept", topic=COMPLETE, payload=done, allowed=allowed)


def _again(reason: str, unreliable: int) -> NextStep:
    if unreliable + 1 >= MAX_CONFESSIONS:
        told = f"{unreliable + 1} confessions in a row could not be relied on; the last one: {reason}"
        return NextStep(action="escalate", topic=ESCALATE, payload=told, allowed=(ESCALATE,))
    told = f"The last confession cannot be relied on. {reason}\nLook again, and write a new report."
    return NextStep(action="confess", topic=ASK_AGAIN, payload=told, allowed=(ASK_AGAIN, ESCALATE))


def _claim(report: ConfessionReport) -> str:
    return f'"{visible(report.easiest_issue.claim)}"'


def _ended(command: str, expect: Literal["pass", "fail"], ran: Ran) -> Finding:
    command = visible(command)
    problem = ran.problem or CANNOT_SAY.get(ran.exit_code if ran.exit_code is not None else -1)
    if problem is None and (ran.exit_code is None or not 0 <= ran.exit_code <= 125):
        problem = "it did not end by itself"
    if problem:
        return Finding(state="unknown", reason=f"`{command}` shows nothing: {problem}", output=ran.output)
    true = (ran.exit_code == 0) == (expect == "pass")
    wanted = "as the confession says" if true else f"where the confession says that it would {expect}"
    reason = f"`{command}` ended with exit code {ran.exit_code}, {wanted}"
    return Finding(state="true" if true else "false", reason=reason, output=ran.output)


def _stands(issue: EasiestIssue, content: str | None) -> Finding:
    if content is None:
        return Finding(state="false", reason=f"there is no file {issue.path}")
    wanted = issue.contains is not None
    text = issue.contains if issue.contains is not None else issue.absent or ""
    there = text in content
    reason = f"{issue.path} {'contains' if there else 'does not contain'} `{visible(text)}`"
    return Finding(state="true" if there == wanted else "false", reason=reason)
