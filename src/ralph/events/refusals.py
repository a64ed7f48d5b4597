"""What an agent is told when its claim is refused: check by check what was claimed, what was measured, what must be,
and what to do next (spec: events; design decisions 15 and 16).

Absent, invalid and failed are worded apart, and so is a payload that holds no evidence at all. The text goes into the
agent's next prompt, so what it quotes of the claim is short and free of control characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ralph.events.model import Check, CheckState, Gate, Outcome, Reading
from ralph.events.values import limit
from ralph.system.text import visible

QUOTED = 80
"""So many characters of a claim are quoted."""

_MARKUP = re.compile(r"[|*_`\"{]")
_DRESSED = r"[|*_`\"{{][ \t]*(?:{names})[ \t]*[|*_`\":]"
_PLACES = {"percent": "<percent>", "number": "<number>"}


def refusal(
    gate: Gate,
    outcome: Outcome,
    failed: Iterable[str],
    readings: Mapping[str, Reading],
    payload: str,
    measured: Mapping[str, Reading] | None = None,
) -> str:
    """The text of the event that is published instead."""
    by_name = {check.name: check for check in gate.checks}
    head = f"{gate.topic} was refused, {gate.refusal} is published instead."
    if outcome is Outcome.MISSING:
        head += " The payload holds no evidence: it names none of the gate's checks."
    lines = [f"{head} What does not hold:"]
    lines += [f"- {_line(by_name[name], readings[name], (measured or {}).get(name))}" for name in failed]
    if _is_dressed(gate, payload) and any(readings[name].state is CheckState.ABSENT for name in failed):
        lines.append(
            "The payload seems to hold evidence inside a code fence, a table, bold type or quotation marks: send it "
            "bare, one `name: value` per line."
        )
    lines.append(f"When all of it is so, claim again, with the numbers that you got: {example(gate)}")
    return "\n".join(lines)


def example(gate: Gate) -> str:
    """The command that publishes such a claim. Numbers are left open: they are the agent's to measure."""
    pairs = ", ".join(_pair(check) for check in gate.checks if check.required)
    return f'ralph emit "{gate.topic}" "{pairs}"'


def _line(check: Check, claimed: Reading, measured: Reading | None) -> str:
    none = "nothing was claimed" if claimed.state is CheckState.ABSENT else "not read"
    said = none if claimed.text is None else f"claimed `{_quoted(claimed.text)}`"
    if measured and measured.state is not CheckState.ABSENT:
        said += f", {_measurement(measured)}"
    wanted = limit(check) or "`pass`"
    match claimed.state:
        case CheckState.ABSENT:
            return f"{check.name}: absent, {said}; it must be {wanted}. Run it, and add `{_pair(check)}` when it holds."
        case CheckState.INVALID:
            return f"{check.name}: invalid, {said}; {claimed.reason}. If it holds, write `{_pair(check)}`."
        case CheckState.FAIL:
            return f"{check.name}: failed, {said}; it must be {wanted}. Repair it and run it again."
    told = "unproven" if measured and measured.state is CheckState.INVALID else "contradicted"
    return f"{check.name}: {told}, {said}; it must be {wanted}. Repair it, and claim what you measured."


def _pair(check: Check) -> str:
    return f"{check.name}: {_PLACES.get(check.kind, 'pass')}"


def _measurement(measured: Reading) -> str:
    if measured.state is CheckState.INVALID:
        return f"could not be measured ({_quoted(measured.reason or 'no reason is known')})"
    value = measured.text or (f"{measured.value:g}" if measured.value is not None else measured.state.value)
    return f"measured `{_quoted(value)}`" + (f" ({_quoted(measured.reason)})" if measured.reason else "")


def _quoted(text: str) -> str:
    return visible(text if len(text) <= QUOTED else text[: QUOTED - 1] + "…")


def _is_dressed(gate: Gate, payload: str) -> bool:
    """Whether a check's name stands between signs that mark up text."""
    if not _MARKUP.search(payload):
        return False
    names = "|".join(re.escape(name) for check in gate.checks for name in (check.name, *check.aliases))
    return re.search(_DRESSED.format(names=names), payload, re.IGNORECASE) is not None
