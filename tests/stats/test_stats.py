"""The figures of `ralph stats`, from logs whose end is known."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ralph.events import honesty
from ralph.events.honesty import CLAIMS, Claim
from ralph.loop.inputs import Input, Judged, Outcome
from ralph.stats import facts, plots
from ralph.stats.facts import Turn
from ralph.stats.rows import GROUPS, rows
from ralph.telemetry.prometheus import MOST, metrics, used
from tests.cli.command import ralph, refused
from tests.cli.runs import begin, happened, turn
from tests.project import repository


def judged(outcome: Outcome, verdict: str | None = None, *, agent: str = "claude") -> Judged:
    claim = Claim(topic="build.done", true=True, contradiction=False, checks={}, hat="builder", agent=agent, model="m1")
    return Judged(outcome=outcome, tree="t1", moved=True, verdict=verdict, claims=(claim,), reason="r")


def project(tmp_path: Path, *inputs: Input) -> Path:
    root = repository(tmp_path / "project", {"a.md": "one\n"})
    happened(begin(root), *inputs)
    return root


def test_a_log_becomes_turns(tmp_path: Path) -> None:
    root = project(tmp_path, turn(0.5), judged("refused", "FAIL"), turn(0.25), judged("complete", "PASS"))
    first, second = facts.read(root).turns
    assert (first.agent, first.model, first.hat, first.task) == ("claude", "m1", "builder", (first.run, "auth-01"))
    assert (first.measured, first.verified, first.cost_usd, first.tokens) == (True, False, 0.5, 1000)
    assert (second.measured, second.verified) == (True, True)
    (row,) = rows((first, second), [], "all")
    assert (row.tasks, row.verified, row.first_pass, row.attempts) == (1, 1, 0.0, 2.0)
    assert (row.cost_usd, row.cost_per_task_usd, row.unpriced) == (0.75, 0.75, 0)


def test_what_was_only_claimed_is_not_verified(tmp_path: Path) -> None:
    root = project(tmp_path, turn(0.5), judged("complete", None))
    (row,) = rows(facts.read(root).turns, [], "all")
    assert (row.verified, row.first_pass, row.cost_per_task_usd) == (0, 0.0, None)


def test_a_cost_that_nobody_knows_is_told(tmp_path: Path) -> None:
    root = project(tmp_path, turn(None), judged("open"))
    (row,) = rows(facts.read(root).turns, [], "all")
    assert (row.cost_usd, row.unpriced) == (0.0, 1)
    assert "$0.00+?" in ralph("stats", "-C", root).out


def test_a_damaged_log_is_named_and_the_others_count(tmp_path: Path) -> None:
    root = project(tmp_path, turn(0.5), judged("complete", "PASS"))
    other = root / ".ralph" / "runs" / "20260101T000000000Z-000000000000"
    other.mkdir()
    (other / "log.jsonl").write_text("{}\n")
    answer = ralph("stats", "-C", root, "--json")
    assert answer.document["by"]["all"][0]["verified"] == 1
    assert "damaged" in answer.document["problems"][0]


def a_turn(agent: str, task: str, outcome: Outcome | None, *, cost: float = 1.0) -> Turn:
    return Turn(
        run="r",
        time="",
        agent=agent,
        model="m",
        hat="builder",
        task=("r", task),
        cost_usd=cost,
        tokens=10,
        runtime_s=1.0,
        outcome=outcome,
        verdict="PASS" if outcome == "complete" else "FAIL",
        regressions=0 if outcome == "complete" else 2,
    )


def test_a_task_counts_for_everybody_who_had_a_turn_in_it() -> None:
    turns = [
        a_turn("a", "one", "complete"),
        a_turn("a", "two", "refused"),
        a_turn("b", "two", "complete", cost=3.0),
        a_turn("b", "three", "open"),
    ]
    table = {row.name: row for row in rows(turns, [], "agent")}
    assert [(table[name].tasks, table[name].verified, table[name].first_pass) for name in "ab"] == [
        (2, 2, 50.0),
        (2, 1, 0.0),
    ]
    assert (table["a"].cost_per_task_usd, table["b"].cost_per_task_usd) == (1.0, 4.0)
    assert (table["a"].regressions, table["b"].attempts) == (2, 2.0)
    (everybody,) = rows(turns, [], "all")
    assert (everybody.tasks, everybody.verified, everybody.first_pass, everybody.attempts) == (3, 2, 33.3, 1.5)


OUTCOMES: tuple[Outcome | None, ...] = ("complete", "refused", "open", None)


@given(st.lists(st.builds(a_turn, st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from(OUTCOMES))))
def test_figures_stay_within_reason(turns: list[Turn]) -> None:
    for by in GROUPS:
        for row in rows(turns, [], by):
            assert 0 <= row.verified <= row.tasks <= row.turns
            assert row.first_pass is None or 0 <= row.first_pass <= 100
            assert (row.attempts is None) == (row.verified == 0) == (row.cost_per_task_usd is None)
            assert row.attempts is None or row.attempts >= 1


def test_honesty_is_that_of_the_claims(tmp_path: Path) -> None:
    root = project(tmp_path)
    for true, lie in ((True, False), (False, True), (False, False), (True, False)):
        claim = Claim(topic="build.done", true=true, contradiction=lie, checks={}, agent="claude", hat="builder")
        honesty.keep(root / CLAIMS, claim, time=datetime.now(UTC))
    row = ralph("stats", "--by", "agent", "-C", root, "--json").document["by"]["agent"][0]
    assert (row["name"], row["claims"], row["honesty"], row["contradicted"]) == ("claude", 4, 50.0, 1)


def test_the_plots_are_one_file_that_runs_nothing(tmp_path: Path) -> None:
    evil = '<script>x</script>"&\x1b[2J\u202e' + "n" * 300
    root = project(tmp_path, turn(0.5), judged("complete", "PASS", agent=evil))
    place = tmp_path / "plots.html"
    assert ralph("stats", "-C", root, "--plot", place).code == 0
    text = place.read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"[\x00-\x08\x1b\u202e]|https?:|src=|href=", text)
    drawn = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawn) > 4
    for each in drawn:
        ElementTree.fromstring(each)
    assert plots.bars("none", []).startswith("<svg")


def test_nothing_ran_yet(tmp_path: Path) -> None:
    root = repository(tmp_path / "project", {"a.md": "one\n"})
    assert ralph("stats", "-C", root).out == "Nothing has run here yet.\n"
    assert ralph("stats", "-C", root, "--json").document == {"by": {by: [] for by in GROUPS}, "problems": []}
    refused(ralph("stats", "-C", root, "--prometheus", "--json"), "a format of its own")


LINE = re.compile(r'ralph_\w+(\{\w+="([^"\\\n]|\\.)*"(,\w+="([^"\\\n]|\\.)*")*\})? -?\d+\.\d+(e[+-]\d+)?')


def test_prometheus_text_is_well_formed_and_tells_what_is(tmp_path: Path) -> None:
    root = project(tmp_path, turn(0.25), judged("open"), turn(0.5), judged("complete", "PASS", agent='a"\\\n{'))
    text = ralph("stats", "-C", root, "--prometheus").out
    assert text == metrics(root)
    for line in text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or LINE.fullmatch(line), line
    assert 'ralph_runs{state="running"} 1.0\n' in text
    assert 'ralph_iterations_total{outcome="complete"} 1.0\n' in text
    assert 'ralph_cost_usd_total{agent="a\\"\\\\\\n{",model="m1"} 0.5\n' in text
    families = re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE)
    assert len(families) == len(set(families)) > 8


def test_prometheus_labels_do_not_grow_with_runs() -> None:
    turns = [a_turn(f"agent-{number}", f"task-{number}", "complete") for number in range(500)]
    for samples in used(turns):
        assert len(samples) == MOST + 1
        assert sum(samples.values()) > 0
        assert (("agent", "other"), ("model", "m")) in samples
        assert {name for labels in samples for name, _ in labels} == {"agent", "model"}


def test_what_is_damaged_is_counted_and_the_page_stays(tmp_path: Path) -> None:
    root = project(tmp_path, turn(0.5), judged("complete", "PASS"))
    (root / CLAIMS).write_text("{}\n")
    (root / ".ralph" / "audit" / "x").mkdir(parents=True)
    (root / ".ralph" / "audit" / "x" / "verdict.json").write_text(json.dumps({"type": "GREAT"}))
    assert "ralph_unreadable 2.0\n" in metrics(root)
