"""One run of a gate's command, with real processes: only a real exit 0 on a tree that stays the same passes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from ralph.gates.excerpt import LIMIT
from ralph.permissions.model import ApprovalClass, ApprovalRules, CheckRules, CommandRules, FileRules, Permissions
from ralph.permissions.sandbox.model import Level
from ralph.record import replace
from tests.gates.workplace import Workplace
from tests.processes import command_lines
from tests.project import write

POLICY = Permissions(
    version=1,
    mode="delivery",
    files=FileRules(allow_read=(".",)),
    commands=CommandRules(allow=("python", "grep", "npm install"), deny=("grep TODO",)),
    approval=ApprovalRules(required_for=frozenset(ApprovalClass)),
    checks=CheckRules(),
)


@pytest.mark.parametrize(
    ("command", "code", "signal", "problem"),
    [
        pytest.param("grep -q one a.txt", 0, None, None, id="a real exit 0"),
        pytest.param("grep -q two a.txt", 1, None, None, id="exit 1"),
        pytest.param("grep -q x missing", 2, None, None, id="exit 2"),
        pytest.param("kill -9 $$", None, "SIGKILL", "ended by SIGKILL", id="the shell kills itself"),
        pytest.param("echo FAILED >&2; kill 0", None, "SIGTERM", "ended by SIGTERM", id="its whole group"),
        pytest.param("bash -c 'kill -SEGV $$'; exit $?", 139, "SIGSEGV", "ended by SIGSEGV", id="a crash as 128+n"),
        pytest.param("exec python -c 'import os; os.abort()'", None, "SIGABRT", "ended by SIGABRT", id="exec, abort"),
        pytest.param("no-such-program", 127, None, "no-such-program: command not found", id="127"),
        pytest.param("./a.txt", 126, None, "cannot be run", id="126"),
        pytest.param("if grep", 2, None, None, id="no shell"),
        pytest.param("false | cat", 1, None, None, id="the first of a pipeline fails"),
        pytest.param("cat missing | wc -l", 1, None, None, id="a pipeline that counts nothing"),
        pytest.param("! grep -q one a.txt", 1, None, None, id="a negation is bash's own"),
    ],
)
def test_how_it_ended(
    place: Workplace, command: str, code: int | None, signal: str | None, problem: str | None
) -> None:
    found = place.attempt(command)
    assert found.signal == signal
    assert found.exit_code in ({code, None} if code is not None else {None, *range(129, 160)})
    assert (found.problem is None) == (problem is None)
    assert (problem or "") in (found.problem or "")
    assert found.passed == (code == 0)
    assert not found.refused
    assert found.tree == place.tree()


def test_a_time_limit_is_no_exit(place: Workplace) -> None:
    found = place.attempt("sleep 30; cat a.txt", timeout_s=0.3)
    assert found.timed_out
    assert not found.passed
    assert found.problem == "it did not end within 0.3 s and was stopped"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("true", "cannot fail"),
        ("pytest || true", "cannot fail"),
        ("pytest &", "cannot fail"),
        ("# a comment", "cannot fail"),
        ("  ", "no command"),
        ("cat a\0b", "NUL"),
    ],
)
def test_what_proves_nothing_is_not_run(place: Workplace, command: str, reason: str) -> None:
    found = place.attempt(command)
    assert found.refused
    assert found.exit_code is None
    assert not found.passed
    wanted = "ends with 0 whatever it finds" if reason == "cannot fail" else reason
    assert wanted in (found.problem or "")


@pytest.mark.parametrize(
    ("cwd", "problem", "refused"),
    [
        pytest.param("sub", None, False, id="inside"),
        pytest.param("./sub/../sub", None, False, id="inside after all"),
        pytest.param("..", "lies outside", True, id="above"),
        pytest.param("/etc", "lies outside", True, id="elsewhere"),
        pytest.param("link", "lies outside", True, id="through a link"),
        pytest.param("missing", "there is no folder", False, id="not there yet"),
        pytest.param("a.txt", "there is no folder", False, id="a file"),
    ],
)
def test_where_it_runs(place: Workplace, cwd: str, problem: str | None, refused: bool) -> None:
    write(place.root, {"sub/here.txt": "x\n"})
    (place.root / "link").symlink_to("/etc")
    found = place.attempt("ls here.txt", cwd=cwd)
    assert found.passed == (problem is None)
    assert (problem or "") in (found.problem or "")
    assert found.refused == refused


@pytest.mark.parametrize(
    ("command", "says"),
    [
        pytest.param("grep -q one a.txt", None, id="allowed"),
        pytest.param("grep TODO a.txt", "the permissions deny it", id="denied"),
        pytest.param("curl example.org", "the permissions deny it", id="not listed"),
        pytest.param("npm install left-pad", "a person must run it, or allow it", id="asks"),
        pytest.param("if grep", "the permissions deny it", id="not readable"),
    ],
)
def test_the_permissions_come_first(place: Workplace, command: str, says: str | None) -> None:
    found = place.attempt(command, place.bench(law=POLICY))
    assert found.refused == (says is not None)
    assert found.passed == (says is None)
    assert (says or "") in (found.problem or "")


def test_a_missing_sandbox_that_the_policy_demands_blocks(place: Workplace) -> None:
    found = place.attempt("grep -q one a.txt", place.bench(law=POLICY, level=Level.NONE))
    assert found.refused
    assert "sandbox level landlock is demanded" in (found.problem or "")
    lenient = replace(POLICY, sandbox=replace(POLICY.sandbox, required="none"))
    assert place.attempt("grep -q one a.txt", place.bench(law=lenient, level=Level.NONE)).passed


def test_a_command_that_changes_the_tree_judged_something_else(place: Workplace) -> None:
    found = place.attempt("sh -c 'echo two > a.txt; cat a.txt'")
    assert found.exit_code == 0
    assert not found.passed
    assert "the tree is not the same" in (found.problem or "")


def test_what_git_ignores_may_be_written(place: Workplace) -> None:
    write(place.root, {".gitignore": "build/\n"})
    assert place.attempt("mkdir build && cp a.txt build/ && ls build/a.txt").passed


def test_a_large_output_is_on_disk_whole_and_shown_by_its_failures(place: Workplace) -> None:
    code = "for n in range(200000): print('line', n, 'FAILED test_x' if n == 3000 else '')"
    found = place.attempt(f'python -c "{code}"; exit 1')
    assert len(found.excerpt) <= LIMIT
    for part in ("FAILED test_x", "line 0", "line 199999", "the log has all"):
        assert part in found.excerpt
    assert len(Path(found.log).read_text().splitlines()) == 200000


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("setsid sleep 611 & cat a.txt", id="a session of its own"),
        pytest.param("(sleep 612 &) ; cat a.txt", id="behind a subshell"),
        pytest.param("setsid sleep 613 >/dev/null 2>&1 & cat a.txt", id="without its pipes"),
    ],
)
def test_grandchildren_are_ended_and_not_waited_for(place: Workplace, command: str) -> None:
    start = time.monotonic()
    found = place.attempt(command)
    assert found.passed
    assert time.monotonic() - start < 20
    own = re.search(r"sleep \d+", command)
    assert own is not None
    assert own[0] not in _processes()


def test_what_the_command_calls_is_judged_as_it_stands_in_the_tree(place: Workplace) -> None:
    write(place.root, {"check.sh": "exit 1\n"})
    before = place.attempt("sh check.sh")
    write(place.root, {"check.sh": "exit 0\n"})
    after = place.attempt("sh check.sh")
    assert (before.passed, after.passed) == (False, True)
    assert before.tree != after.tree, "the attempt names the tree, and so the script, that it judged"


@pytest.mark.parametrize("place_of_ralphs", [".ralph/gates/x", ".git/hooks/pre-commit", "state/learning.jsonl"])
def test_a_command_cannot_reach_what_is_closed(place: Workplace, place_of_ralphs: str) -> None:
    if place.bench().level is Level.NONE:
        pytest.skip("this machine has no sandbox")
    found = place.attempt(f"mkdir -p $(dirname {place_of_ralphs}) && cp a.txt {place_of_ralphs}")
    assert not found.passed
    assert not (place.root / place_of_ralphs).is_file()


def _processes() -> list[str]:
    return [line.replace(b"\0", b" ").decode(errors="replace").strip() for _, line in command_lines()]
