"""Cases of the engine on a project: a change on top of its green base, and the verdict that must come of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from ralph import contracts
from ralph.contracts import AutonomyContract, StepExemption
from ralph.contracts.schema import StepName
from ralph.verdict import COULD_NOT_VERIFY, Verdict, VerdictType
from tests.engine.projects import Project, append
from tests.engine.sample import verify
from tests.project import git, write

STALE = b"SF:src/\xff\nleft over from an earlier run\n"
"""What stands at the report's path before: it is the user's, no evidence, and must be there afterwards."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """`only`: the steps that are measured, for cases in which the others would only take time (None: all)."""

    append: Mapping[str, str] = field(default_factory=dict)
    edit: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """file -> (text in it, text instead)."""
    files: Mapping[str, str] = field(default_factory=dict)
    commands: Mapping[str, str | None] = field(default_factory=dict)
    contract: str | None = None
    only: Collection[str] | None = None
    fail_fast: bool = False
    timeout_s: float = 60.0
    policy: str | None = None
    """An older set, for what newer ones find before it is measured."""

    kind: str
    step: str | None = None
    reason: str = ""
    """Words of the failure reason."""


def run(root: Path, case: Case, **options: object) -> Verdict:
    append(root, case.append)
    for name, (old, new) in case.edit.items():
        text = (root / name).read_text()
        assert old in text
        write(root, {name: text.replace(old, new)})
    write(root, case.files)
    return verify(
        root,
        contract=terms(case),
        commands=case.commands,
        fail_fast=case.fail_fast,
        step_timeout_s=case.timeout_s,
        **{"policy": case.policy, **options},
    )


def terms(case: Case) -> AutonomyContract | None:
    """The case's contract, with the steps that it leaves out declared not applicable."""
    contract = contracts.load(case.contract) if case.contract else None
    if case.only is None:
        return contract
    bare = AutonomyContract(agent="sample", version="1")
    return dataclasses.replace(contract or bare, steps=without(case.only))


def without(only: Collection[str]) -> dict[StepName, StepExemption]:
    policy_steps = get_args(StepName)[:4]
    return {
        name: StepExemption(not_applicable="not what this case is about") for name in policy_steps if name not in only
    }


def check(project: Project, root: Path, case: Case) -> Verdict:
    """Run a case; its verdict is the expected one, and the user's own files are what they were."""
    report = root / project.report
    report.parent.mkdir(exist_ok=True)
    report.write_bytes(STALE)
    stood = report.stat().st_mtime_ns
    verdict = run(root, case)
    assert (verdict.type, verdict.failed_step) == (case.kind, case.step), verdict.failure_reason
    assert case.reason in (verdict.failure_reason or ""), verdict.failure_reason
    assert (report.read_bytes(), report.stat().st_mtime_ns) == (STALE, stood)
    assert git(root, "status", "--porcelain", ".ralph") == ""
    if verdict.type is VerdictType.FAIL and (verdict.failure_reason or "").startswith(COULD_NOT_VERIFY):
        step = verdict.step(case.step or "")
        assert step is not None
        assert step.status == "error"
        assert step.counts.keys() <= {"leftovers"}
    return verdict


def common(project: Project) -> dict[str, Case]:
    """The cases that every project has, in its own language and with its own tools."""
    return {**_changes(project), **_sizes(project), **_commands(project)}


def _changes(project: Project) -> dict[str, Case]:
    """A change judged by all the real tools."""
    source, tests = project.source, project.tests
    return {
        "nothing changed": Case(only=["tests"], kind="PASS"),
        "clean change": Case(append=project.clean, kind="PASS"),
        "lint error": Case(
            append={source: project.unused.format(name="os")},
            fail_fast=True,
            # The other steps are required and skipped: the first that is not good names the verdict.
            kind="FAIL",
            step="lint",
            reason=project.lint_reason,
        ),
        "type error": Case(
            append={source: project.ill_typed.format(name="half")},
            only=["typecheck"],
            kind="FAIL",
            step="typecheck",
            reason=project.type_reason,
        ),
        "failing test": Case(
            append={tests: project.failing("wrong")}, only=["tests"], kind="FAIL", step="tests", reason="wrong"
        ),
        "coverage 79": Case(
            append={name: text for name, text in project.mostly_uncovered.items() if name in (source, tests)},
            files={name: text for name, text in project.mostly_uncovered.items() if name not in (source, tests)},
            contract="feature",
            only=["tests", "coverage"],
            kind="FAIL",
            step="coverage",
            reason="coverage: 79.0 % of lines is below 80 %",
        ),
        "untracked file with a suppression": Case(
            files={project.strays: project.stray}, kind="BLOCKED", step="guardrail", reason=project.strays
        ),
    }


