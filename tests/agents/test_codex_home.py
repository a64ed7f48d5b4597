"""What of a person's own Codex settings counts in a run, and what Ralph adds."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Turn
from ralph.agents.codex_home import environment, prepare
from ralph.errors import ConfigError
from ralph.hook.court import TurnCourt
from ralph.mcp.serve import Address
from ralph.permissions.capabilities import Capabilities
from tests.hook.workshop import governed, seat

TOOLS = Address(url="http://127.0.0.1:4711/mcp", token="the-token")
PROVIDER = """
model = "big"
model_provider = "house"
[model_providers.house]
name = "House"
base_url = "https://models.example.com/v1"
env_key = "HOUSE_KEY"
query_params = { version = "1" }
"""


@pytest.fixture
def court(tmp_path: Path) -> TurnCourt:
    return seat(governed(tmp_path / 'pro"ject', {"a": ""}), client="codex")


def written(court: TurnCourt, theirs: str | None, **more: Any) -> dict[str, Any]:
    """The settings that Codex gets for a turn of a person with these."""
    person = court.root.parent / "person"
    (person / ".codex").mkdir(parents=True, exist_ok=True)
    if theirs is not None:
        (person / ".codex" / "config.toml").write_text(theirs)
    turn = Turn(prompt="", workdir=court.root, iteration=1, env={"HOME": str(person)}, folder=court.folder)
    home = court.folder.parent.parent / "codex"
    prepare(home, replace(turn, **more), court, TOOLS)
    return tomllib.loads((home / "config.toml").read_text())


def test_the_model_is_the_person_s_and_the_law_is_ralph_s(court: TurnCourt) -> None:
    theirs = 'approval_policy = "on-request"\nsandbox_mode = "read-only"\nnotify = ["touch", "/tmp/x"]\n' + PROVIDER
    theirs += '[mcp_servers.own]\ncommand = "x"\n[projects."/"]\ntrust_level = "trusted"\n[features]\nhooks = false\n'
    found = written(court, theirs)
    assert found["model"] == "big"
    assert found["model_providers"]["house"]["query_params"] == {"version": "1"}
    assert found["approval_policy"] == "never"
    assert found["features"]["hooks"] is True
    assert found["features"]["multi_agent"] is False
    assert found["web_search"] == "disabled"
    assert list(found["mcp_servers"]) == ["ralph"]
    assert found["mcp_servers"]["ralph"]["required"] is True
    assert found["projects"] == {str(court.root): {"trust_level": "untrusted"}}
    assert "notify" not in found


def test_the_turn_s_model_counts_before_the_person_s(court: TurnCourt) -> None:
    assert written(court, PROVIDER, model="small")["model"] == "small"


def test_a_person_without_settings(court: TurnCourt) -> None:
    assert "model" not in written(court, None)


@pytest.mark.parametrize(
    "line", ['experimental_bearer_token = "s3cret"', 'http_headers = { Authorization = "s3cret" }']
)
def test_a_secret_is_not_copied(court: TurnCourt, line: str) -> None:
    with pytest.raises(ConfigError, match="holds a secret") as caught:
        written(court, f"{PROVIDER}{line}\n")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("text", ["model = ", "\0"])
def test_settings_that_cannot_be_read(court: TurnCourt, text: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        written(court, text)


def test_a_shell_is_offered_where_something_may_be_read(court: TurnCourt) -> None:
    assert written(court, None, capabilities=Capabilities(shell=False))["features"]["shell_tool"] is True
    closed = written(court, None, capabilities=Capabilities(shell=False, read=False))
    assert closed["features"]["shell_tool"] is False
    assert closed["sandbox_mode"] == "workspace-write"


def test_the_hook_belongs_to_the_home_and_the_token_to_no_file(court: TurnCourt) -> None:
    written(court, None)
    home = court.folder.parent.parent / "codex"
    hooks = json.loads((home / "hooks.json").read_text())["hooks"]
    assert set(hooks) == {"SessionStart", "PreToolUse"}
    assert "ralph hook codex" in hooks["PreToolUse"][0]["hooks"][0]["command"]
    assert not [path for path in home.rglob("*") if path.is_file() and TOOLS.token in path.read_text()]


def test_the_environment(court: TurnCourt, tmp_path: Path) -> None:
    env = {
        "CODEX_HOME": "/theirs",
        "CODEX_SANDBOX": "seatbelt",
        "CODEX_API_KEY": "key",
        "NO_PROXY": "a.example",
        "A": "b",
    }
    turn = Turn(prompt="", workdir=court.root, iteration=1, env=env)
    found = environment(turn, court, Path("/home"), TOOLS, tmp_path)
    assert found["CODEX_HOME"] == "/home"
    assert found["CODEX_API_KEY"] == "key"
    assert found["A"] == "b"
    assert found["NO_PROXY"] == "a.example,127.0.0.1,localhost"
    assert found["RALPH_TURN"] == str(court.folder)
    assert "CODEX_SANDBOX" not in found
