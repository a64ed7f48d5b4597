"""Which lines cannot fail, and where `pipefail` may be set: what is said of a line is what bash does with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.gates.outcome import cannot_fail, pipefail_only_lowers

NOTHING_RUN = (
    *("true", ":", "exit 0", "exit 256", "echo ok", "/bin/true", "'true'", "\\true", "command true", "env A=1 true"),
    *("timeout 5 true", "eval true", "bash -c true", "sh -c 'exit 0'", "exec true", "time true", "A=1 true", "A=1"),
    *(
        "sleep 0",
        "[ 1 = 1 ]",
        "test -n x",
        "test -z ''",
        "exit",
        "echo ok; exit",
        "date",
        "umask 022",
        "unset X",
        "[[ a == a ]]",
    ),
)
MASKED = (
    "check || true",
    "check || echo failed",
    "(check || :)",
    "{ check; true; }",
    "check; true",
    "check\nexit 0",
    "check && true || true",
    "exit 0; check",
    "check &",
    "check & wait",
    "check & disown",
    "! check | false",
    "echo $(check)",
    'echo "result: $(check)"',
    "export RESULT=$(check)",
    "! false",
    "check 2>/dev/null; :",
    "bash -c 'check || true'",
    "# check",
    "# check\n   # more",
    "",
)
CAN_FAIL = (
    *("check", "exit 1", "false", "! check", "x=$(check)", "check && echo ok", "check || exit 1", "(cd . && check)"),
    *(
        "set -e; check; true",
        "trap 'exit 1' ERR; check; true",
        "true() { check; }; true",
        "check; exit $?",
        "check; exit",
    ),
    *("[ -f report ]", "[[ -s report ]]", 'test -z "$(check)"', "true < report", "echo x > out/report", "exit $CODE"),
    *("check | true", "check | tee /dev/null", "for f in a b; do check $f; done", "if check; then true; fi"),
    *("echo x | check", "eval $LINE", "bash check", "$CHECK", "if grep", "check & wait $!", "timeout 5 check"),
)


def run(line: str, *, check: int, cwd: Path, pipefail: bool = False) -> int:
    """The line in bash, where the program `check` ends with this code."""
    program = cwd / "check"
    if not program.exists():
        program.write_text('#!/bin/sh\nexit "$CODE_OF_CHECK"\n')
        program.chmod(0o755)
    options = ["-o", "pipefail"] if pipefail else []
    env = {"PATH": f"{cwd}:/usr/bin:/bin", "CODE_OF_CHECK": str(check)}
    done = subprocess.run(["bash", *options, "-c", line], cwd=cwd, env=env, capture_output=True, check=False)
    return done.returncode


@pytest.mark.parametrize("line", [*NOTHING_RUN, *MASKED])
def test_a_line_that_ends_with_0_whatever_happens(line: str, tmp_path: Path) -> None:
    assert cannot_fail(line)
    if "disown" in line:
        return  # bash complains where the job has ended by then, which says nothing about the check either
    assert [run(line, check=code, cwd=tmp_path) for code in (0, 1, 3)] == [0, 0, 0]


@pytest.mark.parametrize("line", CAN_FAIL)
def test_a_line_that_can_fail_is_let_through(line: str) -> None:
    assert not cannot_fail(line)


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("check | tee log", True),
        ("cd . && check | tee log", True),
        ("cd .; check | tee log", True),
        ("(check | tee log)", True),
        ("check | grep bad && exit 1", True),
        ("! check | grep bad", False),
        ("check | grep bad && exit 1; echo fine", False),
        ("check | grep bad || exit 0", False),
        ("if check | grep bad; then exit 1; fi", False),
        ("while check | grep bad; do exit 1; done", False),
        ("check | tee log; [ $? = 1 ]", False),
        ("set +o pipefail; check | tee log", False),
    ],
)
def test_where_pipefail_is_set(line: str, allowed: bool) -> None:
    assert pipefail_only_lowers(line) == allowed


leaf = st.sampled_from(
    ["check", "true", "false", "exit 0", "exit 1", "exit", "echo x", "cat", "check $(check)", "grep -q x"]
)
lines = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" && ", " || ", "; ", " | ", " & ", "\n"]), inner).map("".join),
        inner.map(lambda line: f"( {line} )"),
        inner.map(lambda line: f"{{ {line}; }}"),
        inner.filter(lambda line: not line.startswith("!")).map(lambda line: f"{{ ! {line}; }}"),
        st.tuples(inner, inner).map(lambda pair: f"if {pair[0]}; then {pair[1]}; fi"),
    ),
    max_leaves=6,
)


@given(lines, st.sampled_from([0, 1]))
@settings(max_examples=150)
def test_bash_agrees(tmp_path_factory: pytest.TempPathFactory, line: str, code: int) -> None:
    """No line that is said to be unable to fail fails, and pipefail never turns a failure into a pass."""
    folder = tmp_path_factory.getbasetemp() / "agrees"
    folder.mkdir(exist_ok=True)
    plain = run(line, check=code, cwd=folder)
    chosen = run(line, check=code, cwd=folder, pipefail=pipefail_only_lowers(line))
    assert not (plain != 0 and chosen == 0)
    if cannot_fail(line):
        assert chosen == 0
