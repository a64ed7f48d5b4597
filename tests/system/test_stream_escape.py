"""Ways for a client's processes to outlive it, or Ralph, each of which has to fail.

Claude Code's tool shells are leaders of sessions of their own: killing the client's process group misses them.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial
from pathlib import Path

import pytest

from ralph.system.stream import start
from tests.system.commands import PYTHON, command, eventually, living, noted, script
from tests.system.test_process_escape import ESCAPES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")

SOURCE = Path(__file__).parents[2] / "src"
TOOL_SHELLS = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid(); note()
            if os.fork() == 0: os.setsid(); note()
            time.sleep(120)
    note(); print('ready', flush=True); time.sleep(120)
"""
RALPH = """
    import os, sys
    from pathlib import Path
    from ralph.system.process import Command
    from ralph.system.stream import start

    command = Command(line=sys.argv[1], cwd=Path.cwd(), env={"PATH": os.environ["PATH"]}, log=Path("log"), grace_s=0.2)
    while True:
        with start(command) as running:
            for line in running.lines():
                print(line, flush=True)
"""


@pytest.mark.parametrize("body", ESCAPES.values(), ids=ESCAPES.keys())
def test_nobody_outlives_the_client(tmp_path: Path, body: str) -> None:
    (tmp_path / "pids").touch()
    line = f"{script(tmp_path, body)} & while ! [ -s pids ]; do sleep 0.02; done; sleep 0.1; echo over"
    with start(command(tmp_path, line)) as running:
        assert b"over" in [each.data for each in running.lines() if each]
    assert running.ended is not None
    assert (running.ended.exit_code, running.ended.trouble) == (0, None)
    assert noted(tmp_path)
    assert living(noted(tmp_path)) == []


@pytest.mark.parametrize("how", ["stop", "leave", "kill the client"])
def test_tool_shells_end_with_the_client(tmp_path: Path, how: str) -> None:
    with start(command(tmp_path, f"exec {script(tmp_path, TOOL_SHELLS)}")) as running:
        assert eventually(lambda: len(noted(tmp_path)) == 7)
        match how:
            case "stop":
                running.stop()
                assert list(filter(None, running.lines()))
            case "kill the client":
                os.kill(_top(noted(tmp_path)), signal.SIGKILL)
                list(running.lines())
    assert running.ended is not None
    assert living(noted(tmp_path)) == []


def _top(pids: list[int]) -> int:
    """The one of them whose parent is none of them."""
    parents = {pid: int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) for pid in pids}
    return next(pid for pid in pids if parents[pid] not in pids)


@pytest.mark.parametrize("round", range(10))
def test_nobody_outlives_ralph(tmp_path: Path, round: int) -> None:
    """SIGKILL at random moments of clients that start, talk and end, three times a round."""
    chance = random.Random(round)
    tool = textwrap.dedent(RALPH)
    body = TOOL_SHELLS if round % 2 else "note(); detach(); note(); time.sleep(0.3)"
    for _ in range(3):
        ralph = subprocess.Popen(
            [PYTHON, "-c", tool, script(tmp_path, body)],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
            stdout=subprocess.DEVNULL,
        )
        assert eventually(lambda: bool(noted(tmp_path)))
        time.sleep(chance.random() * 0.5)
        ralph.kill()
        ralph.wait()
        assert eventually(partial(_no_wardens_of, ralph.pid))
        assert living(noted(tmp_path)) == []
        (tmp_path / "pids").unlink()


def _no_wardens_of(ralph: int) -> bool:
    """True when none is left of the wardens that a Ralph has started; the last may not even have begun its work."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if any(b"ralph.system.warden" in word for word in words) and words[-2] == str(ralph).encode():
            found.append(int(entry.name))
    return not living(found)
