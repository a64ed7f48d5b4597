"""A world for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import harness


@pytest.fixture
def bare_world(tmp_path: Path) -> Iterator[harness.World]:
    """An empty repository."""
    with harness.bare_world(tmp_path) as made:
        yield made


@pytest.fixture
def world(tmp_path: Path) -> Iterator[harness.World]:
    with harness.world(tmp_path) as made:
        yield made
