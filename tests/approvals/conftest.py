from __future__ import annotations

from pathlib import Path

import pytest

from tests.approvals.situation import Situation


@pytest.fixture
def place(tmp_path: Path) -> Situation:
    return Situation(tmp_path / "project")
