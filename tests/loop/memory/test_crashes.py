"""Kill -9 at every moment, a full disk, closed folders: nothing is damaged, and doing it again repairs the rest."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.loop.memory.crashing import REFUSED
from tests.loop.memory.samples import TOP


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def crashing(what: str, base: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.loop.memory.crashing", what, str(base)],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["wrong"] == [], done.stderr
    return answer


def test_killed_at_every_touch_of_a_file(tmp_path: Path) -> None:
    moments = crashing("kill", tmp_path)["moments"]
    assert moments["work"] > 40
    assert moments["chat"] > 10
    assert moments["start_over"] > 8


def test_a_full_disk_is_an_error_of_ours_and_nothing_is_damaged(tmp_path: Path) -> None:
    assert crashing("full", tmp_path)["outcomes"] == [0, REFUSED]


def test_closed_folders_are_an_error_of_ours_and_everything_stays(open_folder: Path) -> None:
    assert crashing("closed", open_folder)["outcomes"] == [REFUSED] * 3
