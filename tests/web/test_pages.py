"""Every page says what the commands say, works without JavaScript, and tells what it cannot show."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from ralph.events.honesty import CLAIMS, Claim, Compared, keep
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task, TaskStatus
from ralph.system import clock
from tests.cli.command import ralph, verify, words
from tests.cli.runs import RUN, turn
from tests.web.sites import PERMISSIONS, Browser, browser, project, text_of, with_a_run


@pytest.fixture
def shown(tmp_path: Path) -> Browser:
    return browser(with_a_run(tmp_path / "p"))


def says(shown: Browser, path: str, *expected: str) -> str:
    answer = shown.get(path)
    assert answer.status_code == 200, answer.text
    text = text_of(answer.text)
    for word in expected:
        assert word in text, text
    return str(answer.text)


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/", "Nothing ran here yet"),
        ("/approvals", "Nothing waits"),
        ("/claims", "No claim has been measured"),
        ("/policies", "v1"),
        ("/permissions", "ralph.policy.json"),
        ("/audit", "No verdict is recorded"),
        ("/fleet", "No fleet is configured"),
    ],
)
def test_an_empty_project_has_every_page(tmp_path: Path, path: str, word: str) -> None:
    html = says(browser(project(tmp_path / "p")), path, word)
    for needed in ('lang="en"', "<main", "<h1>", "<nav", "<title>"):
        assert needed in html
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|javascript:", html), "the policy would refuse this"


class TestRuns:
    def test_the_list(self, shown: Browser) -> None:
        says(shown, "/", RUN, "add a flag", "interrupted", "iteration 2", "$0.75")

    def test_a_run(self, shown: Browser) -> None:
        says(shown, f"/runs/{RUN}", "The tests fail.", "iteration 1: completed", "tester", "Cost of this run")

    def test_its_tasks(self, shown: Browser) -> None:
        tasks = (Task(id="t-1", description="first", status=TaskStatus.COMPLETE), Task(id="t-2", description="second"))
        PlanStore(shown.site.root).change(lambda plan: replace(plan, tasks=tasks))
        says(shown, f"/runs/{RUN}", "t-1", "first", "t-2", "second", "complete 1", "pending 1")

    def test_a_damaged_plan_hides_nothing_else(self, shown: Browser) -> None:
        (shown.site.root / ".ralph" / "implementation_plan.json").write_text("{")
        says(shown, f"/runs/{RUN}", "implementation_plan.json", "The tests fail.")

    def test_a_damaged_run_hides_no_other(self, shown: Browser) -> None:
        folder = shown.site.root / ".ralph" / "runs" / "99990101T000000000Z-0123456789ab"
        folder.mkdir()
        (folder / "log.jsonl").write_text("nonsense\n")
        says(shown, "/", "damaged", "add a flag")
        assert shown.get(f"/runs/{folder.name}").status_code == 409

    def test_a_line_of_its_log(self, shown: Browser) -> None:
        says(shown, f"/runs/{RUN}/lines/1", "add a flag", "Begun")
        assert shown.get(f"/runs/{RUN}/lines/999").status_code == 404

    @pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc", "a%00b", "\u202e"])
    def test_an_unknown_run(self, shown: Browser, name: str) -> None:
        answer = shown.get(f"/runs/{name}")
        assert answer.status_code in (401, 404)
        assert "\u202e" not in answer.text


class TestVerdicts:
    @pytest.fixture
    def judged(self, tmp_path: Path) -> tuple[Browser, str]:
        root = words(tmp_path / "p")
        (root / "b.py").write_text("x = 1  # type: ignore\n")
        verify(root)
        run_id = ralph("audit", "list", "-C", root, "--json").document["runs"][0]["run_id"]
        return browser(root.resolve()), run_id

    def test_a_verdict_with_the_code_of_its_findings(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        html = says(shown, f"/verdicts/{run_id}", "BLOCKED", "Verified: every file", "b.py:1:", "x = 1 # type: ignore")
        assert 'data-signature="holds"' in html
        assert re.search(r'<span class="hit"><b>1</b> x = 1', html)

    def test_it_is_judged_again(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        answer = shown.post(f"/verdicts/{run_id}/replay", {})
        assert 'data-replay="same"' in answer.text
        assert shown.post(f"/verdicts/{run_id}/replay", {"x": "y"}, form=False).status_code == 403

    def test_one_changed_byte_is_shown(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        log = shown.site.root / ".ralph" / "audit" / run_id / "guardrail.log"
        log.write_bytes(log.read_bytes() + b" ")
        html = says(shown, f"/verdicts/{run_id}", "does not hold", "guardrail.log")
        assert 'data-signature="holds"' not in html
        assert "broken" in says(shown, "/audit", run_id)

    def test_a_verdict_that_nobody_signed_is_untrusted(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        (shown.site.root / ".ralph" / "audit" / run_id / "attestation.json").write_text("{}")
        html = says(shown, f"/verdicts/{run_id}", "untrusted")
        assert 'class="badge blocked"' not in html

    def test_its_files(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        says(shown, f"/verdicts/{run_id}/files/diff.patch", "+x = 1 # type: ignore")

    @pytest.mark.parametrize(
        "name", ["../ledger.jsonl", "%2e%2e/ledger.jsonl", "/etc/passwd", "..%2f..%2fstate.json", "link", ""]
    )
    def test_no_other_file_is_shown(self, judged: tuple[Browser, str], name: str) -> None:
        shown, run_id = judged
        (shown.site.root / ".ralph" / "audit" / run_id / "link").symlink_to("/etc/passwd")
        answer = shown.get(f"/verdicts/{run_id}/files/{name}")
        assert answer.status_code in (401, 404)
        assert "root:" not in answer.text

    def test_the_audit_page(self, judged: tuple[Browser, str]) -> None:
        shown, run_id = judged
        says(shown, "/audit", run_id, "BLOCKED", "holds", "ledger.jsonl")

    def test_a_broken_chain_is_shown(self, judged: tuple[Browser, str]) -> None:
        shown, _ = judged
        log = shown.site.root / "state" / "learning.jsonl"
        log.parent.mkdir(exist_ok=True)
        log.write_text("nonsense\n")
        assert re.search(r"learning.jsonl 0 broken line 1", says_text(shown, "/audit"))


def says_text(shown: Browser, path: str) -> str:
    return text_of(shown.get(path).text)


def test_claims_over_time(shown: Browser) -> None:
    for number, true in enumerate([True, False, True]):
        compared = Compared(claimed="pass", measured="pass" if true else "fail", contradiction=not true)
        claim = Claim(
            topic="build.done", true=true, contradiction=not true, checks={"tests": compared}, hat="builder", agent="a"
        )
        keep(shown.site.root / CLAIMS, replace(claim, model=f"m{number % 2}"), time=clock.now())
    html = says(shown, "/claims", "3 claims", "builder", "66.7 %", "contradicted", "claimed pass, measured fail")
    assert html.count("<polyline") == 4  # one hat, one agent, two models


def test_a_damaged_record_is_one_sentence(shown: Browser) -> None:
    (shown.site.root / CLAIMS).write_text("nonsense\n")
    answer = shown.get("/claims")
    assert answer.status_code == 409
    assert "claims.jsonl is damaged at line 1" in text_of(answer.text)


class TestPolicies:
    def test_every_set_and_rule(self, shown: Browser) -> None:
        says(shown, "/policies?version=v1", "v1.python.type-ignore", "Rules of v1")
        says(shown, "/policies?version=nonsense", "Rules of")

    @pytest.mark.parametrize(
        ("kind", "question", "outcome"),
        [
            ("command", "npm test", "allow"),
            ("command", "git push --force", "deny"),
            ("command", "rm -rf src", "approve"),
            ("read", ".env", "deny"),
            ("write", "src/a.ts", "allow"),
            ("write", "../x", "deny"),
            ("nonsense", "npm test", "allow"),
        ],
    )
    def test_what_would_happen(self, shown: Browser, kind: str, question: str, outcome: str) -> None:
        (shown.site.root / "ralph.policy.json").write_text(json.dumps(PERMISSIONS))
        answer = shown.get("/permissions", params={"kind": kind, "question": question})
        assert f'data-outcome="{outcome}"' in answer.text
        if kind != "nonsense":
            told = ralph("permissions", "check", f"--{kind}", question, "-C", shown.site.root, "--json").document
            assert told["decision"] == outcome
            assert told["rule"] in answer.text.replace("&#39;", "'").replace("&gt;", ">")

    def test_nothing_is_asked_and_nothing_recorded(self, shown: Browser) -> None:
        (shown.site.root / "ralph.policy.json").write_text(json.dumps(PERMISSIONS))
        before = sorted(str(path) for path in shown.site.root.rglob("*"))
        assert "data-outcome" not in says(shown, "/permissions", "npm test")
        says(shown, "/permissions?question=touch+x")
        assert sorted(str(path) for path in shown.site.root.rglob("*")) == before

    def test_a_broken_policy_allows_nothing(self, shown: Browser) -> None:
        (shown.site.root / "ralph.policy.json").write_text('{"version": 2}')
        html = says(shown, "/permissions?question=ls", "ralph.policy.json")
        assert "data-outcome" not in html


class TestFleet:
    @dataclass(frozen=True)
    class Worker:
        name: str = "w1"
        host: str = "h"
        running: int = 1
        concurrency: int = 4
        seen_s: float = 2.0
        alive: bool = False

    @dataclass(frozen=True)
    class Work:
        repository: str = "git@host:repo"

    @dataclass(frozen=True)
    class Job:
        work: object
        id: str = "job-1"
        kind: str = "verify"
        state: str = "done"
        outcome: str | None = "FAIL"
        why: str = "<b>tests</b>"
        holder: str | None = "w1"
        attempt: int = 2

    class Fleet:
        def workers(self) -> list[TestFleet.Worker]:
            return [TestFleet.Worker()]

        def jobs(self, limit: int = 5) -> list[TestFleet.Job]:
            return [TestFleet.Job(TestFleet.Work()) for _ in range(min(3, limit))]

        def close(self) -> None:
            """There is nothing to close."""

    def test_the_queue_of_this_machine(self, shown: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
        """A queue that cannot be used is a sentence on this page, and hides no other."""
        monkeypatch.setenv("RALPH_QUEUE", "mysql://ann:secret@host/x")
        answer = shown.get("/fleet")
        assert answer.status_code in (404, 409)
        assert "sqlite:////" in text_of(answer.text)
        assert "secret" not in answer.text
        says(shown, "/", RUN)

    def test_workers_and_queues(self, shown: Browser) -> None:
        fleet = Browser(replace(shown.site, fleet=self.Fleet))
        html = says(fleet, "/fleet", "w1", "1 of 4", "lost", "git@host:repo done 3", "job-1", "attempt 2")
        assert "&lt;b&gt;tests&lt;/b&gt;" in html


def test_a_turn_without_a_price_is_not_free(tmp_path: Path) -> None:
    from tests.cli.runs import begin, happened

    happened(begin(project(tmp_path / "p")), turn(None))
    says(browser((tmp_path / "p").resolve()), f"/runs/{RUN}", "unknown cost")
