"""10,000 odd actions: a decision for each, never an exception, never an allow out of an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Action, Outcome, ReadPath, RunCommand, UseTool, WritePath
from ralph.permissions.place import Place
from tests.permissions.test_corpus import CORPORA, policy

EXAMPLES = 2500
LINES: list[str] = [json.loads(line)["cmd"] for line in (CORPORA / "commands.jsonl").read_text().splitlines()]
DENIED = {"npm-delivery", "readonly"}


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A line of the corpus with a piece of another one, or of anything, put into it or cut out of it."""
    line = draw(st.sampled_from(LINES))
    at = draw(st.integers(0, len(line)))
    cut = draw(st.integers(0, 4))
    more = draw(
        st.one_of(st.sampled_from(LINES), st.text(max_size=8), st.sampled_from([*"`$(){}[]<>|&;\"'\\\n\t#!~*?"]))
    )
    return line[:at] + more + line[at + cut :]


texts = st.one_of(mutated(), st.text(max_size=60), st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
actions = st.one_of(
    st.builds(RunCommand, texts),
    st.builds(RunCommand, mutated()),
    st.builds(ReadPath, texts),
    st.builds(WritePath, texts, deletes=st.booleans()),
    st.builds(UseTool, texts),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    root: Path = tmp_path_factory.mktemp("project")
    for folder in (".git", "src", "state"):
        (root / folder).mkdir()
    (root / "src" / "out").symlink_to("/etc")
    (root / "loop").symlink_to("loop")
    return here(root)


@pytest.mark.parametrize("name", ["npm-delivery", "uv-readonly-git", "readonly"])
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(action=actions)
def test_every_action_gets_a_decision(name: str, place: Place, action: Action) -> None:
    decision = decide(action, policy(name), place)
    assert decision.outcome in Outcome
    assert decision.rule
    assert decision.reason
    if decision.outcome is Outcome.ALLOW and isinstance(action, RunCommand):
        assert not any(0xD800 <= ord(sign) < 0xE000 or sign == "\0" for sign in action.text)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=texts)
def test_an_allowed_line_with_a_denied_command_behind_it_is_denied(place: Place, text: str) -> None:
    decision = decide(RunCommand(f"{text}\ngit push"), policy("uv-readonly-git"), place)
    # Only where the line swallows the command (a quote, a comment, a here-document) is it not there.
    if decision.outcome is Outcome.ALLOW:
        assert any(sign in text for sign in "'\"#<\\$")
