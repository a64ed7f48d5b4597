"""`ralph exec`: what a ticket holds runs once, behind walls, and what a person approved opens only what it needs."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from ralph.context.trust import accept
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.probe import enforced_level
from tests.hook.workshop import POLICY, execute, executing, governed, ticket


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return governed(tmp_path / "project", {"src/a": "a\n"})


def test_this_machine_has_walls() -> None:
    """The other tests of this file mean nothing without."""
    assert enforced_level() is not Level.NONE


def test_it_runs_where_and_as_it_was_judged_and_once(project: Path) -> None:
    place = ticket(project, 'pwd; echo "$0"; cat a; echo warned >&2; exit 7', cwd=str(project / "src"))
    done = execute(place)
    assert done.stdout.splitlines()[0] == str(project / "src")
    assert done.stdout.splitlines()[-2:] == ["a", "warned"]
    assert done.returncode == 7
    again = execute(place)
    assert (again.returncode, again.stdout) == (2, "")
    assert "used" in again.stderr


def test_the_environment_is_ralphs_own(project: Path) -> None:
    done = execute(ticket(project, "env"), TOKEN="secret", BASH_ENV="/etc/profile", HTTP_PROXY="http://u:p@h")
    assert "secret" not in done.stdout
    assert "u:p" not in done.stdout
    assert "RALPH_SANDBOX=" in done.stdout


def test_the_walls_are_the_policys(project: Path) -> None:
    (project / ".env").write_text("very-secret")
    key = Path(os.environ["XDG_CONFIG_HOME"]) / "ralph" / "keys" / "tickets.key"
    attempts = f"cat .env {key}; echo x > top; echo x > .git/x; echo x > .ralph/x; echo x > src/x"
    done = execute(ticket(project, attempts))
    assert "very-secret" not in done.stdout
    assert (project / "src" / "x").exists()
    assert not any((project / name).exists() for name in ("top", ".git/x", ".ralph/x"))


def test_a_policy_that_changed_meanwhile_stops_it(project: Path) -> None:
    place = ticket(project, "echo ran")
    (project / "ralph.policy.json").write_text(json.dumps({**POLICY, "mode": "core"}))
    accept(project, ["ralph.policy.json"])
    done = execute(place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "changed" in done.stderr


def test_a_ticket_signed_by_somebody_else_is_none(project: Path, tmp_path: Path) -> None:
    place = ticket(project, "echo ran")
    other = execute(place, XDG_CONFIG_HOME=str(tmp_path / "elsewhere"))
    assert (other.returncode, other.stdout) == (2, "")


def test_its_time_is_limited(project: Path) -> None:
    (project / "ralph.policy.json").write_text(json.dumps({**POLICY, "sandbox": {"timeoutS": 1}}))
    accept(project, ["ralph.policy.json"])
    done = execute(ticket(project, "echo before; sleep 30"))
    assert done.returncode == 124
    assert done.stdout == "before\n"


def test_who_ends_it_ends_all_of_it_and_sees_what_it_wrote(project: Path) -> None:
    place = ticket(project, "echo before; touch src/started; sleep 30; touch src/after")
    with executing(place, project / "src" / "started") as running:
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=120)
    assert running.returncode == 2
    assert out == "before\n"
    assert err.startswith("ralph: ")
    assert not (project / "src" / "after").exists()
