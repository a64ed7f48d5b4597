"""Every payload that the documentation prints is fed through the real gate, and reads as the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from ralph.events.claims import read
from ralph.events.gate_settings import configured
from ralph.events.gates import BUILD, BUILTIN, decide

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "concepts.md").read_text("utf-8")
SECTION = PAGE.partition("\n## Claims and evidence gates\n")[2].partition("\n## ")[0]
EMITTED = [shlex.split(line)[2:4] for line in re.findall(r"^ +(ralph emit .+)$", SECTION, re.MULTILINE)]
FENCED = re.findall(r"```(?:text|json)\n(.*?)```", SECTION, re.DOTALL)
ROWS = re.findall(r"^\| `(.+?)` \| (pass|fail|invalid|absent) \|$", SECTION, re.MULTILINE)


def test_the_page_has_examples() -> None:
    assert {topic for topic, _ in EMITTED} == set(BUILTIN)
    assert len(FENCED) == 2
    assert len(ROWS) > 15


@pytest.mark.parametrize(("topic", "payload"), [*EMITTED, *(("build.done", payload) for payload in FENCED)])
def test_an_example_is_accepted(topic: str, payload: str) -> None:
    decision = decide(topic, payload)
    assert decision.outcome == "accepted", decision.message


@pytest.mark.parametrize(("line", "state"), ROWS)
def test_a_line_reads_as_the_table_says(line: str, state: str) -> None:
    states = {reading.state.value for reading in read(line, BUILD.checks).values()}
    assert states == {state, "absent"}


def test_the_table_of_gates_is_that_of_the_code() -> None:
    for gate in BUILTIN.values():
        row = next(line for line in SECTION.splitlines() if line.startswith(f"| `{gate.topic}` | "))
        _, _, required, optional, refusal, _ = (cell.strip() for cell in row.split("|"))
        assert refusal == f"`{gate.refusal}`"
        for check in gate.checks:
            assert f"`{check.name}`" in (required if check.required else optional)
            assert all(f"`{alias}`" in optional for alias in check.aliases)
            for bound, words in ((check.at_least, "at least"), (check.at_most, "at most")):
                assert bound is None or f"{words} {bound:g}" in required.partition(f"`{check.name}`")[2]


def test_the_example_of_a_configuration_is_one() -> None:
    text = re.findall(r"```yaml\n(.*?)```", SECTION, re.DOTALL)[0]
    gates = configured(yaml.safe_load(text)["gates"])
    assert set(gates) == {*BUILTIN, "feature.done"}
    assert decide("feature.done", "tests: pass, latency: 251", gates).failed == ("latency",)


def test_the_answer_on_the_page_of_commands_is_the_real_one() -> None:
    commands = (DOCS / "commands.md").read_text("utf-8").partition("### ralph events check\n")[2]
    shown = yaml.safe_load(re.findall(r"```json\n(.*?)```", commands, re.DOTALL)[0])
    real = decide("review.done", "tests: PASS")
    assert shown["message"] == real.message
    assert shown["checks"] == {name: reading.state.value for name, reading in real.checks.items()}
