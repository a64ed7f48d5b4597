"""Every test has a configuration folder, a cache and a home of its own."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
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


LONGEST = (
    "fleet/test_load",
    "loop/crash/test_killed_everywhere",
    "loop/crash/test_killed_at_random",
    "fleet/test_runs",
    "web/test_browser",
    "clients/test_run_claude",
    "loop/crash/test_full_disk",
    "engine/test_killed",
    "checkpoints/test_crash_points",
    "clients/test_run_codex",
    "cli/test_demo",
    "clients/test_claude",
    "cli/test_tutorial",
    "tools/test_schemas",
    "telemetry/test_otel",
    "checkpoints/test_nothing_is_lost",
)
"""Files with tests of more than ten seconds, the slowest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest begin first: whoever begins one last has all others wait.

    Tests are given out in as many equal parts as there are workers, so each part begins with some of these files.
    """
    files = {f"tests/{name}.py": list[pytest.Item]() for name in LONGEST}
    others = list[pytest.Item]()
    for item in items:
        files.get(item.nodeid.partition("::")[0], others).append(item)
    parts, rest, ordered = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")), iter(others), list[pytest.Item]()
    for number in range(parts):
        end = len(ordered) + (len(items) - len(ordered)) // (parts - number)
        ordered += itertools.chain.from_iterable(list(files.values())[number::parts])
        ordered += itertools.islice(rest, max(0, end - len(ordered)))
    items[:] = [*ordered, *rest]


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for all tests. `mktemp` lists what is there each time, which for thousands of tests takes minutes."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_places(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    home = next(_homes)
    home.mkdir()
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
