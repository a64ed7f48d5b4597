"""`ralph events check`: a gate alone, for one claim and for many (design section 7)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ralph, refused
from tests.project import repository, write

REVIEW = "tests: pass, build: pass"


def test_an_accepted_claim(tmp_path: Path) -> None:
    answer = ralph("events", "check", "review.done", REVIEW, "--json", "-C", tmp_path)
    assert answer.code == 0
    assert answer.document == {
        "topic": "review.done",
        "outcome": "accepted",
        "publishes": "review.done",
        "checks": {"tests": "pass", "build": "pass"},
        "failed": [],
        "message": "",
    }


def test_a_rewritten_claim(tmp_path: Path) -> None:
    answer = ralph("events", "check", "review.done", "tests: PASS", "--json", "-C", tmp_path)
    assert answer.code == 1
    assert answer.document["publishes"] == "review.blocked"
    assert answer.document["checks"] == {"tests": "invalid", "build": "absent"}
    assert answer.document["failed"] == ["build", "tests"]
    shown = ralph("events", "check", "review.done", "tests: PASS", "-C", tmp_path)
    assert shown.code == 1
    assert shown.out.startswith("FAILED  review.done -> review.blocked\n")
    assert answer.document["message"] in shown.out


def test_an_empty_payload_and_a_topic_without_a_gate(tmp_path: Path) -> None:
    assert ralph("events", "check", "review.done", "--json", "-C", tmp_path).document["outcome"] == "missing"
    ungated = ralph("events", "check", "feature.done", "--json", "-C", tmp_path)
    assert (ungated.code, ungated.document["outcome"], ungated.document["checks"]) == (0, "ungated", {})


def test_a_payload_may_begin_with_a_list_mark(tmp_path: Path) -> None:
    assert ralph("events", "check", "review.done", "- tests: pass\n- build: pass", "-C", tmp_path).code == 0


def ask(folder: Path, given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ralph", "events", "check", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=folder, check=False)


def test_every_line_gets_an_answer(tmp_path: Path) -> None:
    lines = [
        json.dumps({"topic": "review.done", "payload": REVIEW}),
        json.dumps({"topic": "review.done", "payload": "LGTM", "more": 1}),
        json.dumps({"topic": "review.done"}),
        "not JSON",
        "",
        '{"topic": 7, "payload": "x"}',
        '{"topic": "review.done", "payload": null}',
        '{"payload": "x"}',
        "[" * 100_000,
    ]
    done = ask(tmp_path, "\n".join(lines).encode() + b"\n\xff\n", "--stdin")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [answer["outcome"] for answer in answers] == ["accepted", "missing", "missing"] + ["failed"] * 7
    assert all(answer["publishes"] is None and "is not a JSON object" in answer["message"] for answer in answers[3:])
    assert {frozenset(answer) for answer in answers} == {frozenset(answers[0])}


def test_a_payload_from_standard_input(tmp_path: Path) -> None:
    assert ask(tmp_path, b"tests: pass\r\nbuild: pass\r\n", "review.done", "-").returncode == 0
    assert ask(tmp_path, b"tests: pass\xff\nbuild: pass\n", "review.done", "-").returncode == 1


def test_diagnostics_go_to_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RALPH_DIAGNOSTICS", "1")
    answer = ralph("events", "check", "review.done", "tests: fail", "--json", "-C", tmp_path)
    assert answer.err.splitlines() == [
        "ralph: gate review.done failed tests=fail build=absent",
        "ralph: rewrite review.done -> review.blocked: build absent; tests fail `fail`",
    ]
    assert answer.document["failed"] == ["build", "tests"]


def test_the_gates_of_the_base_count_and_not_those_of_the_working_tree(tmp_path: Path) -> None:
    gates = "gates: {feature.done: {checks: {tests: {}}}}\nevent_loop: {mutation_score_warn_threshold: 80}\n"
    root = repository(tmp_path / "repo", {"ralph.yml": gates, "src/a.py": ""})
    write(root, {"ralph.yml": "gates: {}\n"})
    assert ralph("events", "check", "feature.done", "-C", root / "src").code == 1
    assert ralph("events", "check", "feature.done", "tests: pass", "-C", root).code == 0


def test_a_lowered_floor_is_no_verdict(tmp_path: Path) -> None:
    lowered = "gates: {build.done: {checks: {complexity: {at_most: 20}}}}\n"
    root = repository(tmp_path / "repo", {"ralph.yml": lowered})
    refused(ralph("events", "check", "build.done", "-C", root), "ralph.yml", "complexity", "20", "10")


def test_a_topic_or_standard_input(tmp_path: Path) -> None:
    refused(ralph("events", "check", "-C", tmp_path), "either a topic or --stdin")
    refused(ralph("events", "check", "build.done", "--stdin", "-C", tmp_path), "either a topic or --stdin")
