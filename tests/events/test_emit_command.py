"""`ralph emit`, as an agent meets it: from within a turn it is told at once what becomes of its claim."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ralph.events import tokens
from ralph.events.door import Emission, Evidence, Rules
from ralph.events.inbox import collect, open_turn
from ralph.system.scratch import scratch
from tests.cli.command import ralph, refused
from tests.events.situation import BUILD, HATS, SEAL, TOKEN, TURN, rules

CLAIM = BUILD.replace(", ", "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return turn(tmp_path, monkeypatch, "claimed")


def turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evidence: Evidence) -> Path:
    for name, value in open_turn(tmp_path / "inbox", TURN, rules(evidence), TOKEN).items():
        monkeypatch.setenv(name, value)
    return tmp_path / "inbox"


def posted(folder: Path) -> list[Emission]:
    found, _ = collect(folder, TURN)
    return [each for each in found if isinstance(each, Emission)]


@pytest.mark.parametrize("payload", [BUILD, CLAIM, "- " + CLAIM.replace("\n", "\n- "), "* " + CLAIM], ids=repr)
def test_an_accepted_claim(folder: Path, payload: str) -> None:
    answer = ralph("emit", "build.done", payload)
    assert (answer.code, answer.out, answer.err) == (0, "accepted: build.done is published.\n", "")
    assert posted(folder) == [TURN.emission("build.done", payload, TOKEN)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("- a: b", "--json"),
        ("--json", "- a: b"),
        ("--json", "--", "- a: b"),
        ("-C", ".", "- a: b", "--json"),
    ],
    ids=repr,
)
def test_a_list_mark_is_no_option(folder: Path, arguments: tuple[str, ...]) -> None:
    assert ralph("emit", "build.blocked", *arguments).document["outcome"] == "accepted"
    assert [each.payload for each in posted(folder)] == ["- a: b"]


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
def test_a_payload_arrives_as_it_was_given(payload: str) -> None:
    """Or the command is misused, and says so; nothing arrives as something else."""
    assume(payload not in ("-", "--json"))  # standard input, and the option
    with scratch("emit") as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in open_turn(folder, TURN, rules(), TOKEN).items():
            patch.setenv(name, value)
        answer = ralph("emit", "build.blocked", payload)
        got = [each.payload for each in posted(folder)]
    assert got == ([payload] if answer.out.startswith("accepted") else [])
    assert answer.code == 0 or (answer.code == 3 and payload.startswith("-"))


def test_a_rewritten_claim_says_what_to_do(folder: Path) -> None:
    answer = ralph("emit", "build.done", BUILD.replace("lint: pass", "lint: fail"))
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith("rewritten: build.done was refused, build.blocked is published instead.")
    assert "lint" in answer.out
    assert [each.topic for each in posted(folder)] == ["build.done"]  # Ralph reads it again


@pytest.mark.parametrize("topic", ["human.response", "build.task", "confession.clean", "no topic", "LOOP_COMPLETE"])
def test_a_refused_event_is_not_posted(folder: Path, topic: str) -> None:
    answer = ralph("emit", topic)
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith("refused: ")
    assert posted(folder) == []


def test_a_claim_that_will_be_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = turn(tmp_path, monkeypatch, "measured")
    answer = ralph("emit", "build.done", BUILD, "--json")
    assert (answer.code, answer.document["outcome"], answer.document["to_be_measured"]) == (0, "accepted", True)
    assert len(posted(folder)) == 1


def test_json(folder: Path) -> None:
    document = ralph("emit", "--json", "build.done", "tests: pass").document
    assert (document["outcome"], document["topic"], document["publishes"]) == (
        "rewritten",
        "build.done",
        "build.blocked",
    )
    assert "lint" in document["failed"]
    document = ralph("emit", "task.close", "--json").document
    assert (document["outcome"], document["objection"], document["publishes"]) == ("refused", "reserved", None)


@pytest.mark.parametrize(
    ("data", "payload"),
    [(CLAIM.encode(), CLAIM), (b"", ""), (b"a\xffb", "a\udcffb"), (b"a\r\nb\n", "a\r\nb\n")],
)
def test_a_payload_from_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, payload: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    ralph("emit", "build.blocked", "-")
    assert [each.payload for each in posted(folder)] == [payload]


def test_a_payload_that_is_too_large_is_refused_however_long_the_rest_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 10_000_000)))
    answer = ralph("emit", "build.blocked", "-", "--json")
    assert (answer.code, answer.document["objection"]) == (1, "payload")
    assert posted(folder) == []


@pytest.mark.parametrize("token", ["", tokens.mint(2)[0], tokens.mint(3)[0]], ids=["none", "stale", "another"])
def test_without_this_iterations_token(folder: Path, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv(tokens.VARIABLE, token)
    answer = ralph("emit", "build.done", BUILD, "--json")
    assert (answer.code, answer.document["objection"]) == (1, "token")
    assert posted(folder) == []


def test_control_characters_do_not_reach_the_terminal(folder: Path) -> None:
    assert "\x1b" not in ralph("emit", "build.done", "tests: pass\x1b[2J\x1b]0;x").out
    assert "\x1b" not in ralph("emit", "a\x1b[2J").out


def test_outside_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RALPH_RUN", raising=False)
    refused(ralph("emit", "build.done", BUILD), "RALPH_RUN", "ralph events check")


def test_after_the_turn(folder: Path) -> None:
    for each in folder.iterdir():
        each.unlink()
    refused(ralph("emit", "build.done", BUILD), "is the turn over?")


@pytest.mark.parametrize(
    "arguments", [[], ["build.done", "a", "b"], ["build.done", "--nope"], ["build.done", "-C", "/nowhere"]], ids=repr
)
def test_misuse(folder: Path, arguments: list[str]) -> None:
    refused(ralph("emit", *arguments))
    assert posted(folder) == []


def test_a_turn_of_the_coordinator_has_no_hat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = replace(TURN, hat=None)
    laws = Rules(hats=HATS, evidence="claimed", seal=SEAL)
    for name, value in open_turn(tmp_path / "inbox", mine, laws, TOKEN).items():
        monkeypatch.setenv(name, value)
    assert ralph("emit", "escalate.human", "which database?").code == 0
    assert ralph("emit", "unheard.of").code == 1


def test_a_shell_of_the_agent_reaches_it(folder: Path) -> None:
    """The way of a real turn: another process, another directory, the environment alone."""
    line = f"printf 'stuck' | {sys.executable} -m ralph emit build.blocked -"
    done = subprocess.run(["bash", "-c", line], cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "accepted: build.blocked is published.\n")
    assert [each.payload for each in posted(folder)] == ["stuck"]
