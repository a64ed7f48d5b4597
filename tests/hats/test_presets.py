"""The presets: sound, and true to their own words. What they tell an agent to publish passes the real gates."""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ralph.events import bus, tokens
from ralph.events.door import Admitted, Emission, Measurement, Refused, Rules, admit
from ralph.events.gates import BUILTIN, decide
from ralph.events.model import Event, Outcome
from ralph.events.topics import is_topic
from ralph.hats import loader
from ralph.hats.check import check
from ralph.hats.confession import CLEAN, ISSUES_FOUND, ConfessionReport, decision_of, read
from ralph.hats.flow import Flow
from ralph.hats.model import Hat, Topology
from ralph.permissions.decide import decide as judge
from ralph.permissions.disk import here
from ralph.permissions.loader import parse
from ralph.permissions.model import Outcome as Decided
from ralph.permissions.model import RunCommand
from tests.hats.shapes import REFUSALS

NAMES = ["builder", "code-review", "confession-loop", "debug", "docs", "spec-driven", "tdd"]
PRESETS = {name: loader.parse_preset((loader.BUNDLED / f"{name}.yml").read_bytes(), name, name) for name in NAMES}


@dataclass(frozen=True)
class Example:
    """A `ralph emit` as it stands in the instructions of a hat."""

    preset: str
    hat: Hat
    command: str
    topic: str
    payload: str

    def __str__(self) -> str:
        return f"{self.preset} {self.hat.id} {self.topic}"


def examples(preset: str) -> Iterator[Example]:
    """Every example, once as an agent would copy it with its indentation, and once without."""
    for hat in PRESETS[preset].hats:
        for start in re.finditer(r"^ *ralph emit ", hat.instructions, re.MULTILINE):
            text = complete(hat.instructions[start.start() :])
            for form in {text, textwrap.dedent(text)}:
                _, _, topic, payload = shlex.split(form)
                yield Example(preset, hat, form, topic, payload)


def complete(text: str) -> str:
    """The command at the beginning of the text, to the line on which its quotation marks are closed."""
    lines = text.splitlines()
    for count in range(1, len(lines) + 1):
        try:
            shlex.split(command := "\n".join(lines[:count]))
        except ValueError:
            continue
        return command
    raise AssertionError(f"no end: {text[:80]}")


ALL = [example for name in PRESETS for example in examples(name)]


def published(example: Example) -> Admitted | Refused:
    """What the door makes of it in an agent's turn, where the measurement finds no difference."""
    token, seal = tokens.mint(1)
    emission = Emission(
        topic=example.topic, payload=example.payload, origin="agent", hat=example.hat.id, iteration=1, token=token
    )
    rules = Rules(hats=PRESETS[example.preset].hats, seal=seal)
    return admit(emission, rules, lambda emission, decision: Measurement(holds=True))


def test_all_are_there() -> None:
    assert sorted(path.stem for path in loader.BUNDLED.iterdir()) == NAMES
    assert {gate.topic: gate.refusal for gate in BUILTIN.values()} == REFUSALS
    assert len(ALL) > 30


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
def test_sound(preset: Topology) -> None:
    assert [str(problem) for problem in check(preset, REFUSALS, "measured")] == []
    assert preset.description
    assert preset.confidence == 80


@pytest.mark.parametrize("example", ALL, ids=str)
def test_what_a_preset_says_to_publish_is_published(example: Example) -> None:
    assert example.topic in example.hat.publishes
    answer = published(example)
    assert isinstance(answer, Admitted), answer
    assert (answer.event.topic, answer.event.claimed) == (example.topic, None), answer.event.payload


def test_every_command_that_is_shown_can_be_judged_as_what_it_is(tmp_path: Path) -> None:
    """A policy that lets agents publish lets them publish these, whatever stands in the payloads."""
    files: dict[str, list[str]] = {"allowRead": [], "allowWrite": [], "denyRead": [], "denyWrite": []}
    policy = {
        "version": 1,
        "mode": "delivery",
        "files": files,
        "commands": {"allow": ["ralph emit"], "deny": []},
        "approval": {"requiredFor": [], "requireReason": True},
        "checks": {"required": [], "rollbackOnFail": False},
    }
    permissions = parse(json.dumps(policy).encode(), "policy")
    for example in ALL:
        decision = judge(RunCommand(example.command), permissions, here(tmp_path))
        assert decision.outcome is Decided.ALLOW, (str(example), decision.reason)


@pytest.mark.parametrize("example", [each for each in ALL if each.topic in (CLEAN, ISSUES_FOUND)], ids=str)
def test_the_confessions_that_are_shown_can_be_read(example: Example) -> None:
    report = read(example.topic, example.payload)
    assert isinstance(report, ConfessionReport), report
    assert decision_of(report, PRESETS[example.preset].confidence) == report.decision
    assert example.topic.removeprefix("confession.") == report.decision


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
def test_every_hat_is_shown_what_it_publishes(preset: Topology) -> None:
    """Gated topics and confessions with an example to copy, all others at least by name. A refusal is explained too."""
    for hat in preset.hats:
        shown = {example.topic for example in examples(preset.name) if example.hat == hat}
        assert {topic for topic in hat.publishes if topic in REFUSALS or topic.startswith("confession.")} <= shown
        named = {span for span in re.findall(r"`([^`\n]+)`", hat.instructions) if "." in span and is_topic(span)}
        known = {*hat.publishes, *hat.triggers, preset.start}
        assert set(hat.publishes) <= shown | named, hat.id
        assert {topic for topic in hat.triggers if topic.endswith(".blocked")} <= named, hat.id
        assert {topic for topic in named if "/" not in topic and not topic.startswith(".")} <= known, hat.id


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
def test_hats_that_follow_their_words_reach_the_end(preset: Topology) -> None:
    """On the bus, with the examples as they stand: each hat in turn publishes what leads on."""
    state, _ = bus.publish(bus.Bus(hats=preset.hats), Event(topic=preset.start, payload="a task", origin="ralph"))
    by_topic = {(example.hat.id, example.topic): example for example in examples(preset.name)}
    for _ in range(len(preset.hats) + 1):
        turn = bus.next_hat(state)
        assert turn is not None
        given = state.waiting[turn]
        topic = leading_on(preset, turn)
        answer = published(by_topic[turn, topic])
        assert isinstance(answer, Admitted)
        if answer.event.topic == preset.done:
            return
        state, _ = bus.publish(state, answer.event)
        state, _ = bus.publish(state, bus.handled(turn, given))
    raise AssertionError(f"{preset.name} does not end")


def leading_on(preset: Topology, hat: str) -> str:
    """The topic of the shortest way from a hat to the end."""
    edges = Flow(preset, REFUSALS).edges
    ways = [(edge.topic, edge) for edge in edges if edge.source == hat and not edge.refused]
    while ways:
        first, edge = ways.pop(0)
        if edge.topic == preset.done:
            return first
        ways += [(first, each) for each in edges if each.source == edge.target and edge.target and not each.refused]
    raise AssertionError(f"nothing leads on from {hat}")


@pytest.mark.parametrize("topic", REFUSALS)
def test_an_agent_that_leaves_a_line_out_is_refused(topic: str) -> None:
    """The examples hold nothing that is not needed, but for what is optional."""
    for example in (each for each in ALL if each.topic == topic):
        parts = re.split(r"\n|, ", example.payload)
        for part in parts:
            if "specs" not in part:
                rest = "\n".join(each for each in parts if each is not part)
                assert decide(topic, rest).outcome is Outcome.FAILED
