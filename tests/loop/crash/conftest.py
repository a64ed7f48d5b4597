"""Tests here look for what processes have left in a folder for temporary files of their own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _own_temporary() -> Iterator[None]:
    """`Place.made` sets it, for fixtures of a whole module too; it is put back behind the last of them."""
    before = tempfile.tempdir
    yield
    tempfile.tempdir = before
