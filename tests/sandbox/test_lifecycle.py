"""What bubblewrap leaves behind (no process, no placeholder), and what it says when it cannot work."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from ralph.errors import SandboxUnavailable, StorageError
from ralph.permissions.sandbox import placeholders
from ralph.permissions.sandbox.confine import require, run_confined
from ralph.permissions.sandbox.model import Ceilings, Level, Walls
from ralph.permissions.sandbox.placeholders import standing
from ralph.system.places import cache_home
from ralph.system.process import Command, Ended
from tests.processes import running

pytestmark = pytest.mark.skipif(not shutil.which("bwrap"), reason="this machine has no bubblewrap")

SOURCE = Path(__file__).resolve().parents[2] / "src"
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
FORK_2000 = """
import os, time
for _ in range(2000):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(100)
        os._exit(0)
    os.wait()
print("STARTED")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    yield root
    assert list((cache_home() / "placeholders").glob("*.json*")) == []


def run(project: Path, line: str | tuple[str, ...], **walls: object) -> Ended:
    command = Command(line=line, cwd=project, env={}, log=project.parent / "log", timeout_s=120, grace_s=0.1)
    whole = Walls(root=project, **{"environment": ENVIRONMENT, "writable": (project,)} | walls)  # type: ignore[arg-type]
    return run_confined(command, whole, Level.BUBBLEWRAP)


def living(mark: str) -> int:
    """How many processes have this in their command line."""
    return len(running(mark.encode()))


def test_nothing_outlives_it(project: Path) -> None:
    script = project / f"swarm-{os.getpid()}.py"
    script.write_text(FORK_2000)
    ended = run(project, f"/usr/bin/python3 {script.name}", ceilings=Ceilings(processes=3000))
    assert (ended.output, ended.trouble) == ("STARTED\n", None)
    assert living(script.name) == 0


def test_a_fork_bomb_is_held(project: Path) -> None:
    script = project / f"bomb-{os.getpid()}.py"
    script.write_text(FORK_2000)
    ended = run(project, f"/usr/bin/python3 {script.name}", ceilings=Ceilings(processes=60))
    assert "BlockingIOError" in ended.output
    assert living(script.name) == 0


def test_a_memory_bomb_is_held(project: Path) -> None:
    line = "/usr/bin/python3 -c 'x = bytearray(600 << 20)'"
    assert "MemoryError" in run(project, line, ceilings=Ceilings(memory_bytes=256 << 20)).output


def test_a_file_is_not_larger_than_allowed(project: Path) -> None:
    ended = run(project, "head -c 3000000 /dev/zero > big; ls", ceilings=Ceilings(file_bytes=1 << 20))
    assert (project / "big").stat().st_size <= 1 << 20, ended.output


def test_it_ends_at_its_time_limit(project: Path) -> None:
    command = Command(
        line="trap '' TERM; setsid sleep 77 & sleep 77",
        cwd=project,
        env={},
        log=project.parent / "log",
        timeout_s=0.5,
        grace_s=0.1,
    )
    ended = run_confined(command, Walls(root=project, environment=ENVIRONMENT), Level.BUBBLEWRAP)
    assert (ended.timed_out, ended.trouble) == (True, None)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("exit 7", 7),
        (("/nonexistent",), 127),
        (("/etc/passwd",), 126),
        ("kill -SEGV $$", 139),
        ("no-such-program", 127),
    ],
)
def test_exit_codes_come_through(project: Path, line: str | tuple[str, ...], code: int) -> None:
    ended = run(project, line)
    assert (ended.exit_code, ended.trouble) == (code, None)


def test_a_sandbox_that_cannot_be_set_up_is_no_result(project: Path) -> None:
    command = Command(line="true", cwd=project / "missing", env={}, log=project.parent / "log")
    ended = run_confined(command, Walls(root=project, environment=ENVIRONMENT), Level.BUBBLEWRAP)
    assert ended.exit_code is None
    assert "could not be set up" in (ended.trouble or "")


