"""Which changes of a run are told, and that looking again makes the same notices."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from ralph.loop.effects import AskHuman
from ralph.loop.inputs import Controlled, Input, Judged
from ralph.loop.journal import Moment, moments
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.notify.notices import LONGEST, Notice, between
from tests.cli.runs import begin, happened, judged, turn


def told(root: Path, *inputs: Input) -> list[Notice]:
    journal = happened(begin(root), *inputs)
    found, _ = moments(journal.folder)
    before = [None, *(each.state for each in found)]
    return [notice for state, each in zip(before, found, strict=False) for notice in between(state, each)]


BLOCKED = Judged(outcome="blocked", tree="t1", verdict="BLOCKED", verdict_run="v1", reason="a skip")


@pytest.mark.parametrize(
    ("inputs", "events"),
    [
        ((), []),
        ((turn(), judged()), []),
        ((turn(1.7), judged()), []),  # four fifths of one iteration's limit are no news
        ((turn(45.0), judged()), ["breaker", "budget", "ended"]),  # over one limit, near another
        ((turn(), BLOCKED), ["blocked"]),
        ((Controlled(do="stop"),), ["ended"]),
    ],
)
def test_what_is_told(tmp_path: Path, inputs: tuple[Input, ...], events: list[str]) -> None:
    assert sorted(each.event for each in told(tmp_path, *inputs)) == events


def moment(state: State) -> Moment:
    return Moment(7, "2026-01-20T10:00:00.000Z", judged(), state)


def test_80_percent_is_told_once_for_each_limit(tmp_path: Path) -> None:
    before = begin(tmp_path).state
    limit = before.settings.limits.total_usd
    assert limit
    after = replace(before, total=replace(before.total, cost_usd=0.81 * limit))
    more = replace(before, total=replace(before.total, cost_usd=0.9 * limit))
    assert [(each.event, each.text) for each in between(before, moment(after))] == [
        ("budget", "cost_limit:$162.00 of $200.00 in total")
    ]
    assert between(after, moment(more)) == []
    session = replace(more, session=replace(more.session, spent=replace(more.session.spent, cost_usd=41.0)))
    assert [each.text for each in between(more, moment(session))] == ["cost_limit:$41.00 of $50.00 per session"]


def test_a_question_is_told_when_it_is_put_and_what_an_agent_wrote_is_written_out(tmp_path: Path) -> None:
    before = begin(tmp_path).state
    asking = AskHuman(phase=Phase.PLANNING, question="\x1b[2J" + "x" * 10_000)
    after = replace(before, awaiting=asking)
    (found,) = between(before, moment(after))
    assert (found.event, len(found.text)) == ("approval", LONGEST)
    assert found.text.startswith("\\x1b[2Jxx")
    assert between(after, moment(after)) == []


def test_looking_again_makes_the_same_notices(tmp_path: Path) -> None:
    first = told(tmp_path, Controlled(do="stop"))
    (folder,) = (tmp_path / ".ralph" / "runs").iterdir()
    found, _ = moments(folder)
    again = [each for a, b in itertools.pairwise(found) for each in between(a.state, b)]
    assert first == again
    assert len({each.id for each in first}) == len(first) == 1
