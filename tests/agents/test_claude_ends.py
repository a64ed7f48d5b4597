"""How Claude Code says that it ended: results as the client really gave them, and others that it might give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.agents.base import EndReason
from ralph.agents.claude_ends import end_of

GOOD = {"subtype": "success", "is_error": False, "terminal_reason": "completed", "result": "done"}
API = {"subtype": "success", "is_error": True, "terminal_reason": "api_error"}

CASES: list[tuple[str, dict[str, Any], str | None, EndReason]] = [
    ("done", GOOD, None, "completed"),
    ("done, and the client is older", {"subtype": "success", "is_error": False}, None, "completed"),
    ("a success that is an error", {**GOOD, "is_error": True}, None, "error"),
    ("a success that nobody knows", {**GOOD, "terminal_reason": "model_error"}, None, "error"),
    ("no word about an error", {"subtype": "success"}, None, "error"),
    ("steps", {"subtype": "error_max_turns", "is_error": True, "terminal_reason": "max_turns"}, None, "limit"),
    ("steps, older", {"subtype": "error_max_turns", "is_error": False}, None, "limit"),
    ("cost", {"subtype": "error_max_budget_usd", "terminal_reason": "budget_exhausted"}, None, "budget"),
    ("interrupted", {"subtype": "error_during_execution", "terminal_reason": "aborted_tools"}, None, "interrupted"),
    ("cut off", {"subtype": "error_during_execution", "terminal_reason": "aborted_streaming"}, None, "interrupted"),
    ("a hook's stop looks like success", {**GOOD, "terminal_reason": "hook_stopped"}, None, "interrupted"),
    ("window", {**API, "terminal_reason": "prompt_too_long", "api_error_status": 400}, None, "context_full"),
    ("overloaded", {**API, "api_error_status": 529}, "server_error", "api_error"),
    ("key", {**API, "api_error_status": 401}, "authentication_failed", "login"),
    ("right", {**API, "api_error_status": 403}, "authentication_failed", "login"),
    ("never logged in", {**API, "api_error_status": None}, "authentication_failed", "login"),
    ("rate", {**API, "api_error_status": 429}, "rate_limit", "rate_limited"),
    ("subscription", {**API, "api_error": "usage_limit_reached"}, None, "rate_limited"),
    ("money", {**API, "api_error_status": 400}, "billing_error", "api_error"),
    ("refused", {**API, "api_error_status": None, "api_error": "connection_failed"}, "server_error", "offline"),
    ("no conversation", {"subtype": "error_during_execution", "is_error": True, "errors": ["No"]}, None, "error"),
]


@pytest.mark.parametrize(("result", "trouble", "reason"), [pytest.param(*rest, id=name) for name, *rest in CASES])
def test_the_real_reason(result: dict[str, Any], trouble: str | None, reason: EndReason) -> None:
    assert end_of(result, trouble)[0] == reason


def test_what_is_said_is_one_line_without_control_characters() -> None:
    _, told = end_of({**API, "result": "API Error:\n\x1b[31m529 \u202e" + "x" * 1000})
    assert told is not None
    assert told.startswith("API Error: \\x1b[31m529")
    assert len(told) < 520


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["success", "completed", "api_error"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=3,
)
KEYS = ("subtype", "is_error", "terminal_reason", "api_error", "api_error_status", "errors", "result")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, anything)))
def test_only_one_form_is_a_good_end(result: dict[str, Any]) -> None:
    reason, _ = end_of(result)
    if reason == "completed":
        assert result["subtype"] == "success"
        assert result["is_error"] is False
