"""How Claude Code is started: what is offered, what reaches its environment, and which program it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ralph.agents.base import Turn, TurnLimits
from ralph.agents.claude_line import arguments, environment, message, offered, on_path
from ralph.permissions.capabilities import ALL, Capabilities


def only(**wanted: object) -> Capabilities:
    nothing = {"read": False, "write": (), "shell": False, "web": False, "delegate": False, "ask": False}
    return Capabilities(**{**nothing, **wanted})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("capabilities", "tools"),
    [
        pytest.param(only(), (), id="none"),
        pytest.param(only(read=True), ("Read", "Glob", "Grep"), id="read"),
        pytest.param(only(write=None), ("Write", "Edit", "NotebookEdit"), id="write"),
        pytest.param(only(write=("specs",)), ("Write", "Edit", "NotebookEdit"), id="write somewhere"),
        pytest.param(only(shell=True), ("Bash",), id="shell"),
        pytest.param(only(web=True), ("WebSearch", "WebFetch"), id="web"),
        pytest.param(only(delegate=True), ("Agent", "Task"), id="delegate"),
        pytest.param(only(ask=True), (), id="nobody sits at the client"),
    ],
)
def test_what_is_offered(capabilities: Capabilities, tools: tuple[str, ...]) -> None:
    assert offered(capabilities) == (*tools, "TodoWrite")


def turn(**more: object) -> Turn:
    return Turn(**{"prompt": "go", "workdir": Path("/project"), "iteration": 1, **more})  # type: ignore[arg-type]


def test_nothing_of_the_project_or_the_person_is_read() -> None:
    line = arguments(turn())
    assert "--setting-sources=" in line
    assert "--strict-mcp-config" in line
    assert line[line.index("--permission-mode") + 1] == "dontAsk"
    assert "go" not in line


def test_limits_model_and_session_are_passed_on() -> None:
    limits = TurnLimits(steps=3, cost_usd=0.00001)
    line = arguments(turn(limits=limits, model="-x", session="--danger"), mcp_config="{}", settings="s.json")
    assert line[line.index("--max-turns") + 1] == "3"
    assert line[line.index("--max-budget-usd") + 1] == "0.000010"
    assert {"--model=-x", "--resume=--danger"} <= set(line)
    assert line[line.index("--settings") + 1] == "s.json"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PATH", True),
        ("HOME", True),
        ("RALPH_TOKEN", True),
        ("ANTHROPIC_API_KEY", True),
        ("ANTHROPIC_AUTH_TOKEN", True),
        ("ANTHROPIC_BASE_URL", True),
        ("AWS_PROFILE", True),
        ("CLAUDE_CONFIG_DIR", True),
        ("CLAUDE_CODE_OAUTH_TOKEN", True),
        ("CLAUDE_CODE_USE_BEDROCK", True),
        ("CLAUDE_CODE_USE_VERTEX", True),
        ("CLAUDE_CODE_SKIP_BEDROCK_AUTH", True),
        ("CLAUDECODE", False),
        ("CLAUDE_CODE_ENTRYPOINT", False),
        ("CLAUDE_CODE_SESSION_ID", False),
        ("CLAUDE_CODE_SSE_PORT", False),
        ("CLAUDE_CODE_SHELL_PREFIX", False),
        ("CLAUDE_CODE_MANAGED_SETTINGS_PATH", False),
        ("CLAUDE_CODE_EVEN_MORE_DANGEROUSLY_SKIP_PERMISSIONS", False),
        ("CLAUDE_ENV_FILE", False),
        ("CLAUDE_AGENT_SDK_CLIENT_APP", False),
    ],
)
def test_of_a_surrounding_client_only_the_way_to_the_model_is_kept(name: str, kept: bool) -> None:
    assert (name in environment({name: "1"})) == kept


def test_a_person_s_own_number_of_retries_counts_but_nothing_runs_in_the_background() -> None:
    made = environment({"CLAUDE_CODE_MAX_RETRIES": "9", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "0"})
    assert made["CLAUDE_CODE_MAX_RETRIES"] == "9"
    assert made["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] == "1"


def test_ralph_is_never_asked_for_through_a_proxy() -> None:
    made = environment({"HTTPS_PROXY": "http://proxy", "NO_PROXY": "example.org,localhost"})
    assert made["NO_PROXY"] == made["no_proxy"] == "example.org,localhost,127.0.0.1"


def test_a_prompt_is_text_whatever_it_holds() -> None:
    said = json.loads(message("/compact\nhalf \ud800 \0"))
    assert said["client_composed"] is True
    assert said["message"]["content"] == "/compact\nhalf ? \0"


def test_a_client_in_the_project_is_not_taken(tmp_path: Path) -> None:
    """An agent may have put it there: as a file, or by a link from elsewhere."""
    project, elsewhere, own = tmp_path / "project", tmp_path / "links", tmp_path / "bin"
    for folder in (project / "bin", elsewhere, own):
        folder.mkdir(parents=True)
    for program in (project / "bin" / "claude", own / "claude"):
        program.write_text("#!/bin/sh\n")
        program.chmod(0o700)
    (elsewhere / "claude").symlink_to(project / "bin" / "claude")
    path = f"{project}/bin:{elsewhere}:bin:{own}"
    assert on_path(turn(workdir=project, env={"PATH": path})) == own / "claude"
    assert on_path(turn(workdir=project, env={"PATH": f"{project}/bin"})) is None


def test_all_capabilities_offer_every_tool_once() -> None:
    assert len(offered(ALL)) == len(set(offered(ALL))) == 12
