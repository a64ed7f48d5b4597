"""How a turn of Claude Code ended, from its last result (research: agent clients, 1.4).

Rules: `subtype` alone says nothing, for a failed call of the model is a "success" with an error. What stopped the loop
(`terminal_reason`) is asked first, then whether it is an error at all, then what the provider said. Nothing that is not
known to be a good end is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ralph.agents.base import EndReason
from ralph.system.text import visible

_LONGEST = 500
_LOOP: Mapping[str, EndReason] = {
    "max_turns": "limit",
    "error_max_turns": "limit",
    "budget_exhausted": "budget",
    "error_max_budget_usd": "budget",
    "prompt_too_long": "context_full",
    "aborted_tools": "interrupted",
    "aborted_streaming": "interrupted",
    "hook_stopped": "interrupted",
}
_LOGIN = frozenset(
    {"authentication_failed", "oauth_org_not_allowed", "provider_credentials", "gateway_signin_required"}
)
_NO_ANSWER = frozenset({"connection_failed", "no_response", "network_edge_blocked", "computer_slept"})
_STATUS: Mapping[int, EndReason] = {401: "login", 403: "login", 413: "context_full", 429: "rate_limited"}


def end_of(result: Mapping[str, Any], trouble: str | None = None) -> tuple[EndReason, str | None]:
    """The reason, and a sentence if there is something to say; `trouble` is what the last message called its error."""
    loop, subtype = result.get("terminal_reason"), result.get("subtype")
    for word in (loop, subtype):
        if isinstance(word, str) and word in _LOOP:
            return _LOOP[word], _said(result)
    if result.get("is_error") is False and subtype == "success" and loop in (None, "completed"):
        return "completed", None
    words = {word for word in (trouble, result.get("api_error")) if isinstance(word, str)}
    status = result.get("api_error_status")
    if words & _NO_ANSWER:
        return "offline", _said(result)
    if words & _LOGIN:
        return "login", _said(result)
    if words & {"rate_limit", "usage_limit_reached"}:
        return "rate_limited", _said(result)
    if isinstance(status, int):
        return _STATUS.get(status, "api_error"), _said(result)
    return ("api_error" if loop == "api_error" else "error"), _said(result)


def _said(result: Mapping[str, Any]) -> str | None:
    errors = result.get("errors")
    texts = [each for each in errors if isinstance(each, str)] if isinstance(errors, list) else []
    told = "; ".join(texts) or result.get("result") or result.get("terminal_reason") or result.get("subtype")
    return shortened(told) if isinstance(told, str) else None


def shortened(text: str) -> str:
    """One line that a terminal may show."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
