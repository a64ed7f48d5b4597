"""What a verdict says beyond its type, on every project alike: origins of failures, flakiness, repetition, reuse."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from ralph.contracts import AutonomyContract, Controls
from ralph.verdict import Verdict
from tests.engine.matrix import Case, run, terms, without
from tests.engine.projects import PYTHON, VITEST, Project, append
from tests.engine.sample import verify
from tests.processes import running
from tests.project import commit, git, write
from tests.steps.workshop import needs_node

ON_VITEST = pytest.param(VITEST, id="vitest", marks=needs_node)
every_project = pytest.mark.parametrize("project", [pytest.param(PYTHON, id="pytest"), ON_VITEST])


@every_project
def test_nothing_outlives_a_step(tmp_path: Path, project: Project) -> None:
    root = project.base(tmp_path / "project")
    mark = f"301{os.getpid()}"
    command = f"(setsid sleep {mark} &) ; {project.command('test')}"
    verdict = run(root, Case(commands={"test": command}, only=["tests"], kind="PASS"))
    assert verdict.type == "PASS"
    assert running(mark.encode()) == []


@every_project
def test_a_suppression_that_the_agent_committed(tmp_path: Path, project: Project) -> None:
    root = project.base(tmp_path / "project")
    git(root, "checkout", "-q", "-b", "work")
    commit(root, {project.strays: project.stray})
    commit(root, {"notes.md": "done\n"})
    verdict = verify(root)
    assert (verdict.type, verdict.failed_step) == ("BLOCKED", "guardrail")
    assert {finding.path for finding in verdict.findings} == {project.strays}
    assert verdict.base_commit == git(root, "rev-parse", "main")


@every_project
def test_failures_of_a_red_base_are_told_to_be_new_old_or_fixed(tmp_path: Path, project: Project) -> None:
    """In the linter's, the type checker's and the tests' words; the base is measured elsewhere, with the same tools."""
    root = project.base(tmp_path / "project")
    source, tests = (root / project.source).read_text(), (root / project.tests).read_text()

    def wrong(lint: str, *names: str) -> dict[str, str]:
        unused = project.unused.format(name=lint)
        ill_typed = "".join(project.ill_typed.format(name=name) for name in names)
        failing = "".join(project.failing(name) for name in names)
        return {project.source: source + unused + ill_typed, project.tests: tests + failing}

    commit(root, wrong("os", "old", "mended"))
    write(root, wrong("json", "old", "fresh"))
    append(root, {project.tests: project.passing("mended")})
    verdict = run(root, Case(only=["lint", "typecheck", "tests"], kind="FAIL"))
    assert (verdict.type, verdict.failed_step) == ("FAIL", "lint")
    assert _mentioned(verdict.regressions) == ["lint json", "tests fresh", "typecheck fresh"]
    assert _mentioned(verdict.pre_existing) == ["tests old", "typecheck old"]
    assert _mentioned(verdict.fixed) == ["lint os", "tests mended", "typecheck mended"]


def _mentioned(failures: tuple[str, ...]) -> list[str]:
    """`step name` of failures that name one of the things that the test made."""
    names = {"old", "mended", "fresh", "json", "os"}
    words = [re.split(r"[^A-Za-z]+", failure) for failure in failures]
    return sorted({f"{first} {name}" for first, *others in words for name in names.intersection(others)})


CONTROLS = {
    "run once": (Controls(), ("FAIL", False)),
    "run again": (Controls(rerun_failed_tests=True), ("FAIL", True)),
    "accepted": (Controls(rerun_failed_tests=True, accept_flaky=True), ("PASS", True)),
}


@pytest.mark.parametrize(
    ("project", "name"),
    [
        *(pytest.param(PYTHON, name, id=f"pytest, {name}") for name in CONTROLS),
        pytest.param(VITEST, "accepted", id="vitest, accepted", marks=needs_node),
    ],
)
def test_a_flaky_test(tmp_path: Path, project: Project, name: str) -> None:
    controls, expected = CONTROLS[name]
    ignored = "marks/\n__pycache__/\n.coverage\n.*_cache/\nnode_modules\ncoverage*\n"
    root = project.base(tmp_path / "project", {".gitignore": ignored})
    folder = root / "marks"  # not in the tree, and what a step leaves there stands for the next one
    folder.mkdir()
    append(root, {project.tests: project.flaky.format(mark=folder / "mark")})
    contract = AutonomyContract(agent="sample", version="1", steps=without(["tests"]), controls=controls)
    verdict = verify(root, contract=contract)
    tests = verdict.step("tests")
    assert tests is not None
    assert (verdict.type, tests.flaky) == expected, verdict.failure_reason


@every_project
def test_the_same_inputs_give_the_same_verdict(tmp_path: Path, project: Project) -> None:
    root = project.base(tmp_path / "project")
    append(root, {project.tests: project.failing("wrong")})
    quick = ["lint"] if project is PYTHON else []
    contract = terms(Case(only=[*quick, "tests"], kind="FAIL"))
    one_by_one, together = (verify(root, contract=contract, reuse=False, jobs=jobs) for jobs in (1, 4))
    assert same(one_by_one) == same(together)


def test_a_signed_pass_is_reused_until_an_input_changes(tmp_path: Path) -> None:
    root = PYTHON.base(tmp_path / "project", {".gitignore": ".coveragerc\n"})
    contract = AutonomyContract(agent="sample", version="1", steps=without(["lint"]))
    first = verify(root, contract=contract)
    second = verify(root, contract=contract)
    assert (first.type, first.reused_from) == ("PASS", None)
    assert second.reused_from == first.run_id
    assert same(second) == same(first)
    assert verify(root, contract=contract, reuse=False).reused_from is None
    assert verify(root, contract=dataclasses.replace(contract, version="2")).reused_from is None
    assert verify(root, contract=contract, commands={"lint": "ruff check src tests"}).reused_from is None
    write(root, {".coveragerc": "[report]\n"})  # ignored by git, and read by a tool
    assert verify(root, contract=contract).reused_from is None
    write(root, {"notes.md": "more\n"})
    assert verify(root, contract=contract).reused_from is None


def same(verdict: Verdict) -> dict[str, object]:
    """A verdict without ids, times and places, and without what a runner had not ended itself when it was over."""
    data = verdict.to_dict()
    for name in ("run_id", "started_at", "completed_at", "duration_ms", "artifact_path", "reused_from"):
        del data[name]
    for step in data["steps"]:
        step["duration_ms"], step["leftovers"] = 0, 0
    return data
