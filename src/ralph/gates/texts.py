"""What an agent and a person are told about gates (spec: shell verify gates, bounce-back and escalation)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.gates.excerpt import code, fenced
from ralph.gates.model import Attempt, CriteriaGate, GateRun, Judgement, VerifyGate
from ralph.gates.progress import baseline, end_of, failures, green_before, limit, work
from ralph.system.text import visible

NO_OUTPUT = "No output captured"


def announced(runs: Iterable[GateRun]) -> str:
    """What will be checked when the turn ends; goes behind the prompt."""
    lines = [_announced(run) for run in runs]
    if not lines:
        return ""
    head = "When you end your turn, Ralph itself checks on the working tree:"
    return "\n".join(["## What is checked", "", head, "", *lines])


def _announced(run: GateRun) -> str:
    if isinstance(run.gate, CriteriaGate):
        return f"- {named(run)} (judged)"
    before = baseline(run)
    now = "" if before is None else f"; before your work: {end_of(before)}"
    return f"- {named(run)} must end with exit code 0{now}"


def bounced(run: GateRun) -> str:
    """The bounce-back text of a failed gate, with attempt n of m."""
    count = f"(Attempt {failures(run)}/{limit(run)})"
    if isinstance(run.gate, CriteriaGate):
        facts = [f"**Criterion:** {visible(run.gate.text)}", f"**Judgement:** {visible(run.reason)}"]
        return "\n".join([f"## Criterion NOT MET {count}", "", *facts, "", "Please fix the issues and submit again."])
    last = work(run)[-1]
    return "\n".join(
        [
            f"## Shell Verification FAILED {count}",
            "",
            *_facts(run.gate, last),
            "",
            "### Error Output",
            "",
            fenced(last.excerpt or NO_OUTPUT),
            "",
            "Please fix the issues and submit again.",
        ]
    )


def escalated(run: GateRun) -> str:
    """What a person is told about a gate that is blocked."""
    ways = [
        "Only a person can go on from here:",
        "",
        f"- `ralph gate retry {run.id} --reason R`: all attempts again",
        f"- `ralph gate skip {run.id} --reason R`: go on without it, as a signed exception; the result is no PASS",
        f"- `ralph gate abort {run.id} --reason R`: stop",
    ]
    if isinstance(run.gate, CriteriaGate):
        facts = [f"**Criterion:** {visible(run.gate.text)}", f"**Judgement:** {visible(run.reason)}"]
        head = "## Criterion NOT MET - Maximum Attempts Reached"
    elif (last := run.attempts[-1] if run.attempts else None) is None or last.refused:
        facts = [f"**Command:** {code(run.gate.command)}", f"**Reason:** {visible(run.reason)}"]
        head = "## Shell Verification BLOCKED"
    else:
        facts = [*_facts(run.gate, last), f"**Attempts:** {failures(run)}/{limit(run)}"]
        ways = ["### Recent Error Output", "", fenced(last.excerpt or NO_OUTPUT), "", *ways]
        head = "## Shell Verification FAILED - Maximum Attempts Reached"
    return "\n".join([head, "", *facts, "", *ways])


def named(run: GateRun) -> str:
    """A gate in a few words."""
    if isinstance(run.gate, CriteriaGate):
        name = f"{visible(run.gate.name)}: " if run.gate.name else ""
        return f"criterion {name}{visible(run.gate.text)}"
    return f"verify {code(run.gate.command)}" + (f" in {visible(run.gate.cwd)}" if run.gate.cwd else "")


def warned(run: GateRun) -> str | None:
    """What a pass of this gate does not show."""
    if green_before(run):
        return f"{named(run)} passed before the work already: it cannot show that the work did anything."
    tried: tuple[Attempt | Judgement, ...] = work(run)
    if len(tried) > 1 and tried[-1].passed and any(not e.passed and e.tree == tried[-1].tree for e in tried):
        return f"{named(run)} failed and passed on one and the same tree: it may be flaky."
    return None


def _facts(gate: VerifyGate, last: Attempt) -> list[str]:
    shown = "none" if last.exit_code is None else str(last.exit_code)
    lines = [f"**Command:** {code(gate.command)}", f"**Exit Code:** {shown}"]
    if last.signal:
        lines[-1] += f" ({last.signal})"
    if last.timed_out:
        lines.append(f"**Timed Out:** after {gate.timeout_s:g} s")
    elif last.problem:
        lines.append(f"**Problem:** {visible(last.problem)}")
    return lines