def _sizes(project: Project) -> dict[str, Case]:
    """The size of a change, with and without a contract."""
    long = {"notes.md": "line\n" * 101}
    return {
        "101 lines without a contract": Case(files=long, kind="FAIL", step="thresholds", reason="101 lines added"),
        "101 lines in a bugfix": Case(
            files=long, contract="bugfix", kind="BLOCKED", step="contract_check", reason="(101)"
        ),
        "101 lines in a feature": Case(files=long, contract="feature", only=["lint"], kind="PASS"),
        "code in a docs contract": Case(
            append={project.source: "\n"}, contract="docs", kind="BLOCKED", step="contract_check", reason="outside"
        ),
        "a refactoring": Case(append={project.source: "\n"}, contract="refactor", only=["tests"], kind="PASS"),
    }


def _commands(project: Project) -> dict[str, Case]:
    """Commands that do not do what they should."""
    lint, test = project.command("lint"), project.command("test")

    def tests(command: str, kind: str, reason: str = "", **more: object) -> Case:
        step = None if kind == "PASS" else "tests"
        case = Case(commands={"test": command}, only=["tests"], kind=kind, step=step, reason=reason)
        return dataclasses.replace(case, **more)  # type: ignore[arg-type]

    hidden = {project.tests: project.failing("wrong")}
    return {
        "no command": Case(
            commands={"lint": None},
            fail_fast=True,
            kind="FAIL",
            step="lint",
            reason="could not verify: lint: no command",
        ),
        "missing tool": Case(
            commands={"lint": "lintt ."}, only=["lint"], kind="FAIL", step="lint", reason="lintt: command not found"
        ),
        "killed by itself": tests("kill -9 $$", "FAIL", "ended by SIGKILL"),
        "killed behind its back": tests("bash -c 'kill -9 $$'; exit $?", "FAIL", "ended by SIGKILL"),
        "hangs": tests("sleep 300", "FAIL", "did not end within 1 s", timeout_s=1.0),
        "prints 200 MB": tests(f"head -c 200000000 /dev/zero | tr '\\0' x; {test}", "PASS"),
        "zero tests": tests(f"{project.no_tests} || true", "FAIL", "could not verify: tests: no test ran"),
        "a failure hidden by the shell": tests(f"{test} || true", "FAIL", "wrong", append=hidden),
        "output that is not UTF-8": tests(f"printf '\\377\\376\\n'; {test}", "PASS"),
        "a report of an earlier run": Case(
            commands={"coverage": "true"},
            only=["coverage"],
            kind="FAIL",
            step="coverage",
            reason=f"could not verify: coverage: the run did not write {project.report}; the one that stands there",
        ),
        "a step changes the tree": Case(
            commands={"lint": f"{lint} ; echo more >> notes.txt"},
            only=["lint"],
            kind="FAIL",
            step="lint",
            reason="could not verify: lint: the tree changed while the steps ran: notes.txt",
        ),
    }


def assert_blocked(root: Path, case: Case, policy: str, reason: str) -> None:
    """The guardrails block the change before anything runs, and name its file; `reason` is in the words of v1."""
    verdict = run(root, case, policy=policy)
    assert (verdict.type, verdict.failed_step) == ("BLOCKED", "guardrail"), verdict.failure_reason
    (path,) = (*case.append, *case.edit, *case.files)
    assert {finding.path for finding in verdict.findings if finding.severity == "block"} == {path}
    assert all(step.status == "skipped" for step in verdict.steps if step.name != "guardrail")
    if policy == "v1":
        assert reason in (verdict.failure_reason or "")
