"""A client that somebody else starts, as a vendor's SDK does: the launcher takes its place, and leaves nobody alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.system.launcher import write_script
from tests.system.commands import PYTHON, eventually, living, noted, script

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")

SOURCE = Path(__file__).parents[2] / "src"
GRANDCHILD = "detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); time.sleep(120)"


def launched(place: Path, *client: str, keep: Iterable[str] | None = None) -> str:
    return str(write_script(place / "it's a client", client, keep=keep, grace_s=0.5))


def with_grandchild(place: Path, line: str) -> str:
    """A client with a daemon that ignores TERM."""
    (place / "pids").touch()
    return f"{script(place, GRANDCHILD)} & while ! [ -s pids ]; do sleep 0.02; done; {line}"


def test_input_output_and_arguments_go_through(tmp_path: Path) -> None:
    client = launched(tmp_path, "sh", "-c", 'cat; echo "$@"; echo err >&2; exit 7', "client")
    ended = subprocess.run([client, "a b", "$c"], input=b"in\0\xff" * 100_000, capture_output=True, timeout=30)
    assert ended.returncode == 7
    assert ended.stdout == b"in\0\xff" * 100_000 + b"a b $c\n"
    assert ended.stderr == b"err\n"


def test_it_speaks_both_ways(tmp_path: Path) -> None:
    client = launched(tmp_path, "cat")
    with subprocess.Popen([client], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for word in (b"one\n", b"two\n"):
            running.stdin.write(word)
            running.stdin.flush()
            assert running.stdout.readline() == word
        running.stdin.close()
        assert running.wait(10) == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", -9), ("kill -TERM $$", -15), ("kill -SEGV $$", -11)],
)
def test_it_ends_as_the_client_did(tmp_path: Path, line: str, code: int) -> None:
    assert subprocess.run([launched(tmp_path, "bash", "-c"), line], timeout=30).returncode == code


def test_a_client_that_is_not_there(tmp_path: Path) -> None:
    ended = subprocess.run([launched(tmp_path, "no-such-client")], capture_output=True, timeout=30)
    assert (ended.returncode, ended.stderr) == (
        127,
        b"no-such-client could not be started: No such file or directory\n",
    )


def test_the_end_of_its_output_is_seen_while_it_stays(tmp_path: Path) -> None:
    client = launched(tmp_path, "sh", "-c", "exec 1>&-; sleep 60")
    with subprocess.Popen([client], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.read() == b""
        running.terminate()


def test_only_what_is_kept_of_the_environment_reaches_the_client(tmp_path: Path) -> None:
    """An SDK hands on all that its process has, a developer's tokens too."""
    env = {"PATH": os.environ["PATH"], "ANTHROPIC_AUTH_TOKEN": "secret", "KEPT": "yes", "PYTHONPATH": "/nowhere"}
    client = launched(tmp_path, "/usr/bin/env", keep=("PATH", "KEPT"))
    ended = subprocess.run([client], env=env, capture_output=True, text=True, timeout=30)
    assert sorted(ended.stdout.splitlines()) == ["KEPT=yes", f"PATH={os.environ['PATH']}"]


@pytest.mark.parametrize(
    ("ending", "line", "code"),
    [
        pytest.param("itself", "exit 0", 0, id="by itself"),
        pytest.param("terminate", "trap 'exit 4' TERM; sleep 120 & wait", 4, id="the SDK asks it to end"),
        pytest.param("terminate", "trap '' TERM; while :; do sleep 1; done", -9, id="it does not want to"),
        pytest.param("interrupt", "trap 'exit 5' TERM; sleep 120 & wait", 5, id="an interrupt"),
        pytest.param("kill", "sleep 120", -9, id="the SDK kills it"),
    ],
)
def test_nobody_outlives_the_client(tmp_path: Path, ending: str, line: str, code: int) -> None:
    client = launched(tmp_path, "bash", "-c", with_grandchild(tmp_path, line))
    with subprocess.Popen([client], cwd=tmp_path) as running:
        assert eventually(lambda: bool(noted(tmp_path)))
        signals = {"terminate": signal.SIGTERM, "interrupt": signal.SIGINT, "kill": signal.SIGKILL}
        if ending in signals:
            eventually(lambda: False, within_s=0.1)
            running.send_signal(signals[ending])
        assert running.wait(20) == code
    assert eventually(lambda: living(noted(tmp_path)) == [])
    assert len(noted(tmp_path)) == 1


def test_nobody_outlives_its_parent(tmp_path: Path) -> None:
    """Ralph is killed while an SDK holds the client."""
    parent = """
        import subprocess, sys
        from pathlib import Path
        from ralph.system.launcher import write_script
        client = write_script(Path("client"), ["bash", "-c", sys.argv[1]], grace_s=0.5)
        subprocess.run([client.absolute()])
    """
    ralph = subprocess.Popen(
        [PYTHON, "-c", textwrap.dedent(parent), with_grandchild(tmp_path, "sleep 120")],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
    )
    assert eventually(lambda: bool(noted(tmp_path)))
    ralph.kill()
    ralph.wait()
    assert eventually(lambda: living(noted(tmp_path)) == [])


def test_it_works_for_the_process_that_made_it_alone(tmp_path: Path) -> None:
    """A process that is no child of Ralph's is ended at once, for nobody would end it later."""
    (tmp_path / "pids").touch()
    client = launched(tmp_path, "bash", "-c", f"{script(tmp_path, 'note(); time.sleep(120)')}")
    subprocess.run(["sh", "-c", f'"{client}" & wait'], cwd=tmp_path, timeout=30)
    assert living(noted(tmp_path)) == []


def test_a_script_that_cannot_be_written() -> None:
    with pytest.raises(StorageError, match="The launcher /proc/no cannot be written"):
        write_script(Path("/proc/no"), ("client",))
