"""The entry in a client's settings: it is put in once, and nothing else is touched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ralph.errors import RalphError
from ralph.hook.settings import CLAUDE_SETTINGS, codex_snippet, command, install


def written(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / CLAUDE_SETTINGS).read_text())
    return found


def given(root: Path, text: str, name: str = "settings.json") -> Path:
    place = root / ".claude" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)
    return place


def test_the_entry_blocks_whatever_goes_wrong(tmp_path: Path) -> None:
    assert install(tmp_path, 3600)
    (entry,) = written(tmp_path)["hooks"]["PreToolUse"]
    (handler,) = entry["hooks"]
    assert entry["matcher"] == "*"
    assert handler["onFailure"] == "block"
    assert handler["timeout"] > 3600
    assert handler["command"] == command("claude", 3600)


def test_it_is_put_in_once(tmp_path: Path) -> None:
    assert install(tmp_path, 3600)
    before = (tmp_path / CLAUDE_SETTINGS).read_bytes()
    assert not install(tmp_path, 3600)
    assert (tmp_path / CLAUDE_SETTINGS).read_bytes() == before


def test_an_older_entry_is_replaced_where_it_stands(tmp_path: Path) -> None:
    old = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/old/python -m ralph hook claude"}]}
    other = {"matcher": "Write", "hooks": [{"type": "command", "command": "mine"}]}
    given(tmp_path, json.dumps({"hooks": {"PreToolUse": [old, other, old]}}))
    assert install(tmp_path, 60)
    first, second = written(tmp_path)["hooks"]["PreToolUse"]
    assert first["hooks"][0]["command"] == command("claude", 60)
    assert second == other


def test_everything_else_stays_and_keeps_its_order(tmp_path: Path) -> None:
    own = {"model": "x", "hooks": {"Stop": [1], "PreToolUse": []}, "permissions": {"allow": ["é"]}, "a": None}
    given(tmp_path, json.dumps(own))
    install(tmp_path, 60)
    found = written(tmp_path)
    assert list(found) == list(own)
    assert found.pop("hooks")["Stop"] == [1]
    assert found == {key: value for key, value in own.items() if key != "hooks"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{", id="not JSON"),
        pytest.param("[]", id="a list"),
        pytest.param('{"a": 1, "a": 2}', id="a key that stands twice"),
        pytest.param('{"hooks": []}', id="hooks that are a list"),
        pytest.param('{"hooks": {"PreToolUse": {}}}', id="entries that are no list"),
        pytest.param('{"disableAllHooks": true}', id="hooks switched off"),
    ],
)
def test_what_cannot_be_merged_is_left_alone(tmp_path: Path, text: str) -> None:
    place = given(tmp_path, text)
    with pytest.raises(RalphError) as error:
        install(tmp_path, 60)
    assert str(error.value).endswith(".")
    assert place.read_text() == text


def test_hooks_switched_off_in_the_local_file_are_an_error_too(tmp_path: Path) -> None:
    given(tmp_path, '{"disableAllHooks": true}', "settings.local.json")
    with pytest.raises(RalphError, match="disableAllHooks"):
        install(tmp_path, 60)


def test_the_snippet_for_codex_names_the_event_that_proves_it_is_there() -> None:
    hooks = json.loads(codex_snippet(60))["hooks"]
    assert set(hooks) == {"SessionStart", "PreToolUse"}
    assert all(entry[0]["hooks"][0]["command"] == command("codex", 60) for entry in hooks.values())


def test_a_hook_that_cannot_even_start_denies(tmp_path: Path) -> None:
    """Both clients give the command to a shell, and take exit code 2 for a denial."""
    line = command("codex", 60).replace(sys.executable, "/no/such/python")
    assert subprocess.run(["/bin/sh", "-c", line], capture_output=True, cwd=tmp_path).returncode == 2
