"""What is read is what bash runs: generated lines, a real bash, and programs that log how they were called."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ralph.shell import second
from ralph.shell.hazards import hazard
from ralph.shell.model import Group, Simple
from ralph.shell.read import read
from tests.shell.lines import LINES, odd_lines
from tests.shell.oracle import PROGRAMS, Ran, commands, fits, needs_bwrap, run_lines

BATCH = 15

# No shrinking: a failure names its line, and every step of it would run a whole batch again.
generated = settings(
    max_examples=10, phases=(Phase.reuse, Phase.generate), suppress_health_check=list(HealthCheck), deadline=None
)


def accepted(text: str) -> Group | None:
    if hazard(text):
        return None
    script = read(text)
    return script if isinstance(script, Group) and second.disagreement(text, script) is None else None


def straight(text: str, script: Group) -> bool:
    """True if every command runs, one after the other, with arguments that are all known."""
    literal = all(word.literal is not None for command in commands(script) for word in command.words)
    # A file that cannot be opened keeps its command from running.
    opens = any(command.redirects for command in commands(script))
    plain = all(isinstance(part, Simple) or _is_plain_list(part) for part in script.parts)
    return literal and plain and not opens and "||" not in text and "<" not in text and "!" not in text


def _is_plain_list(group: Group) -> bool:
    return group.kind == "list" and all(isinstance(part, Simple) for part in group.parts)


def check(texts: list[str]) -> None:
    scripts = [(text, script) for text in texts if (script := accepted(text))]
    for (text, script), ran in zip(scripts, run_lines([text for text, _ in scripts], timeout_s=1.0), strict=True):
        compare(text, script, ran)


def compare(text: str, script: Group, ran: Ran) -> None:
    known = [command for command in commands(script) if command.words]
    for call in ran.calls:
        assert any(fits(command, call) for command in known), (text, call)
    if straight(text, script) and ran.code is not None:
        expected = [tuple(word.literal or "" for word in command.words) for command in known]
        assert [call for call in expected if call[0] in PROGRAMS] == list(ran.calls), text


@needs_bwrap
@generated
@given(st.lists(LINES, min_size=BATCH, max_size=BATCH, unique=True))
def test_bash_runs_what_was_read(texts: list[str]) -> None:
    check(texts)


@needs_bwrap
@generated
@given(st.lists(odd_lines(), min_size=BATCH, max_size=BATCH, unique=True))
def test_bash_runs_nothing_else_in_odd_lines(texts: list[str]) -> None:
    check(texts)


@needs_bwrap
def test_the_oracle_sees_what_runs() -> None:
    (ran,) = run_lines(['f() { git push "$1"; }; f \'a b\'; echo "$(rm x)" | cat; ls * &'])
    assert sorted(ran.calls) == [("cat",), ("echo", ""), ("git", "push", "a b"), ("ls", "*"), ("rm", "x")]
