"""What a client ran, compared with what Ralph decided (design decision 25; research: agent clients, 6).

Rules: hooks of clients fail open in ways that only show afterwards, so after every turn each tool that ran needs its
own decision that allowed it. A client gives every call an id; one that gives none, or the same one twice, proves
nothing. A call that the client itself refused did not run and needs no decision, and a decision about a call that
never ran is harmless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ralph.agents.base import Decided, Record, ToolCall, ToolResult
from ralph.system.text import visible

_SHOWN = 100


def reconcile(records: Iterable[Record]) -> tuple[str, ...]:
    """One sentence for every tool that ran and should not have, in their order; empty if all is well."""
    records = list(records)
    calls = {each.id: each for each in records if isinstance(each, ToolCall)}
    decisions = [each for each in records if isinstance(each, Decided)]
    denied = {each.id: each for each in decisions if each.outcome == "deny"}
    allowed = Counter(each.id for each in decisions if each.outcome == "allow")
    findings = []
    for result in records:
        if not isinstance(result, ToolResult) or not result.ran:
            continue
        what = _named(calls.get(result.id), result.id)
        if result.id is None:
            findings.append(f"{what} ran, and its result carries no id, so no decision about it can be found.")
        elif result.id in denied:
            findings.append(f"{what} ran although it was denied: {denied[result.id].reason}")
        elif not allowed[result.id]:
            findings.append(f"{what} ran without a decision of Ralph's that allowed it.")
        else:
            allowed[result.id] -= 1
    return tuple(findings)


def _named(call: ToolCall | None, number: str | None) -> str:
    if call is None:
        return f"The call {visible(number)}" if number else "A call"
    return f"{visible(call.tool)} ({visible(call.target[:_SHOWN])})"
