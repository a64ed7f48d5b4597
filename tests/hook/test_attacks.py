"""Attacks on `ralph exec`: by the command, its output, its surroundings, and what lies where a ticket should."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ralph.context.trust import accept
from tests.hook.workshop import EXEC, POLICY, asked, execute, governed, hooked, records, ticket
from tests.project import git


@pytest.fixture
def project(tmp_path: Path) -> Path:
    commands = {"allow": ["cat", "git commit"], "deny": [], "packs": ["readonly-tools"]}
    return governed(tmp_path / "project", {"src/a": "a\n", "src/b/c": "c\n"}, commands=commands)


def raw(place: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*EXEC, str(place)], timeout=60, cwd="/", **options)


def test_the_line_that_a_client_got_counts_once(project: Path) -> None:
    line = asked(project, "cat src/a")
    first, second = (subprocess.run(line, shell=True, capture_output=True, text=True) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, "a\n")
    assert (second.returncode, second.stdout) == (2, "")


def test_a_line_with_more_behind_it_runs_no_more_than_the_ticket(project: Path) -> None:
    """What a client would append stands outside of Ralph; the ticket does not change by it."""
    line = asked(project, "cat src/a")
    done = subprocess.run([*line.split(), "; echo more"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "empty", "huge"])
def test_what_lies_where_a_ticket_should_is_none(project: Path, kind: str) -> None:
    place = ticket(project, "echo ran").with_name("other.json")
    match kind:
        case "pipe":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
        case "device":
            place.symlink_to("/dev/zero")
        case "empty":
            place.touch()
        case "huge":
            with place.open("wb") as file:
                file.truncate(1 << 32)
    done = execute(place)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_folder_was_exchanged_meanwhile(project: Path) -> None:
    place = ticket(project, "cat c", cwd=str(project / "src" / "b"))
    (project / "src" / "b").rename(project / "src" / "d")
    (project / "src" / "b").symlink_to("d")
    done = execute(place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "folder" in done.stderr


def test_the_folder_is_gone(project: Path) -> None:
    place = ticket(project, "cat c", cwd=str(project / "src" / "b"))
    git(project, "rm", "-rq", "src/b")
    done = execute(place)
    assert done.returncode == 2
    assert done.stdout == ""


def test_a_program_of_the_project_does_not_get_gits_folder(project: Path) -> None:
    place = ticket(project, "git commit -q --allow-empty -m x", writes_git=True)
    (project / ".venv" / "bin").mkdir(parents=True)
    fake = project / ".venv" / "bin" / "git"
    fake.write_text("#!/bin/sh\necho x > .git/made\n")
    fake.chmod(0o755)
    assert execute(place).returncode == 2
    assert not (project / ".git" / "made").exists()


def test_a_policy_that_a_person_removed_meanwhile(project: Path) -> None:
    place = ticket(project, "echo ran")
    (project / "ralph.policy.json").write_text(json.dumps(POLICY))
    accept(project, ["ralph.policy.json"])
    (project / "ralph.policy.json").write_text("{}")
    accept(project, ["ralph.policy.json"])
    done = execute(place)
    assert (done.returncode, done.stdout) == (2, "")


def test_output_is_passed_on_byte_for_byte(project: Path) -> None:
    done = raw(ticket(project, r"printf '\x00\xff\x1b]0;t\x07\r\n'"), capture_output=True)
    assert done.stdout == b"\x00\xff\x1b]0;t\x07\r\n"


def test_a_flood_of_output_is_cut_and_the_command_ended(tmp_path: Path) -> None:
    root = governed(tmp_path / "project", {"src/a": "a\n"}, sandbox={"outputMb": 1})
    done = raw(ticket(root, "yes; rm src/a"), capture_output=True)
    assert done.returncode != 0
    assert len(done.stdout) <= 2 << 20
    assert (root / "src" / "a").exists()


@pytest.mark.parametrize("closed", ["stdout", "stderr", "both"])
def test_nobody_listens_and_it_is_compared_all_the_same(project: Path, closed: str) -> None:
    place = ticket(project, "echo x; rm src/a")
    ends = {"stdout": ">&-", "stderr": "2>&-", "both": ">&- 2>&-"}[closed]
    done = subprocess.run(["/bin/sh", "-c", f'exec "$@" {ends}', "sh", *EXEC, str(place)], capture_output=True)
    assert done.returncode == 2
    assert records(project, "policy_violation")[0]["effects"] == {"destructive_ops": ["src/a"]}


def test_the_clients_input_is_not_the_commands(project: Path) -> None:
    done = raw(ticket(project, "cat; echo end"), input=b"secret\n", capture_output=True)
    assert done.stdout == b"end\n"


ENDS = {
    "by its own code": ("exit 125", 125),
    "not found": ("no-such-program", 127),
    "not executable": ("./src/a", 126),
    "by a signal to itself": ("kill -9 $$", 137),
}


@pytest.mark.parametrize(("line", "code"), ENDS.values(), ids=ENDS)
def test_its_end_is_passed_on(project: Path, line: str, code: int) -> None:
    assert execute(ticket(project, line)).returncode == code


def test_no_descriptor_and_no_variable_of_ralphs_is_handed_in(project: Path) -> None:
    secret = os.memfd_create("secret", 0)
    os.set_inheritable(secret, True)
    env = {**os.environ, "ANTHROPIC_API_KEY": "sk-secret", "SSH_AUTH_SOCK": "/secret", "GIT_DIR": "/secret"}
    line = "for f in /proc/self/fd/*; do readlink $f; done; env; cat /proc/1/environ /proc/1/cmdline | tr '\\0' '\\n'"
    done = raw(ticket(project, line), capture_output=True, env=env, pass_fds=(secret,), close_fds=True)
    assert b"secret" not in done.stdout
    assert b"memfd" not in done.stdout
    assert b"ticket" not in done.stdout


def test_a_background_process_changes_nothing_afterwards(project: Path) -> None:
    done = execute(ticket(project, "(setsid sh -c 'sleep 1; rm src/a' &) ; echo done"))
    assert (done.returncode, done.stdout) == (0, "done\n")
    subprocess.run(["sleep", "1.2"], check=True)
    assert (project / "src" / "a").exists()


HIDING = {
    "a repository of its own around it": "git init -q src; rm src/a",
    "a repository of another kind": "git init -q --object-format=sha256 src/b; rm src/a",
    "a damaged repository": "mkdir src/.git; echo x > src/.git/HEAD; rm src/a",
    "a rule that ignores everything": "rm src/a; echo '*' > src/.gitignore",
    "attributes": "rm src/a; echo '* -text filter=x export-ignore' > src/.gitattributes",
    "into an ignored folder": "mkdir src/x; mv src/a src/x; echo x > src/.gitignore",
    "a folder over it": "mv src src2 2>/dev/null; rm -r src/b",
}


@pytest.mark.parametrize("line", HIDING.values(), ids=HIDING)
def test_a_deletion_cannot_be_hidden(project: Path, line: str) -> None:
    done = execute(ticket(project, line))
    assert done.returncode == 2, done.stdout
    assert records(project, "policy_violation")


def test_a_folder_outside_is_not_worked_in(project: Path, tmp_path: Path) -> None:
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/etc", "tool_name": "Bash"}
    done = subprocess.run(
        [*EXEC[:4], "hook", "claude", "--wait", "0"],
        input=json.dumps({**event, "tool_input": {"command": "ls"}}),
        capture_output=True,
        text=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(project)},
    )
    assert done.returncode == 2 or '"deny"' in done.stdout


def test_a_command_cannot_make_a_ticket_or_a_note(project: Path) -> None:
    line = "for f in tickets running; do echo {} > .ralph/$f/x.json; done; mv .ralph r; rm -rf .ralph"
    hooked(project, "cat src/a")
    execute(ticket(project, line))
    assert list((project / ".ralph" / "tickets").iterdir()) == []
    assert list((project / ".ralph" / "running").iterdir()) == []
