"""The level of this machine is what it was seen to enforce."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ralph.permissions.sandbox import landlock
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.probe import Attack, Probe, Trial, attempt, enforced_level, probe
from ralph.system.places import cache_home
from tests.sandbox.world import NOBODY, SOURCE, interpreter

needs_bubblewrap = pytest.mark.skipif(not shutil.which("bwrap"), reason="this machine has no bubblewrap")


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "ralph").mkdir(parents=True)
    (tmp_path / "config" / "ralph" / "key").write_text("secret")


@needs_bubblewrap
def test_bubblewrap_holds() -> None:
    trial = attempt(Level.BUBBLEWRAP)
    assert (trial.trouble, [each.name for each in trial.attacks if not each.refusal]) == (None, [])
    assert trial.holds


@pytest.mark.skipif(not landlock.available(), reason="this kernel has no Landlock")
def test_landlock_holds() -> None:
    trial = attempt(Level.LANDLOCK)
    assert (trial.trouble, [each.name for each in trial.attacks if not each.refusal]) == (None, [])


def test_without_a_sandbox_attacks_succeed() -> None:
    """The attacks are real: each of these reaches what it is after when nothing is in its way."""
    trial = attempt(Level.NONE)
    done = {each.name for each in trial.attacks if not each.refusal}
    assert {
        *("read a denied file", "read a denied file through /proc", "read Ralph's keys", "write a protected file"),
        *("write outside of the project", "replace a protected folder", "connect to a local server"),
        *("connect to a unix socket", "connect to an abstract socket", "signal a process outside"),
        "read a process's environment",
    } <= done
    assert not trial.holds


@pytest.mark.parametrize(
    ("trial", "holds"),
    [
        (Trial(level=Level.LANDLOCK, attacks=(Attack("a", "EPERM"), Attack("b", "EACCES"))), True),
        (Trial(level=Level.LANDLOCK, attacks=(Attack("a", "EPERM"), Attack("b", None))), False),
        (Trial(level=Level.LANDLOCK, attacks=()), False),
        (Trial(level=Level.LANDLOCK, attacks=(Attack("a", "EPERM"),), trouble="it could not write"), False),
    ],
    ids=["all refused", "one succeeded", "nothing tried", "no work possible"],
)
def test_when_a_level_holds(trial: Trial, holds: bool) -> None:
    assert trial.holds is holds


@needs_bubblewrap
def test_it_is_remembered_for_this_boot() -> None:
    assert enforced_level() is Level.BUBBLEWRAP
    file = cache_home() / "sandbox.json"
    known = json.loads(file.read_text())
    file.write_text(json.dumps({**known, "level": "landlock"}))
    assert enforced_level() is Level.LANDLOCK
    forgeries: list[object] = [
        {**known, "level": "none"},
        {**known, "key": "another boot"},
        {**known, "level": "all"},
        [],
        7,
    ]
    for forged in forgeries:
        file.write_text(json.dumps(forged))
        assert enforced_level() is Level.BUBBLEWRAP
    file.write_text("{")
    assert enforced_level() is Level.BUBBLEWRAP


@needs_bubblewrap
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_as_an_ordinary_user(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from ralph.permissions.sandbox.probe import *\n"
        "found = probe(); print(found.level, [t.trouble for t in found.trials])"
    )
    home = Path(f"/tmp/ralph-home-{os.getpid()}")
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    try:
        done = subprocess.run(
            [interpreter(NOBODY), "-c", program, str(SOURCE)],
            env={"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        shutil.rmtree(home)
    assert (done.stdout, done.stderr) == ("bubblewrap [None]\n", "")


def test_the_strongest_level_that_holds() -> None:
    found = probe()
    assert isinstance(found, Probe)
    assert found.level in {each.level for each in found.trials if each.holds} or found.level is Level.NONE


def test_it_needs_nothing_of_the_interpreter_that_runs_it() -> None:
    """The probe's own program is run with `-I -S`: it must not need Ralph to be importable."""
    source = (SOURCE / "ralph/permissions/sandbox/attacks.py").read_text()
    assert "import ralph" not in source
    assert "from ralph" not in source
    assert subprocess.run([sys.executable, "-I", "-S", "-c", source], capture_output=True, check=False).returncode == 1


def test_a_deep_folder_for_temporary_files_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*["a" * 60] * 3)
    deep.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    (attack,) = [each for each in attempt(probe().level).attacks if each.name == "connect to a unix socket"]
    assert attack.refusal
    assert "too long" not in attack.refusal
