"""Contracts: what is read, and what a change may not exceed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph import contracts
from ralph.contracts import AutonomyContract, Limits
from ralph.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "lines", "files"), [("bugfix", 100, 5), ("feature", 500, 20), ("refactor", 500, 20), ("docs", 300, 10)]
)
def test_bundled_contracts(name: str, lines: int, files: int) -> None:
    contract = contracts.load(name)
    assert (contract.agent, contract.limits.lines_added, contract.limits.files_changed) == (name, lines, files)


def test_refactor_keeps_the_tests_and_docs_keeps_to_words() -> None:
    assert contracts.load("refactor").controls.test_inventory == "unchanged"
    assert contracts.load("docs").paths == ["*.md", "docs/**"]


@pytest.mark.parametrize(
    ("terms", "change", "words"),
    [
        pytest.param({}, {}, [], id="no limits"),
        pytest.param({"limits": Limits(lines_added=100)}, {"lines_added": 100}, [], id="at the limit"),
        pytest.param({"limits": Limits(lines_added=100)}, {"lines_added": 101}, ["(101)", "(100)"], id="over it"),
        pytest.param({"limits": Limits(lines_added=0)}, {"lines_added": 1}, ["max (0)"], id="zero is a limit"),
        pytest.param({"limits": Limits(files_changed=1)}, {"paths": ["a", "b"]}, ["Files changed (2)"], id="files"),
        pytest.param({"paths": ["*.md", "docs/**"]}, {"paths": ["a/README.md", "docs/x/y.png"]}, [], id="inside paths"),
        pytest.param(
            {"paths": ["*.md"]}, {"paths": ["a.md", "src/a.py", "b.py"]}, ["src/a.py", "1 more"], id="outside"
        ),
        pytest.param({}, {"agent_type": "feature"}, ["'feature'", "'bugfix'"], id="another kind of agent"),
        pytest.param({"sandbox": "landlock"}, {}, ["landlock"], id="a sandbox that is not there"),
    ],
)
def test_breaches(terms: dict[str, object], change: dict[str, object], words: list[str]) -> None:
    contract = AutonomyContract(agent="bugfix", version="1", **terms)  # type: ignore[arg-type]
    facts = {"agent_type": "bugfix", "lines_added": 0, "paths": [], "sandbox_level": "none", **change}
    found = contracts.breaches(contract, **facts)  # type: ignore[arg-type]
    assert len(found) == (1 if words else 0)
    assert all(word in found[0] for word in words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("agent: x", "'version' is missing", id="missing key"),
        pytest.param("agent: x\nversion: '1'\nlimit: {}", "did you mean 'limits'", id="unknown key"),
        pytest.param("agent: x\nversion: '1'\nlimits: {lines_added: -1}", "must not be negative", id="negative"),
        pytest.param("agent: x\nversion: '1'\nlimits: {lines_added: many}", "limits.lines_added", id="not a number"),
        pytest.param("agent: x\nversion: '1'\nlimits: {lines_added: true}", "limits.lines_added", id="a boolean"),
        pytest.param("agent: x\nversion: '1'\nsteps: {lint: {not_applicable: ' '}}", "must say why", id="no reason"),
        pytest.param(
            "agent: x\nversion: '1'\nsteps: {guardrail: {not_applicable: y}}", "steps.guardrail", id="guardrail"
        ),
        pytest.param("agent: x\nagent: y", "twice", id="a key twice"),
        pytest.param("agent: [", "line", id="broken YAML"),
    ],
)
def test_bad_contracts_are_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        contracts.load(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_contract_of_ones_own_stands_before_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = tmp_path / "ralph" / "contracts" / "bugfix.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("agent: bugfix\nversion: '2'\nlimits: {lines_added: 10}")
    assert contracts.load("bugfix").limits.lines_added == 10


def test_unknown_name() -> None:
    with pytest.raises(ConfigError, match="bugfix"):
        contracts.load("nope")
