"""The human checkpoint: only a person's signed approval ends the phase."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from ralph.approvals.answering import Desk
from ralph.approvals.decisions import recorded
from ralph.approvals.model import Decision, Status
from ralph.config.loader import parse_config
from ralph.loop.phases.approval import Agreement, Checkpoint, agreement
from ralph.loop.words import Phase
from tests.approvals.situation import POLICY

ASKED = Checkpoint(phase=Phase.VALIDATION, run="run-1", bound_to="tree 0123", question="Everything holds. Read it.")


def ask(root: Path, asked: Checkpoint = ASKED) -> Agreement:
    return agreement(root, POLICY, asked)


def answer(root: Path, decision: Decision, text: str = "") -> None:
    desk = Desk(root, {})
    entry = next(each for each in desk.entries() if each.status is Status.OPEN)
    assert entry.request is not None
    desk.answer(entry.request, decision, reason="I looked at it", text=text)


def test_without_an_answer_it_waits(tmp_path: Path) -> None:
    found = ask(tmp_path)
    assert found.approved is None
    assert "ralph approvals show" in found.reason
    assert len(Desk(tmp_path, {}).entries()) == 1


def test_the_end_of_the_input_approves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of standard input, as under cron, the validation was approved by itself."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert [ask(tmp_path).approved for _ in range(3)] == [None, None, None]
    assert len(Desk(tmp_path, {}).entries()) == 1


def test_a_person_agrees_and_the_run_goes_on(tmp_path: Path) -> None:
    ask(tmp_path)
    answer(tmp_path, Decision.APPROVED)
    assert ask(tmp_path) == Agreement(approved=True, reason="I looked at it")
    assert len(recorded(tmp_path, "approval_used")) == 1


def test_a_crash_after_the_answer_asks_nobody_again(tmp_path: Path) -> None:
    ask(tmp_path)
    answer(tmp_path, Decision.APPROVED)
    assert [ask(tmp_path).approved for _ in range(2)] == [True, True]
    assert [entry.status for entry in Desk(tmp_path, {}).entries()] == [Status.USED]


@pytest.mark.parametrize(
    "other",
    [
        Checkpoint(phase=Phase.PLANNING, run="run-1", bound_to="tree 0123", question=ASKED.question),
        Checkpoint(phase=Phase.VALIDATION, run="run-2", bound_to="tree 0123", question=ASKED.question),
        Checkpoint(phase=Phase.VALIDATION, run="run-1", bound_to="tree 4567", question=ASKED.question),
    ],
    ids=["another phase", "another run", "another tree"],
)
def test_it_counts_for_what_was_looked_at_alone(tmp_path: Path, other: Checkpoint) -> None:
    ask(tmp_path)
    answer(tmp_path, Decision.APPROVED)
    assert ask(tmp_path).approved
    assert ask(tmp_path, other).approved is None


@pytest.mark.parametrize(
    ("decision", "text", "reason"),
    [
        (Decision.REJECTED, "", "I looked at it"),
        (Decision.SUGGESTED, "do it without a cache", "I looked at it do it without a cache"),
    ],
)
def test_a_person_does_not_agree(tmp_path: Path, decision: Decision, text: str, reason: str) -> None:
    ask(tmp_path)
    answer(tmp_path, decision, text)
    assert ask(tmp_path) == Agreement(approved=False, reason=reason)


def test_a_forged_sign_approves_nothing(tmp_path: Path) -> None:
    ask(tmp_path)
    request = Desk(tmp_path, {}).entries()[0].id
    folder = tmp_path / ".ralph" / "approvals"
    (folder / f"{request}.closed.json").write_text('{"as": "used", "at": "2026-11-22T12:00:00.000Z"}\n')
    (folder / f"{request}.answer.json").write_text('{"decision": "approved", "reason": "yes"}\n')
    assert ask(tmp_path).approved is None


PHASES = {
    "its own key": ("validation: {require_human_approval: true}", True),
    "beside another key": ("validation: {max_iterations: 3, require_human_approval: true}", True),
    "another key of it": ("validation: {max_iterations: 3}", False),
    "another phase": ("building: {require_human_approval: true}", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize("case", PHASES)
def test_only_its_own_key_says_whether_a_person_is_asked(case: str) -> None:
    """Any key under `phases.validation` turned the approval off that was set."""
    text, expected = PHASES[case]
    config = parse_config(f"phases:\n  {text}\n".encode() if text else b"agent: claude\n", "ralph.yml")
    assert config.phases.validation.require_human_approval is expected


def test_a_queue_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".ralph").symlink_to(os.devnull)
    with pytest.raises(Exception, match="link or a file"):
        ask(tmp_path)
