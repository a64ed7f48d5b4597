"""Every test has a configuration folder, a cache and a home of its own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# A shared machine may be slow at any moment; and what CI tests, it tests again the same way. Elsewhere chance looks on.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("here", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Whoever starts the tests in the background has them ignore Ctrl-C, and what they start would inherit that.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # each process started would compile Ralph anew


@pytest.fixture
def config_home(tmp_path: Path) -> Path:
    """Ralph's configuration folder of this test."""
    from ralph.system.places import config_home as place

    return place()
