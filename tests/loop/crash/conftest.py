"""Tests here look for what processes have left in a folder for temporary files of their own."""

from __future__ import annotations

import tempfile

import pytest


@pytest.fixture(autouse=True)
def _own_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Place.made` sets it; it is put back."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
