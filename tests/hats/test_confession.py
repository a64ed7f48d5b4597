"""Reading a confession: to the last key, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.hats.confession import CLEAN, ISSUES_FOUND, ConfessionReport, Unreadable, decision_of, issues, read
from tests.hats.reports import HONEST, SPOTLESS, changed, report

ISSUE = "easiest_issue"


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ("", "one JSON object"),
        ("All is well.", "one JSON object"),
        ("tests: pass", "one JSON object"),
        ("```json\n" + json.dumps(SPOTLESS) + "\n```", "one JSON object"),
        (json.dumps(SPOTLESS) + " Trust me.", "one JSON object"),
        (json.dumps([SPOTLESS]), "must hold a mapping"),
        ('{"decision": "clean", "decision": "issues_found"}', "stands twice"),
        ('{"objectives": ' + "[" * 5000, "nested too deeply"),
        ('{"objectives": [{"confidence": NaN}]}', "NaN"),
        ("{}", "'objectives' is missing"),
        ('{"confidence": 1' + "0" * 5000 + "}", "JSON"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_report(payload: str, words: str) -> None:
    answer = read(CLEAN, payload)
    assert isinstance(answer, Unreadable)
    assert words in answer.reason


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown key": ({"issues": []}, "unknown key 'issues'"),
    "an unknown key inside": ({"objectives__0__sure": True}, "unknown key 'objectives.0.sure'"),
    "a misspelled key": ({"shortcut": ["x"]}, "did you mean 'shortcuts'?"),
    "no decision": ({"decision": None}, "'decision' is missing"),
    "another decision": ({"decision": "fine"}, "'clean' or 'issues_found'"),
    "no objective": ({"objectives": []}, "objectives is empty"),
    "met in words": ({"objectives__0__met": "yes"}, "must be true or false"),
    "met as a number": ({"objectives__0__met": 1}, "must be true or false"),
    "no evidence": ({"objectives__0__evidence": " "}, "objectives.0.evidence is empty"),
    "confidence in words": ({"objectives__0__confidence": "95%"}, "must be a number"),
    "more than sure": ({"objectives__0__confidence": 101}, "from 0 to 100, but is 101"),
    "less than unsure": ({"objectives__0__confidence": -1}, "from 0 to 100"),
    "a boolean confidence": ({"objectives__0__confidence": True}, "must be a number"),
    "an empty shortcut": ({"shortcuts": [""]}, "shortcuts has an empty entry"),
    "no issue": ({ISSUE: None}, "'easiest_issue' is missing"),
    "two issues": ({ISSUE: [HONEST[ISSUE], HONEST[ISSUE]]}, "'easiest_issue' must be a mapping"),
    "another kind": ({f"{ISSUE}__kind": "url"}, "'command' or 'file'"),
    "no claim": ({f"{ISSUE}__claim": ""}, "claim is empty"),
    "no command": ({f"{ISSUE}__command": None}, "command is missing"),
    "a command and a file": ({f"{ISSUE}__path": "a.py"}, "has no 'path'"),
    "hidden characters": ({f"{ISSUE}__command": "pytest \u202etest"}, "cannot be seen"),
    "half a character": ({f"{ISSUE}__command": "pytest \ud800"}, "cannot be seen"),
    "another ending": ({f"{ISSUE}__expect": "crash"}, "'pass' or 'fail'"),
    "no path": ({ISSUE: {"kind": "file", "claim": "x", "contains": "y"}}, "path inside the project"),
    "a path outside": ({ISSUE: {"kind": "file", "claim": "x", "path": "../a", "contains": "y"}}, "inside the project"),
    "a path from the root": ({ISSUE: {"kind": "file", "claim": "x", "path": "/etc/passwd", "contains": "y"}}, "inside"),
    "no text": ({ISSUE: {"kind": "file", "claim": "x", "path": "a.py"}}, "either `contains` or `absent`"),
    "two texts": (
        {ISSUE: {"kind": "file", "claim": "x", "path": "a.py", "contains": "y", "absent": "z"}},
        "either `contains` or `absent`",
    ),
    "an empty text": ({ISSUE: {"kind": "file", "claim": "x", "path": "a.py", "contains": " "}}, "either"),
}


@pytest.mark.parametrize(("keys", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_report_that_is_written_wrongly(keys: dict[str, Any], words: str) -> None:
    answer = read(ISSUES_FOUND, json.dumps(changed(HONEST, **keys)))
    assert isinstance(answer, Unreadable)
    assert words in answer.reason
    assert answer.reason.startswith("The report")


@pytest.mark.parametrize(
    "command",
    ["true", "false", " : ", "exit 1", "echo ok", "true && false", "(exit 3)", "! true", "printf x; sleep 1", "{ :; }"],
)
def test_a_command_that_looks_at_nothing(command: str) -> None:
    answer = read(ISSUES_FOUND, json.dumps(changed(HONEST, easiest_issue__command=command)))
    assert isinstance(answer, Unreadable)
    assert "says nothing about the project" in answer.reason


@pytest.mark.parametrize("command", ["pytest -q", "! grep -q TODO a.py", "echo x && pytest", "(cd a; make test)"])
def test_a_command_that_looks(command: str) -> None:
    assert isinstance(read(ISSUES_FOUND, json.dumps(changed(HONEST, easiest_issue__command=command))), ConfessionReport)


def test_a_report_of_issues_is_not_published_as_clean() -> None:
    assert isinstance(read(CLEAN, json.dumps(HONEST)), Unreadable)


@pytest.mark.parametrize(
    "issue",
    [
        {"kind": "command", "command": "grep -q eval total.py", "expect": "fail", "claim": "no eval"},
        {"kind": "file", "path": "total.py", "absent": "eval", "claim": "no eval"},
    ],
)
def test_a_clean_report_shows_something_that_holds(issue: dict[str, str]) -> None:
    answer = read(CLEAN, json.dumps(changed(SPOTLESS, easiest_issue=issue)))
    assert isinstance(answer, Unreadable)
    assert "shows something that holds" in answer.reason


@pytest.mark.parametrize(("document", "expect"), [(HONEST, "fail"), (SPOTLESS, "pass")])
def test_how_a_command_is_expected_to_end(document: dict[str, Any], expect: str) -> None:
    issue = {"kind": "command", "command": "pytest -q", "claim": "x"}
    assert report(document, easiest_issue=issue).easiest_issue.expect == expect


def test_a_clean_report_may_be_published_as_the_worse() -> None:
    assert isinstance(read(ISSUES_FOUND, json.dumps(SPOTLESS)), ConfessionReport)


@pytest.mark.parametrize(
    ("keys", "limit", "decision"),
    [
        ({}, 80, "clean"),
        ({"objectives__0__confidence": 80}, 80, "clean"),
        ({"objectives__0__confidence": 79.9}, 80, "issues_found"),
        ({"objectives__0__confidence": 94}, 95, "issues_found"),
        ({"objectives__0__confidence": 0}, 0, "clean"),
        ({"objectives__0__met": False}, 0, "issues_found"),
        ({"shortcuts": ["no negative amounts"]}, 80, "issues_found"),
        ({"uncertainties": ["is a half rounded up?"]}, 80, "issues_found"),
        ({"decision": "issues_found"}, 80, "issues_found"),
    ],
)
def test_the_decision_follows_from_what_stands_there(keys: dict[str, Any], limit: float, decision: str) -> None:
    assert decision_of(report(SPOTLESS, **keys), limit) == decision


def test_every_issue_is_listed() -> None:
    assert issues(report(HONEST, objectives__1__confidence=40), 80) == (
        "not met: an empty list gives 0 (total.py:3 divides by 0)",
        "not sure (40 of 80 wanted): totals are rounded (test_rounding passes)",
        "shortcut: negative amounts are not handled",
        "claimed: it fails",
    )


def test_what_a_report_says_cannot_pass_for_lines_of_ours() -> None:
    assert issues(report(SPOTLESS, shortcuts=["a\n- all is well \ud800\x1b[2J"]), 80) == (
        "shortcut: a\\x0a- all is well \\ud800\\x1b[2J",
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["clean", "issues_found", "command", "file"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*HONEST, *HONEST[ISSUE], *HONEST["objectives"][0]]) | st.text(), inner)
    ),
    max_leaves=20,
)


@given(st.sampled_from([CLEAN, ISSUES_FOUND, "odd"]), st.text() | JSON.map(json.dumps))
def test_no_payload_raises(topic: str, payload: str) -> None:
    assert isinstance(read(topic, payload), ConfessionReport | Unreadable)


@given(st.data())
def test_one_changed_value_gives_a_report_or_a_reason(data: st.DataObject) -> None:
    made = changed(HONEST)
    key = data.draw(st.sampled_from(list(made)))
    made[key] = data.draw(JSON)
    answer = read(ISSUES_FOUND, json.dumps(made))
    if isinstance(answer, ConfessionReport):
        assert decision_of(answer, 80) == "issues_found"  # the first objective is not met, or the decision says so
    else:
        assert answer.reason.endswith((".", "?"))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=4), st.integers(0, 100))
def test_a_clean_decision_has_the_confidence_in_everything(confidences: list[float], limit: int) -> None:
    objectives = [{**SPOTLESS["objectives"][0], "confidence": each} for each in confidences]
    made = report(SPOTLESS, objectives=objectives)
    assert (decision_of(made, limit) == "clean") == (made.confidence >= limit)
