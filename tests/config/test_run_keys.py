"""The keys of `ralph run`: what they may say, and that one says nothing about another."""

from __future__ import annotations

import pytest

from ralph.config import Config, parse_config
from ralph.config.run import (
    AgentEntry,
    BreakerEntry,
    CostLimits,
    PhaseEntry,
    Phases,
    PriceEntry,
    RunLimits,
    SandboxEntry,
)
from ralph.errors import ConfigError
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.inputs import PhaseSettings
from ralph.loop.settings import limits_of, settings_of

FULL = """
cost_limits: {per_iteration: 0.5, per_session: 10, total: null}
limits: {iterations: 7, runtime_s: 60.5, tokens: 1000000}
breaker: {failures: 1, stagnation: 2, cooldown_s: 0.5}
phases:
  planning: {max_iterations: 3}
  validation: {require_human_approval: true}
agents:
  claude:
    model: opus
    program: ~/bin/claude
    wait_for_rate_limits: false
  cheap:
    kind: claude
    model: haiku
    fallback: [claude, codex, "scripted:plan b.yaml"]
  mine:
    command: my-agent --quiet "two words"
    env: {API_BASE: "http://127.0.0.1:1"}
    prices: {input: 3, output: 15, cache_read: 0}
    context_window: 32000
    network: true
    reports_usage: true
    readable: [~/.my-agent]
sandbox: {required: landlock}
"""


def read(text: str) -> Config:
    return parse_config(text.encode(), "ralph.yml")


def test_every_key() -> None:
    config = read(FULL)
    assert config.cost_limits == CostLimits(per_iteration=0.5, per_session=10, total=None)
    assert config.limits == RunLimits(iterations=7, runtime_s=60.5, tokens=1_000_000)
    assert config.breaker == BreakerEntry(failures=1, stagnation=2, cooldown_s=0.5)
    assert config.sandbox == SandboxEntry(required="landlock")
    assert config.agents == {
        "claude": AgentEntry(model="opus", program="~/bin/claude", wait_for_rate_limits=False),
        "cheap": AgentEntry(kind="claude", model="haiku", fallback=("claude", "codex", "scripted:plan b.yaml")),
        "mine": AgentEntry(
            command='my-agent --quiet "two words"',
            env={"API_BASE": "http://127.0.0.1:1"},
            prices=PriceEntry(input=3, output=15, cache_read=0),
            context_window=32_000,
            network=True,
            reports_usage=True,
            readable=("~/.my-agent",),
        ),
    }


def test_the_defaults_are_those_of_the_specification() -> None:
    """They once were 10 and 100 dollars, under another name in another file, and the ones written here were ignored."""
    assert Config().cost_limits == CostLimits(per_iteration=2.0, per_session=50.0, total=200.0)
    assert Config().limits == RunLimits(iterations=100, runtime_s=14_400, tokens=None)
    assert Config().breaker == BreakerEntry(failures=3, stagnation=5, cooldown_s=300)
    assert limits_of(Config()) == Limits()
    settings = settings_of(Config(), AgentEntry(), Limits())
    assert settings.breaker == BreakerSettings()
    assert settings.phases == dict.fromkeys(("discovery", "planning", "building", "validation"), PhaseSettings())


@pytest.mark.parametrize(
    "text",
    [
        "phases: {building: {max_iterations: 5}}",
        "phases: {validation: {max_iterations: 5}}",
        "phases: {validation: {}}",
        "phases: {}",
    ],
)
def test_one_key_of_a_phase_changes_no_other(text: str) -> None:
    """Any key of the validation once turned a person's approval off, and one of building took its checks away."""
    phases = read(text).phases
    assert [each.require_human_approval for each in (phases.building, phases.validation)] == [False, False]
    asked = read("phases: {validation: {require_human_approval: true}, building: {max_iterations: 5}}").phases
    assert asked == Phases(building=PhaseEntry(max_iterations=5), validation=PhaseEntry(require_human_approval=True))


