"""The demonstration is the whole arc, for real: a lie, a cheat, and work that deserves its PASS."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ralph.cli.main import run


def test_the_arc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "demo"
    assert run(["demo", str(target)]) == 0
    told = capsys.readouterr().out
    places = [told.index(f"{word}  fairshare") for word in ("FAIL", "BLOCKED", "PASS")]
    assert places == sorted(places)
    assert "failures that the base has too:" in told
    assert "every file, signature and ledger entry holds." in told
    assert run(["audit", "verify", "last", "-C", str(target)]) == 0
    assert run(["audit", "replay", "last", "-C", str(target)]) == 0
    capsys.readouterr()
    assert run(["audit", "list", "--json", "-C", str(target)]) == 0
    listed = json.loads(capsys.readouterr().out)["runs"]
    assert [row["type"] for row in listed] == ["FAIL", "BLOCKED", "PASS"]


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run(["demo", str(tmp_path)]) == 3
    assert "not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
