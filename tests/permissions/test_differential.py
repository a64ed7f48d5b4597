"""What bash really runs is never more than what was allowed: generated lines, run with programs that only log.

Every argument list that an allowed line was seen to execute is put to `decide` by itself. If one of them is denied, the
line should not have been allowed.
"""

from __future__ import annotations

import random
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Outcome, RunCommand
from tests.permissions.test_corpus import policy as policy_of
from tests.shell.oracle import needs_bwrap, run_lines

BATCH = 350
"""Lines for each policy and seed: 2,100 in all."""

PROGRAMS = [
    "git",
    "rm",
    "curl",
    "npm",
    "ls",
    "cat",
    "echo",
    "printf",
    "tee",
    "mv",
    "touch",
    "mkdir",
    "cp",
    "grep",
    "sed",
]
STARTERS = ["env", "timeout", "nice", "nohup", "xargs", "bash", "sh", "setsid", "stdbuf", "find"]

WORDS = [
    *("git", "rm", "curl", "npm", "ls", "cat", "echo", "printf", "test", "true", "tee", "mv", "env", "time"),
    *("status", "push", "diff", "log", "install", "run", "build", "-rf", "-c", "-n", "--", "-", "x", "src", "src/a"),
    *('"git"', "'push'", 'pu""sh', "pu\\sh", "$'\\x67it'", "g{it,x}", "$x", '"$x"', "${x:-git}", "~", "*", "s?c"),
    *("$(git push)", '"$(ls)"', "`git push`", "<(git push)", "$((1))", "A=b", "x=git", "bash", "sh", "eval", "exec"),
    *("xargs", "timeout", "5", "command", "builtin", "nice", "if", "then", "fi", "{", "}", "(", ")", "!", "[[", "]]"),
    *("for", "in", "do", "done", "while", "case", "esac", "function", "f()", "f", "cd", ".git", "#", "\\\n", "\\"),
]
JOINTS = [
    " ",
    " ",
    " ",
    " ",
    " && ",
    " || ",
    " ; ",
    " | ",
    "\n",
    " & ",
    ";",
    ">",
    " > ",
    " 2>&1 ",
    " < ",
    "<<<",
    " >| ",
    "",
]
HEREDOCS = ["cat <<E\n{}\nE", "cat <<'E'\n{}\nE", "sh <<E\n{}\nE", "cat <<-E\n\t{}\n\tE"]
SHAPES = [
    *("{}", "{}", "{}", "( {} )", "{{ {}; }}", "f() {{ {}; }}; f", "echo $({})", 'echo "a $({}) b"', "! {}", "time {}"),
    *("if {}; then {}; fi", "for x in a b; do {}; done", "while {}; do break; done", "case a in a) {} ;; esac"),
    *("bash -c {!r}", "sh -c {!r}", "eval {!r}", "env {}", "timeout 5 {}", "command {}", "xargs {}", "cat <({})"),
    *("{} | {}", "{} && {}", "{}; {}", "x=git; {}", "{} > src/o", "cd src && {}", "trap {!r} EXIT", *HEREDOCS),
]


@st.composite
def lines(draw: st.DrawFn, depth: int = 2) -> str:
    """A line of a grammar that knows how commands are hidden in one another."""
    shape = draw(st.sampled_from(SHAPES))
    holes = shape.count("{}") + shape.count("{!r}")
    inner = lines(depth - 1) if depth else simple()
    return shape.format(*(draw(inner) for _ in range(holes)))


@st.composite
def simple(draw: st.DrawFn) -> str:
    honest = ["git status", "ls src", "cat src/a", "echo x", "npm test", "git diff src", "true", "git log -1"]
    if draw(st.integers(0, 2)):
        return draw(st.sampled_from(honest))
    parts = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOINTS)), min_size=1, max_size=6))
    return "".join(word + joint for word, joint in parts).strip() or "true"


@needs_bwrap
@pytest.mark.parametrize("name", ["npm-delivery", "uv-readonly-git", "readonly"])
@pytest.mark.parametrize("batch", range(2))
def test_nothing_that_was_allowed_runs_what_is_denied(name: str, batch: int, tmp_path: Path) -> None:
    policy = policy_of(name)
    place = here(tmp_path)
    generated: list[str] = []

    @seed(batch)
    @settings(max_examples=BATCH, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(lines())
    def collect(line: str) -> None:
        generated.append(line)

    collect()
    tried = list(dict.fromkeys(generated))
    random.Random(batch).shuffle(tried)
    hostile = 0
    for line, ran in zip(tried, run_lines(tried, programs=PROGRAMS, real=STARTERS), strict=True):
        if decide(RunCommand(line), policy, place).outcome is not Outcome.ALLOW:
            hostile += any(argv[:2] == ("git", "push") or argv[0] in ("rm", "curl") for argv in ran.calls)
            continue
        for argv in ran.calls:
            words = [word for word in argv if not word.startswith("/dev/fd/")]  # pipes to commands of the line
            decision = decide(RunCommand(shlex.join(words)), policy, place)
            assert decision.outcome is not Outcome.DENY, f"{line!r} ran {argv}: {decision.reason}"
    assert hostile, "lines that were not allowed do run what is denied"
