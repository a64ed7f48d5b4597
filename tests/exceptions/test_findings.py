"""Exceptions for findings: they reach the verdict, cover exactly what a person saw, and are told when they do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ralph.approvals import decisions
from ralph.approvals.person import AGENT_MARKS
from ralph.exceptions.book import Book
from ralph.exceptions.excusing import excuses
from ralph.guardrails.excuses import excused
from ralph.guardrails.model import Change
from ralph.guardrails.result import guardrail_result
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.system import ledger
from ralph.verdict import Excuse, Finding
from tests.cli.command import Answer, ralph, refused, verify, words
from tests.guardrails.memory import change
from tests.project import write

RULE = "py.noqa"
BAD = "import os  # noqa\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in AGENT_MARKS:
        monkeypatch.delenv(name, raising=False)
    project = words(tmp_path / "project")
    write(project, {"a.py": BAD})
    return project


def add(root: Path, rule: str = RULE, path: str = "a.py", **options: str) -> Answer:
    given = {"--reason": "a vendored file", "--until": "8h", **options}
    return ralph(
        "exceptions", "add", rule, path, "-C", root, "--json", *[word for pair in given.items() for word in pair]
    )


def found(answer: Answer) -> list[dict[str, object]]:
    findings: list[dict[str, object]] = answer.document["findings"]
    return findings


def test_an_excused_finding_blocks_nothing_and_is_shown_everywhere(root: Path) -> None:
    assert verify(root).code == 2
    granted = add(root)
    assert (granted.code, granted.document["covers"]) == (0, f"finding:{RULE} a.py")
    told = f"exception {granted.document['id']} by {granted.document['who']}"

    verdict = verify(root)
    (finding,) = found(verdict)
    assert (verdict.code, verdict.document["type"], verdict.document["blocked_patterns"]) == (0, "PASS", [])
    assert finding["severity"] == "block", "it stays what it is"
    assert finding["exception"]["holds"] is True  # type: ignore[index]
    assert told in finding["exception"]["sentence"]  # type: ignore[index]
    pages = root / verdict.document["artifact_path"]
    for page in ("SUMMARY.md", "REVIEW.md", "guardrail.log"):
        assert told in (pages / page).read_text(), page
    assert "With exceptions" in (pages / "SUMMARY.md").read_text()
    assert ralph("audit", "replay", verdict.document["run_id"], "-C", root).code == 0

    text = ralph("scan", "-C", root)
    assert (text.code, told in text.out, "1 excused finding" in text.out) == (0, True, True)
    assert found(ralph("scan", "-C", root, "--json"))[0]["exception"] == finding["exception"]
    (result,) = ralph("scan", "-C", root, "--format", "sarif").document["runs"][0]["results"]
    assert result["suppressions"][0]["status"] == "accepted"
    assert told in result["suppressions"][0]["justification"]
    assert told in ralph("verify", "-C", root, "--contract", root.parent / "contract.yaml").out


def changed_line(root: Path) -> None:
    write(root, {"a.py": "import sys  # noqa\n"})


def changed_elsewhere(root: Path) -> None:
    write(root, {"a.py": BAD + "x = 1\n"})


def one_more(root: Path) -> None:
    write(root, {"a.py": BAD + "import sys  # noqa\n"})


def revoked(root: Path) -> None:
    (entry,) = Book(root, {}).entries()
    Book(root, {}).revoke(entry.grant.id, reason="seen again")


def unsigned(root: Path) -> None:
    path = root / decisions.LEARNING
    record = dict(ledger.read(path)[0].record)
    record["envelope"] = json.dumps({**json.loads(str(record["envelope"])), "payload": "e30="})
    path.unlink()
    decisions.append(root, decisions.LEARNING, record, now=datetime.now(UTC))


def damaged(root: Path) -> None:
    path = root / decisions.LEARNING
    path.write_bytes(path.read_bytes().replace(b"vendored", b"Vendored", 1))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (changed_line, "has changed since"),
        (changed_elsewhere, "has changed since"),
        (one_more, "has changed since"),
        (revoked, "was revoked"),
        (unsigned, "not trusted"),
        (damaged, "cannot be read, so none counts"),
    ],
)
def test_one_that_does_not_count_excuses_nothing_and_is_told(
    root: Path, spoil: Callable[[Path], None], why: str
) -> None:
    add(root)
    spoil(root)
    verdict = verify(root)
    assert verdict.code == 2
    for finding in found(verdict):
        assert finding["exception"]["holds"] is False  # type: ignore[index]
        assert why in finding["exception"]["sentence"]  # type: ignore[index]
    report = (root / verdict.document["artifact_path"] / "BLOCKED_REPORT.md").read_text()
    assert why in report
    assert why in ralph("scan", "-C", root).out
    assert ralph("scan", "-C", root).code == 2


def test_one_that_is_over_excuses_nothing(root: Path) -> None:
    add(root)
    (grant,) = [entry.grant for entry in Book(root, {}).entries()]
    ask = excuses(root, now=lambda: datetime.fromisoformat(grant.until))
    told = ask(grant.covers, grant.subject)
    assert told is not None
    assert (told.holds, "it is over since" in told.sentence) == (False, True)
    before = excuses(root)(grant.covers, grant.subject)
    assert before is not None
    assert before.holds


def test_a_foreign_key_signs_nothing(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "somebody else"))
    (finding,) = found(ralph("scan", "-C", root, "--json"))
    assert "not trusted" in finding["exception"]["sentence"]  # type: ignore[index]


def test_another_file_with_the_same_content_is_not_excused(root: Path) -> None:
    add(root)
    write(root, {"b.py": BAD})
    answer = ralph("scan", "-C", root, "--json")
    assert answer.code == 2
    assert ["exception" in finding for finding in found(answer)] == [True, False]


def test_the_newest_that_fits_counts_whatever_came_before(root: Path) -> None:
    add(root)
    changed_line(root)
    assert add(root).code == 0
    assert verify(root).code == 0
    write(root, {"a.py": BAD})
    assert verify(root).code == 0, "the first one still fits this"


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_no_agent_makes_one(root: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
    monkeypatch.setenv(mark, "1")
    refused(add(root), "Only a person may decide")
    assert verify(root).code == 2


def test_a_strict_contract_takes_it_too() -> None:
    finding = Finding(rule="py.skip", severity="review", reason="r", path="a", line=0, column=0, snippet="")
    assert guardrail_result([finding], duration_ms=0, strict=True).status == "fail"
    told = replace(finding, exception=Excuse(holds=True, sentence="exception 1"))
    result = guardrail_result([told], duration_ms=0, strict=True)
    assert (result.status, result.counts) == ("pass", {"findings": 0, "reviews": 0, "excused": 1})


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((RULE, "b.py"), "finds nothing in b.py"),
        (("py.nosuch", "a.py"), "has no rule"),
        (("tree.governance-file", "a.py"), "Nobody can excuse"),
        (("finding:py.noqa a.py",), "ralph exceptions add RULE PATH"),
        (("nonsense",), "nothing that an exception can cover"),
        (("gate:x", "--base", "HEAD"), "go with RULE and PATH"),
    ],
)
def test_what_cannot_be_excused_is_refused(root: Path, arguments: tuple[str, ...], told: str) -> None:
    refused(ralph("exceptions", "add", *arguments, "--reason", "r", "--until", "1h", "-C", root), told)


def holds(covers: str, subject: str) -> Excuse:
    return Excuse(holds=True, sentence="exception 1 by ann")


V2 = registry.load("v2")
GOVERNANCE = change({}, {"ralph.policy.json": "{}"})


def test_some_rules_are_beyond_every_exception() -> None:
    for rule in V2.rules.values():
        finding = Finding(rule=rule.id, severity=rule.severity, reason="r", path="a", line=0, column=0, snippet="")
        (told,) = excused([finding], GOVERNANCE, V2, holds)
        assert told.excused is rule.excusable, rule.id
    never = {rule.id for rule in V2.rules.values() if not rule.excusable}
    assert {"tree.unwatched", "scan.unreadable", "secret.key", "evidence.fake-tool"} <= never
    assert not {"py.noqa", "test.removed", "hidden.packed", "secret.password"} & never


@pytest.mark.parametrize(
    "other",
    [
        change({"a.py": "y = 1\n"}, {"a.py": "y = 2  # noqa\n"}),  # another base
        change({}, {"a.py": "y = 2  # noqa\n", "b.py": ""}),  # another file changed: still the same
    ],
)
def test_the_digest_stands_for_both_sides_of_the_file(other: Change) -> None:
    asked: list[tuple[str, str]] = []

    def ask(covers: str, subject: str) -> None:
        asked.append((covers, subject))

    for each in (change({}, {"a.py": "y = 2  # noqa\n"}), other):
        excused(scan(each, V2), each, V2, ask)
    same = asked[0] == asked[1]
    assert same is ("b.py" in other.blobs.paths_after())
