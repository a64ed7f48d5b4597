"""The honesty record: what was claimed, what was measured, and who was how often right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.events import honesty
from ralph.events.door import Admitted, Measurement, admit
from ralph.events.gates import BUILTIN
from ralph.events.honesty import Claim, Tally, compare, tally
from ralph.events.model import CheckState, Reading
from ralph.system import ledger
from tests.cli.command import ralph
from tests.cli.command import refused as refused_command
from tests.events.situation import BUILD, MOMENT, QUALITY, TOKEN, TURN, rules
from tests.project import repository

PASS, FAIL = Reading(state=CheckState.PASS), Reading(state=CheckState.FAIL)
UNKNOWN, ABSENT = Reading(state=CheckState.INVALID, reason="no command"), Reading(state=CheckState.ABSENT)


def measured(topic: str, payload: str, *, holds: bool, **readings: Reading) -> Claim:
    found = Measurement(holds=holds, readings={k.replace("_", "."): v for k, v in readings.items()}, tree="t" * 40)
    outcome = admit(TURN.emission(topic, payload, TOKEN), rules("measured"), lambda *_: found)
    assert isinstance(outcome, Admitted)
    return compare(outcome, BUILTIN[topic])


def number(value: float, state: CheckState = CheckState.PASS) -> Reading:
    return Reading(state=state, value=value)


@pytest.mark.parametrize(
    ("claim", "true", "contradiction"),
    [
        (measured("build.done", BUILD, holds=True, tests=PASS, lint=PASS), True, False),
        (measured("build.done", BUILD, holds=False, tests=FAIL, lint=PASS), False, True),
        (measured("build.done", BUILD, holds=False, tests=UNKNOWN), False, False),
        (measured("build.done", BUILD, holds=True, tests=PASS, audit=ABSENT), True, False),
        (measured("build.done", BUILD, holds=False), False, False),
        (measured("build.done", BUILD, holds=True, complexity=number(5.4)), True, False),
        (measured("build.done", BUILD, holds=True, complexity=number(9)), False, True),
        (measured("build.done", BUILD, holds=True, complexity=number(2)), True, False),
        (measured("verify.passed", QUALITY, holds=True, quality_coverage=number(84.6)), True, False),
        (measured("verify.passed", QUALITY, holds=True, quality_coverage=number(81)), False, True),
        (measured("verify.passed", QUALITY, holds=True, quality_coverage=number(99)), True, False),
        (measured("verify.passed", QUALITY, holds=False, quality_coverage=number(12, CheckState.FAIL)), False, True),
    ],
    ids=[
        "borne out",
        "tests fail",
        "could not be measured",
        "a check without a command stays claimed",
        "the verdict refused it otherwise",
        "rounding is no lie",
        "a number worse than claimed, though under the limit",
        "better than claimed",
        "rounding of a percentage",
        "a percentage worse than claimed, though over the limit",
        "a better percentage",
        "far below",
    ],
)
def test_what_counts_as_true(claim: Claim, true: bool, contradiction: bool) -> None:
    assert (claim.true, claim.contradiction) == (true, contradiction)


def test_each_check_stands_beside_its_measurement() -> None:
    claim = measured("build.done", BUILD, holds=False, tests=FAIL, complexity=number(7))
    assert claim.checks["tests"] == honesty.Compared(claimed="pass", measured="fail", contradiction=True)
    assert claim.checks["complexity"] == honesty.Compared(claimed="5", measured="7", contradiction=True)
    assert claim.checks["lint"] == honesty.Compared(claimed="pass", measured=None, contradiction=False)
    assert "specs" not in claim.checks
    assert (claim.hat, claim.agent, claim.model, claim.task) == ("builder", "scripted", "m-1", "t1")


def test_a_claim_that_was_not_measured_is_not_counted() -> None:
    found = admit(TURN.emission("build.done", BUILD, TOKEN), rules("claimed"))
    assert isinstance(found, Admitted)
    with pytest.raises(ValueError, match="not measured"):
        compare(found, BUILTIN["build.done"])


TRUE = measured("build.done", BUILD, holds=True, tests=PASS)
LIE = measured("build.done", BUILD, holds=False, tests=FAIL)
UNPROVEN = measured("build.done", BUILD, holds=False, tests=UNKNOWN)


def test_tally() -> None:
    claims = [TRUE, LIE, UNPROVEN, replace(TRUE, hat="reviewer", model=None)]
    assert tally(claims, "hat") == [
        Tally(name="builder", claims=3, true=1, contradicted=1),
        Tally(name="reviewer", claims=1, true=1, contradicted=0),
    ]
    assert [(each.name, each.percent, each.unproven) for each in tally(claims, "model")] == [
        ("m-1", 33.3, 1),
        ("unknown", 100.0, 0),
    ]
    assert tally([], "agent") == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"a.md": "one\n"})


def test_the_record_gives_back_what_was_recorded(root: Path) -> None:
    path = root / honesty.CLAIMS
    for claim in (TRUE, LIE):
        honesty.keep(path, claim, time=MOMENT)
    time = "2026-01-05T12:00:00.000Z"
    assert honesty.read(path) == [replace(TRUE, time=time), replace(LIE, time=time)]


def test_the_command(root: Path) -> None:
    assert ralph("claims", "-C", root).out == "No claim has been measured yet.\n"
    for claim in (TRUE, TRUE, LIE):
        honesty.keep(root / honesty.CLAIMS, claim, time=MOMENT)
    lines = ralph("claims", "-C", root, "--by", "agent").out.splitlines()
    assert [line.split() for line in lines] == [
        ["agent", "claims", "true", "contradicted", "unproven"],
        ["scripted", "3", "66.7%", "1", "0"],
    ]
    document = ralph("claims", "-C", root, "--json").document
    assert document["claims"] == 3
    assert list(document["by"]) == ["hat", "agent", "model"]
    assert document["by"]["model"] == [
        {"name": "m-1", "claims": 3, "true": 2, "percent_true": 66.7, "contradicted": 1, "unproven": 0}
    ]


def test_a_whitewashed_record_is_noticed(root: Path) -> None:
    path = root / honesty.CLAIMS
    for claim in (LIE, TRUE):
        honesty.keep(path, claim, time=MOMENT)
    path.write_bytes(path.read_bytes().replace(b'"contradiction":true', b'"contradiction":false'))
    refused_command(ralph("claims", "-C", root), "claims.jsonl", "line 1", "changed")


def test_a_line_that_is_no_claim_is_noticed(root: Path) -> None:
    ledger.append(root / honesty.CLAIMS, ["x"], time=MOMENT)
    with pytest.raises(StorageError, match="Line 1"):
        honesty.read(root / honesty.CLAIMS)
    refused_command(ralph("claims", "-C", root), "Line 1")
