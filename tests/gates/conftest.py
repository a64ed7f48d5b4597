from __future__ import annotations

from pathlib import Path

import pytest

from tests.gates.workplace import Workplace


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace.at(tmp_path)