def test_the_environment_is_that_of_the_walls(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    output = run(project, ("/usr/bin/env",), environment={"PATH": "/usr/bin:/bin", "GIVEN": "yes"}).output
    assert dict(line.split("=", 1) for line in output.splitlines()).keys() == {"PATH", "GIVEN", "HOME", "TMPDIR", "PWD"}


def test_missing_protected_paths_leave_no_litter(project: Path) -> None:
    kept = (project / ".claude", project / "a" / "b" / "ledger")
    line = "touch .claude/x a/b/ledger/x; mkdir .claude; mv a c; rmdir .claude a/b/ledger; ls -A"
    ended = run(project, line, read_only=kept)
    assert ended.output.splitlines()[-2:] == [".claude", "a"]
    assert list(project.iterdir()) == []


def test_what_somebody_put_there_meanwhile_stays(project: Path) -> None:
    place = project / ".claude"
    with standing([str(place)]):
        (place / "settings.json").write_text("{}")
    assert (place / "settings.json").read_text() == "{}"


def test_two_commands_share_a_placeholder(project: Path) -> None:
    place = project / ".claude"
    with standing([str(place)]):
        with standing([str(place)]):
            assert place.is_dir()
        assert place.is_dir()
    assert not place.exists()


def test_a_planted_link_is_not_followed(project: Path) -> None:
    outside = project.parent / "outside"
    (outside / "b").mkdir(parents=True)
    with standing([str(project / "a" / "b")]):
        (project / "a" / "b").rmdir()
        (project / "a").rmdir()
        (project / "a").symlink_to(outside)
    assert (outside / "b").is_dir()
    with pytest.raises(SandboxUnavailable, match="symbolic link"):
        run(project, "true", read_only=(project / "a" / "b",))
    (project / "a").unlink()


def test_a_folder_exchanged_for_a_link_meanwhile(project: Path) -> None:
    """Another command of the agent, which may write the project, tries to have us mount what lies outside."""
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "src").mkdir()
    over = threading.Event()

    def exchange() -> None:
        source, real = project / "src", project / "real"
        moves = (
            lambda: source.rename(real),
            lambda: source.symlink_to(outside),
            lambda: source.unlink(),
            lambda: real.rename(source),
        )
        while not over.is_set():
            for move in moves:
                with suppress(OSError):  # a placeholder stood there
                    move()

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        for _ in range(20):
            with suppress(SandboxUnavailable, StorageError):
                run(project, "echo x > src/file", writable=(project / "src",), read_only=(project / "src" / "kept",))
    finally:
        over.set()
        thread.join()
    assert list(outside.iterdir()) == []


def test_a_kill_leaves_nothing_that_the_next_command_does_not_remove(project: Path) -> None:
    kill = "import os, sys; from ralph.permissions.sandbox.placeholders import standing\n"
    kill += "with standing([sys.argv[1]]): os.kill(os.getpid(), 9)"
    place = project / "x" / ".claude"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    killed = subprocess.run([sys.executable, "-c", kill, str(place)], env=environment, check=False)
    assert (killed.returncode, place.is_dir()) == (-signal.SIGKILL, True)
    assert run(project, "true").exit_code == 0
    assert list(project.iterdir()) == []


def test_everything_ends_with_the_process_that_asked(project: Path) -> None:
    mark = f"7{os.getpid()}"
    program = (
        "import json, sys; from pathlib import Path; from ralph.system.process import Command\n"
        "from ralph.permissions.sandbox.confine import run_confined; from ralph.permissions.sandbox.model import *\n"
        "root = Path(sys.argv[1]); env = json.loads(sys.argv[2])\n"
        "line = f'setsid sleep {sys.argv[3]} & sleep {sys.argv[3]}'\n"
        "command = Command(line=line, cwd=root, env={}, log=root / 'log')\n"
        "run_confined(command, Walls(root=root, environment=env), Level.BUBBLEWRAP)"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    arguments = [sys.executable, "-c", program, str(project), json.dumps(ENVIRONMENT), mark]
    asking = subprocess.Popen(arguments, env=environment)
    wait_until(lambda: living(f"sleep\0{mark}") == 2)
    asking.kill()
    asking.wait()
    wait_until(lambda: living(f"sleep\0{mark}") == 0)


def wait_until(true: object, limit_s: float = 10.0) -> None:
    assert callable(true)
    limit = time.monotonic() + limit_s
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("enforced", "demanded", "fine"),
    [
        (Level.BUBBLEWRAP, Level.LANDLOCK, True),
        (Level.LANDLOCK, Level.LANDLOCK, True),
        (Level.LANDLOCK, Level.BUBBLEWRAP, False),
        (Level.NONE, Level.LANDLOCK, False),
        (Level.NONE, Level.NONE, True),
    ],
)
def test_a_demanded_level_is_never_replaced(enforced: Level, demanded: Level, fine: bool) -> None:
    if fine:
        require(enforced, demanded)
        return
    with pytest.raises(SandboxUnavailable, match=f"{demanded} is demanded") as raised:
        require(enforced, demanded)
    assert raised.value.exit_code == 2


def test_a_placeholder_stands_as_long_as_any_command_needs_it(tmp_path: Path) -> None:
    """Commands that come and go at the same time: one's end must not take away what another has just seen."""
    place = tmp_path / "project" / "state" / "missing"
    place.parent.parent.mkdir()

    def come_and_go(number: int) -> bool:
        stood = True
        for _ in range(60):
            with placeholders.standing([str(place)]):
                stood = stood and place.is_dir()
        return stood

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(come_and_go, range(4)))
    assert not place.parent.exists()
