"""One workshop for all tests of a worker."""

from __future__ import annotations

import pytest

from tests.redteam.project import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("workshop"))