@pytest.mark.parametrize(
    ("text", "one"),
    [("cost_limits: {per_iteration: 1}", CostLimits(per_iteration=1)), ("cost_limits: {}", CostLimits())],
)
def test_one_limit_leaves_the_others(text: str, one: CostLimits) -> None:
    assert read(text).cost_limits == one


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("safety: {cost_limits: {total: 1}}", "unknown key 'safety'"),
        ("cost_limits: {per_turn: 1}", "unknown key 'cost_limits.per_turn'"),
        ("cost_limits: null", "'cost_limits' must be a mapping"),
        ("cost_limits: [1]", "'cost_limits' must be a mapping"),
        ("cost_limits: {total: 0}", "'cost_limits.total' must be more than 0, but is 0; for no limit write null"),
        ("cost_limits: {total: -5.5}", "'cost_limits.total' must be more than 0, but is -5.5"),
        ("cost_limits: {total: .nan}", "'cost_limits.total'"),
        ("cost_limits: {total: .inf}", "'cost_limits.total'"),
        ("cost_limits: {total: '5'}", "'cost_limits.total' must be a number"),
        ("cost_limits: {total: true}", "'cost_limits.total' must be a number"),
        ("limits: {iterations: 1.5}", "'limits.iterations' must be a whole number"),
        ("limits: {tokens: -1}", "'limits.tokens' must be more than 0"),
        ("limits: {time: 5}", "unknown key 'limits.time'"),
        ("breaker: {failures: 0}", "'breaker.failures' must be more than 0, but is 0."),
        ("breaker: {failures: null}", "'breaker.failures' must be a whole number"),
        ("breaker: {cooldown_s: -1}", "'breaker.cooldown_s' must be more than 0"),
        ("phases: null", "'phases' must be a mapping"),
        ("phases: {build: {}}", "unknown key 'phases.build'; did you mean 'building'?"),
        ("phases: {building: null}", "'phases.building' must be a mapping"),
        ("phases: {building: {max_iterations: 0}}", "'phases.building.max_iterations' must be more than 0"),
        ("phases: {building: {backpressure: []}}", "unknown key 'phases.building.backpressure'"),
        ("phases: {building: {require_human_approval: 1}}", "must be true or false"),
        ("agents: {mine: {}}", "'agents.mine' has neither a kind ("),
        ("agents: {mine: {kind: gpt}}", "'agents.mine.kind' must be 'claude' or"),
        ("agents: {claude: {kind: codex}}", "'agents.claude.kind' must be 'claude', but is 'codex'"),
        ("agents: {mine: {kind: command}}", "'agents.mine.command' is missing"),
        (
            "agents: {mine: {kind: claude, command: x}}",
            "'agents.mine.command' does nothing for an agent of the kind claude",
        ),
        ("agents: {claude: {command: x}}", "'agents.claude.command' does nothing"),
        ("agents: {claude: {network: true}}", "'agents.claude.network' does nothing"),
        ("agents: {mine: {command: x, program: y}}", "'agents.mine.program' does nothing"),
        ("agents: {claude: {model: ' '}}", "'agents.claude.model' is empty"),
        ("agents: {mine: {command: x, writable: [cache]}}", "must list paths that begin with / or ~/, but has 'cache'"),
        ("agents: {scripted: {model: x}}", "'agents.scripted' cannot be configured: write scripted:PLACE"),
        ("agents: {mine: {kind: replay}}", "'agents.mine' cannot be configured: write replay:PLACE"),
        ("agents: {mine: {command: ''}}", "must be a program and its arguments, but is ''"),
        ("agents: {mine: {command: 'a \"b'}}", "must be a program and its arguments"),
        ("agents: {mine: {command: x, context_window: 0}}", "'agents.mine.context_window' must be more than 0"),
        ("agents: {mine: {command: x, env: {'A=B': x}}}", "'agents.mine.env.A=B' is no variable"),
        ("agents: {mine: {command: x, env: {A: 1}}}", "'agents.mine.env.A' must be text"),
        ("agents: {mine: {command: x, prices: {input: 1}}}", "the key 'agents.mine.prices.output' is missing"),
        (
            "agents: {mine: {command: x, prices: {input: -1, output: 1}}}",
            "'agents.mine.prices.input' must be at least 0",
        ),
        ("agents: {mine: {command: x, prices: {input: .nan, output: 1}}}", "'agents.mine.prices.input'"),
        ("agents: {mine: {command: x, fallback: [mine]}}", "'agents.mine.fallback' names mine itself"),
        (
            "agents: {mine: {command: x, fallback: [other]}}",
            "names 'other', which is no agent; there are: mine, claude",
        ),
        ("agents: {'a b': {command: x}}", "'agents.a b' is no name of an agent"),
        ("agents: {'a:b': {command: x}}", "is no name of an agent"),
        ("sandbox: {required: firejail}", "'sandbox.required' must be 'none' or 'landlock' or 'bubblewrap'"),
        ("sandbox: landlock", "'sandbox' must be a mapping"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    """Broken and unknown settings once became defaults without a word, and an empty section a traceback."""
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert words in str(caught.value)
    assert str(caught.value).startswith("ralph.yml: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("RALPH_MAX_ITERATIONS", "many"), ("RALPH_MAX_COST_USD", "9999"), ("RALPH_PRIMARY_MODEL", "other")],
)
def test_the_environment_sets_no_limit(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken number in a variable was once a traceback; what limits a run stands in one place."""
    monkeypatch.setenv(variable, value)
    assert read("limits: {iterations: 5}") == Config(limits=RunLimits(iterations=5))


def test_the_command_line_replaces_a_limit_and_no_other() -> None:
    config = read("limits: {iterations: 5, tokens: 6}\ncost_limits: {total: null}")
    assert limits_of(config, iterations=9) == Limits(tokens=6, iterations=9, total_usd=None)
    assert limits_of(config, cost_usd=1.5).total_usd == 1.5
    assert limits_of(config).total_usd is None


def test_what_holds_for_a_run() -> None:
    config = read(FULL)
    settings = settings_of(config, config.agents["claude"], limits_of(config), rollback=False)
    assert (settings.wait_for_limits, settings.rollback, settings.context_window) == (False, False, 200_000)
    assert settings.phases["planning"] == PhaseSettings(iterations=3)
    assert settings.phases["validation"] == PhaseSettings(approval=True)
    assert settings.breaker == BreakerSettings(failures=1, stagnation=2, cooldown_s=0.5)
