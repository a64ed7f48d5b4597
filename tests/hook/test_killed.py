"""Kill -9 of the door or of the client: nothing stays alive, no ticket counts again, nothing is left lying about."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import processes
from tests.hook.workshop import CLASSES, EXEC, execute, executing, governed, records, ticket, wait_for
from tests.project import git

LINE = "touch src/started; exec sleep {}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    rules = {"requiredFor": CLASSES, "requireReason": False}
    files = {"allowRead": ["."], "allowWrite": ["."], "denyRead": [], "denyWrite": [".git"]}
    return governed(tmp_path / "project", {"src/a": "a\n"}, approval=rules, files=files)


def living(word: str) -> list[int]:
    """The processes whose command line holds the word."""
    return processes.running(word.encode())


def gone(word: str) -> bool:
    limit = time.monotonic() + 120
    while living(word):
        if time.monotonic() > limit:
            return False
        time.sleep(0.05)
    return True


def number() -> str:
    """Seconds that no other test sleeps."""
    return f"{300 + int.from_bytes(os.urandom(3)) / 1e8:.8f}"


def test_of_the_door(project: Path) -> None:
    seconds = number()
    place = ticket(project, f"rm src/a; {LINE.format(seconds)}")
    with executing(place, project / "src" / "started") as running:
        assert living(seconds)
        assert (project / ".claude").exists()  # a placeholder
        running.kill()
        running.communicate()
    assert gone(seconds)
    again = execute(place)
    assert (again.returncode, again.stdout) == (2, "")
    assert list((project / ".ralph" / "tickets").iterdir()) == []
    done = execute(ticket(project, "echo next"))
    assert (done.returncode, done.stdout) == (0, "next\n"), done.stderr
    assert "rm src/a" in done.stderr, "what the killed one did is told by the next"
    (violation,) = records(project, "policy_violation")
    assert violation["effects"] == {"destructive_ops": ["src/a"]}
    assert git(project, "show", f"{violation['checkpoint']}:src/a") == "a"
    assert not any(os.path.lexists(project / name) for name in (".claude", ".codex", ".mcp.json", "ralph.yml"))
    assert list((project / ".ralph" / "running").iterdir()) == []
    assert git(project, "status", "--short", "--", "src") == "D src/a\n?? src/started"
    assert execute(ticket(project, "echo third")).stderr == ""


@pytest.mark.parametrize("shell", [False, True], ids=["that starts it", "with a shell between"])
def test_of_the_client(project: Path, shell: bool) -> None:
    seconds = number()
    line = [*EXEC, str(ticket(project, LINE.format(seconds)))]
    started = ["/bin/sh", "-c", '"$@"; echo over', "sh", *line] if shell else line
    source = "import subprocess, sys; subprocess.run(sys.argv[1:], stdout=open('/dev/null', 'w'))"
    with subprocess.Popen([sys.executable, "-c", source, *started], stderr=subprocess.DEVNULL) as client:
        wait_for(project / "src" / "started")
        client.kill()
    assert gone(seconds)
    assert gone(line[-1])
    (run,) = records(project, "command_run")
    assert run["exit_code"] is None


def test_of_whoever_reads_its_output(project: Path) -> None:
    """As with a client whose shell lives on."""
    seconds = number()
    place = ticket(project, LINE.format(seconds))
    with executing(place, project / "src" / "started") as running:
        assert running.stdout is not None
        running.stdout.close()
        assert gone(seconds)
        running.wait(timeout=120)
    assert running.returncode == 2


@pytest.mark.parametrize("number_", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_request_to_end_does_not_spare_it_the_comparison(project: Path, number_: signal.Signals) -> None:
    seconds = number()
    with executing(ticket(project, f"rm src/a; {LINE.format(seconds)}"), project / "src" / "started") as running:
        running.send_signal(number_)
        time.sleep(0.05)
        running.send_signal(number_)
        _, err = running.communicate(timeout=120)
    assert running.returncode == 2
    assert "src/a" in err
    assert records(project, "policy_violation")
    assert gone(seconds)
