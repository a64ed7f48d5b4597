"""Which agent a name means, and what is said when there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ralph.agents import recording
from ralph.agents.base import Agent, End, Record, Text, Turn, Usage
from ralph.agents.command import CommandAgent
from ralph.agents.configured import Configured
from ralph.agents.fallback import Fallback
from ralph.agents.prices import Prices
from ralph.agents.registry import entry_of, knows_its_cost, resolve
from ralph.agents.scripted import ScriptedAgent
from ralph.config import Config, parse_config
from ralph.config.run import AgentEntry
from ralph.errors import ConfigError, MissingToolError, RalphError, UsageError

SCRIPT = "name: tester\nturns:\n  - - say: hello\n"


def config(text: str = "") -> Config:
    return parse_config(text.encode(), "ralph.yml")


def inner(agent: Agent) -> Agent:
    assert isinstance(agent, Configured)
    return agent.agent


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "my script.yaml"
    path.write_text(SCRIPT, "utf-8")
    return path


def test_a_script(script: Path) -> None:
    agent = resolve(f"scripted:{script}", config())
    assert isinstance(inner(agent), ScriptedAgent)
    assert agent.name == "tester"


def test_any_program() -> None:
    agent = inner(resolve('command:cat - "two words"', config("agents: {command: {network: true}}")))
    assert agent == CommandAgent(name='command:cat - "two words"', argv=("cat", "-", "two words"), network=True)


def test_a_program_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").write_text("#!/bin/sh\n")
    (tmp_path / "own").chmod(0o755)
    agent = inner(resolve("mine", config("agents: {mine: {command: ./own --fast, readable: [~/.own]}}")))
    assert agent == CommandAgent(
        name="mine", argv=(str(tmp_path / "own"), "--fast"), readable=(Path("~/.own").expanduser(),)
    )


def test_those_that_take_over(script: Path) -> None:
    mine = f"mine: {{command: cat, fallback: [other, 'scripted:{script}']}}"
    text = f"agents: {{{mine}, other: {{command: tac, fallback: [mine]}}}}"
    agent = resolve("mine", config(text))
    assert isinstance(agent, Fallback)
    assert [each.name for each in agent.agents] == ["mine", "other", "tester"]


def test_a_recorded_run_is_played_in_the_order_of_its_turns(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        turn = Turn(prompt="x", workdir=tmp_path, iteration=number, folder=tmp_path / "turns" / f"{number}-1")
        list(recording.Recording(ScriptedAgent("r", ((("say", f"turn {number}"),),), repeat=True)).run(turn))
    agent = resolve(f"replay:{tmp_path}", config())
    said = list(agent.run(Turn(prompt="x", workdir=tmp_path, iteration=10)))
    assert Text("turn 10") in said
    assert Text("turn 2") not in said


@pytest.mark.parametrize(
    ("name", "text", "error", "words"),
    [
        ("gpt", "", UsageError, "There is no agent 'gpt'; there are: claude, claude-cli, codex, command:PROGRAM"),
        ("gpt", "agents: {mine: {command: cat}}", UsageError, "replay:DIR, mine."),
        ("", "", UsageError, "There is no agent ''"),
        ("claude:opus", "", UsageError, "There is no agent 'claude:opus'"),
        ("mine:x", "agents: {mine: {command: cat}}", UsageError, "There is no agent 'mine:x'"),
        ("command", "", UsageError, "write command:PROGRAM"),
        ("command:", "", UsageError, "write command:PROGRAM"),
        ("command:no-such-program-here", "", MissingToolError, "not here: no-such-program-here"),
        ("mine", "agents: {mine: {command: no-such-program}}", MissingToolError, "The agent 'mine' is a program"),
        ("scripted", "", UsageError, "write scripted:FILE"),
        ("scripted:none.yaml", "", ConfigError, "none.yaml"),
        ("replay:", "", UsageError, "write replay:DIR"),
        ("replay:none", "", UsageError, "none holds no recorded turns"),
        ("mine", "agents: {mine: {command: cat, fallback: ['scripted:none.yaml']}}", ConfigError, "none.yaml"),
        ("claude-cli", "agents: {claude-cli: {program: /no/such}}", ConfigError, "'agents.claude-cli.program' is no"),
    ],
)
def test_what_is_no_agent(name: str, text: str, error: type[RalphError], words: str) -> None:
    with pytest.raises(error) as caught:
        resolve(name, config(text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_client_that_is_not_here_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingToolError, match="npm install"):
        resolve("codex", config())


def test_what_the_file_says_of_an_agent() -> None:
    read = config("agents: {claude: {model: opus}, command: {network: true}}")
    assert entry_of("claude", read).model == "opus"
    assert entry_of("command:cat", read).network
    assert entry_of("codex", read) == AgentEntry()


@pytest.mark.parametrize(
    ("name", "text", "known"),
    [
        ("claude", "", True),
        ("scripted:x.yaml", "", True),
        ("codex", "", False),
        ("codex", "agents: {codex: {prices: {input: 1, output: 2}}}", True),
        ("command:cat", "", False),
        ("command:cat", "agents: {command: {reports_usage: true}}", True),
        ("mine", "agents: {mine: {command: cat}}", False),
        ("claude", "agents: {claude: {fallback: [codex]}}", False),
    ],
)
def test_whose_cost_is_known(name: str, text: str, known: bool) -> None:
    assert knows_its_cost(name, config(text)) == known


@dataclass
class Reporter:
    """Reports what it is given, and says what it got."""

    records: tuple[Record, ...]
    turns: list[Turn] = field(default_factory=list)
    closed: bool = False
    name: str = "reporter"

    def run(self, turn: Turn) -> Iterator[Record]:
        self.turns.append(turn)
        try:
            yield from self.records
        finally:
            self.closed = True


def test_an_agent_as_it_is_configured(tmp_path: Path) -> None:
    used = Usage(input_tokens=1_000_000)
    agent = Reporter((used, End("completed", usage=used)))
    wanted = Configured(agent=agent, model="m", env={"A": "2"}, prices=Prices(input=3, output=1), context_window=5)
    records = list(wanted.run(Turn(prompt="x", workdir=tmp_path, iteration=1, env={"A": "1", "B": "1"})))
    counted = Usage(input_tokens=1_000_000, cost_usd=3.0, context_window=5)
    assert records == [counted, End("completed", usage=counted)]
    assert (agent.turns[0].model, agent.turns[0].env) == ("m", {"A": "2", "B": "1"})
    list(wanted.run(Turn(prompt="x", workdir=tmp_path, iteration=1, model="the hat's")))
    assert agent.turns[1].model == "the hat's"


def test_a_turn_that_is_closed_ends_its_client(tmp_path: Path) -> None:
    agent = Reporter((Text("one"), Text("two")))
    played = Configured(agent=agent).run(Turn(prompt="x", workdir=tmp_path, iteration=1))
    next(played)
    assert not agent.closed
    played.close()  # type: ignore[attr-defined]
    assert agent.closed
