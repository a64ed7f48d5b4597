"""The engine on a Python project with real ruff, mypy, pytest and coverage."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ralph import contracts
from ralph.verdict import Verdict, VerdictType
from tests.engine.sample import sample, verify
from tests.project import commit, git, write

BAD_TEST = "\n\ndef test_wrong() -> None:\n    assert mean([1.0]) == 2.0\n"
SOURCE = "src/calc/__init__.py"
TESTS = "tests/test_mean.py"


TABLE = "\n".join(
    [
        *(f"a{n} = {n}" for n in range(73)),
        "def unused() -> int:",
        *(f"    b{n} = {n}" for n in range(20)),
        "    return b1",
        "",
    ]
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A change on top of the green base, and what must come of it."""

    append: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str | None] = field(default_factory=dict)
    commands: Mapping[str, str | None] = field(default_factory=dict)
    contract: str | None = None
    timeout_s: float = 60.0
    kind: str
    step: str | None = None
    reason: str = ""
    """Words of the failure reason."""


CASES = {
    "nothing changed": Case(kind="PASS"),
    "clean change": Case(
        append={SOURCE: "\n\ndef double(value: float) -> float:\n    return 2 * value\n"},
        files={
            "tests/test_double.py": "from calc import double\n\n\ndef test_double() -> None:\n    assert double(2) == 4\n"
        },
        kind="PASS",
    ),
    "lint error": Case(append={SOURCE: "\nimport os\n"}, kind="FAIL", step="lint", reason="F401"),
    "type error": Case(
        append={SOURCE: "\n\ndef half(value: float) -> int:\n    return value / 2\n"},
        kind="FAIL",
        step="typecheck",
        reason="return-value",
    ),
    "failing test": Case(append={TESTS: BAD_TEST}, kind="FAIL", step="tests", reason="test_wrong"),
    "coverage 79": Case(
        append={SOURCE: "\nfrom calc import table as table\n"},
        files={"src/calc/table.py": TABLE},
        contract="feature",
        kind="FAIL",
        step="coverage",
        reason="coverage: 79.0 % of lines is below 80 %",
    ),
    "type: ignore": Case(
        append={SOURCE: "\nx: int = 1  # type: ignore\n"}, kind="BLOCKED", step="guardrail", reason="Type"
    ),
    "noqa": Case(append={SOURCE: "\nimport os  # noqa\n"}, kind="BLOCKED", step="guardrail", reason="Noqa"),
    "pytest skip": Case(
        append={TESTS: "\n\n@pytest.mark.skip\ndef test_later() -> None:\n    assert mean([1.0]) == 2.0\n"},
        kind="BLOCKED",
        step="guardrail",
        reason="Skipped tests",
    ),
    "coverage floor lowered": Case(kind="BLOCKED", step="guardrail", reason="threshold"),
    "untracked file with a suppression": Case(
        files={"new/deep.py": "import os  # noqa\n"}, kind="BLOCKED", step="guardrail", reason="new/deep.py"
    ),
    "101 lines without a contract": Case(
        files={"notes.md": "line\n" * 101}, kind="FAIL", step="thresholds", reason="101 lines added"
    ),
    "101 lines in a bugfix": Case(
        files={"notes.md": "line\n" * 101}, contract="bugfix", kind="BLOCKED", step="contract_check", reason="(101)"
    ),
    "101 lines in a feature": Case(files={"notes.md": "line\n" * 101}, contract="feature", kind="PASS"),
    "code in a docs contract": Case(
        append={SOURCE: "\n"}, contract="docs", kind="BLOCKED", step="contract_check", reason="outside"
    ),
    "a test more in a refactoring": Case(
        append={TESTS: "\n\ndef test_more() -> None:\n    assert mean([2.0]) == 2.0\n"},
        contract="refactor",
        kind="FAIL",
        step="tests",
        reason="the tests of the base",
    ),
    "an honest refactoring": Case(append={SOURCE: "\nNAME = 'calc'\n"}, contract="refactor", kind="PASS"),
    "no command": Case(
        commands={"typecheck": None}, kind="FAIL", step="typecheck", reason="could not verify: typecheck: no command"
    ),
    "missing tool": Case(
        commands={"lint": "rufff check ."}, kind="FAIL", step="lint", reason="rufff: command not found"
    ),
    "killed by itself": Case(commands={"test": "kill -9 $$"}, kind="FAIL", step="tests", reason="ended by SIGKILL"),
    "hangs": Case(
        commands={"test": "sleep 300"}, timeout_s=8.0, kind="FAIL", step="tests", reason="did not end within"
    ),
    "leaves a child behind": Case(commands={"test": "(setsid sleep 300 >/dev/null 2>&1 &) ; pytest -q"}, kind="PASS"),
    "prints 200 MB": Case(commands={"test": "head -c 200000000 /dev/zero | tr '\\0' x; pytest -q"}, kind="PASS"),
    "a report of an earlier run": Case(
        commands={"coverage": "true"}, kind="FAIL", step="coverage", reason="could not verify: coverage"
    ),
    "zero tests": Case(commands={"test": "pytest -q -k absent"}, kind="FAIL", step="tests", reason="could not verify"),
    "zero tests, exit 0": Case(
        commands={"test": "pytest -q -k absent || true"}, kind="FAIL", step="tests", reason="could not verify"
    ),
    "a failure hidden by the shell": Case(
        append={TESTS: BAD_TEST}, commands={"test": "pytest -q || true"}, kind="FAIL", step="tests", reason="1"
    ),
    "output that is not UTF-8": Case(commands={"test": "printf '\\377\\376\\n'; pytest -q"}, kind="PASS"),
    "a step changes the tree": Case(
        commands={"lint": "ruff check . ; echo more >> notes.txt"},
        kind="FAIL",
        step="lint",
        reason="could not verify: lint: the tree changed while the steps ran: notes.txt",
    ),
}


def run(root: Path, case: Case, **options: object) -> Verdict:
    for name, text in case.append.items():
        write(root, {name: (root / name).read_text() + text})
    write(root, {name: text for name, text in case.files.items() if text is not None})
    contract = contracts.load(case.contract) if case.contract else None
    return verify(root, contract=contract, commands=case.commands, step_timeout_s=case.timeout_s, **options)


@pytest.mark.parametrize("name", CASES)
def test_verdicts(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    root = sample("python", tmp_path / "calc")
    (root / "coverage.json").write_text('{"left over": true}')
    if name == "coverage floor lowered":
        write(root, {"pyproject.toml": (root / "pyproject.toml").read_text().replace("80", "70")})
        case = dataclasses.replace(case, files={}, append={})
    verdict = run(root, case)
    assert (verdict.type, verdict.failed_step) == (case.kind, case.step), verdict.failure_reason
    assert case.reason in (verdict.failure_reason or "")
    assert (root / "coverage.json").read_text() == '{"left over": true}'
    assert git(root, "status", "--porcelain", ".ralph") == ""
    if verdict.type is VerdictType.FAIL and (verdict.failure_reason or "").startswith("could not verify"):
        step = verdict.step(case.step or "")
        assert step is not None
        assert step.status == "error"
        assert step.counts.keys() <= {"leftovers"}


def test_nothing_outlives_a_step(tmp_path: Path) -> None:
    root = sample("python", tmp_path / "calc")
    mark = f"301{os.getpid()}"
    verdict = run(root, Case(commands={"test": f"(setsid sleep {mark} &) ; pytest -q"}, kind="PASS"))
    tests = verdict.step("tests")
    assert tests is not None
    assert tests.counts["leftovers"] >= 1
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(mark.encode() in line for line in running)


def test_a_suppression_that_the_agent_committed(tmp_path: Path) -> None:
    root = sample("python", tmp_path / "calc")
    git(root, "checkout", "-q", "-b", "work")
    commit(root, {"src/calc/more.py": "import os  # noqa\n"})
    commit(root, {"notes.md": "done\n"})
    verdict = verify(root)
    assert (verdict.type, verdict.failed_step) == ("BLOCKED", "guardrail")
    assert verdict.base_commit == git(root, "rev-parse", "main")


def test_failures_are_told_to_be_new_old_or_fixed(tmp_path: Path) -> None:
    old = "\n\ndef test_old() -> None:\n    assert mean([1.0]) == 2.0\n"
    mended = "\n\ndef test_mended() -> None:\n    assert mean([4.0]) == 5.0\n"
    root = sample("python", tmp_path / "calc")
    text = (root / TESTS).read_text()
    commit(root, {TESTS: text + old + mended})
    write(root, {TESTS: text + old + mended.replace("5.0", "4.0") + BAD_TEST})
    verdict = verify(root)
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")
    told = {
        kind: [name for name in getattr(verdict, kind) if name.startswith("tests: ")]
        for kind in ("regressions", "pre_existing", "fixed")
    }
    assert {kind: [name.rsplit("::")[-1] for name in names] for kind, names in told.items()} == {
        "regressions": ["test_wrong"],
        "pre_existing": ["test_old"],
        "fixed": ["test_mended"],
    }


@pytest.mark.parametrize(
    ("rerun", "accept", "expected"),
    [(False, False, ("FAIL", False)), (True, False, ("FAIL", True)), (True, True, ("PASS", True))],
    ids=["run once", "run again", "accepted"],
)
def test_a_flaky_test(tmp_path: Path, rerun: bool, accept: bool, expected: tuple[str, bool]) -> None:
    root = sample("python", tmp_path / "calc")
    mark = tmp_path / "mark"
    flaky = f"\n\ndef test_flaky() -> None:\n    import pathlib\n    mark = pathlib.Path({str(mark)!r})\n    seen = mark.exists()\n    mark.touch()\n    assert seen\n"
    write(root, {TESTS: (root / TESTS).read_text() + flaky})
    controls = contracts.Controls(rerun_failed_tests=rerun, accept_flaky=accept)
    contract = dataclasses.replace(contracts.load("bugfix"), controls=controls)
    verdict = verify(root, contract=contract)
    tests = verdict.step("tests")
    assert tests is not None
    assert (verdict.type, tests.flaky) == expected, verdict.failure_reason


def test_the_same_inputs_give_the_same_verdict(tmp_path: Path) -> None:
    root = sample("python", tmp_path / "calc")
    write(root, {SOURCE: (root / SOURCE).read_text() + "\nimport os\n", TESTS: (root / TESTS).read_text() + BAD_TEST})
    first, *others = (verify(root, reuse=False, jobs=jobs) for jobs in (1, 4, 2))
    for other in others:
        assert same(other) == same(first)


def test_a_signed_pass_is_reused_until_an_input_changes(tmp_path: Path) -> None:
    root = sample("python", tmp_path / "calc")
    first = verify(root)
    second = verify(root)
    assert (first.type, first.reused_from) == ("PASS", None)
    assert second.reused_from == first.run_id
    assert same(second) == same(first)
    assert verify(root, reuse=False).reused_from is None
    assert verify(root, commands={"lint": "ruff check src tests"}).reused_from is None
    write(root, {"notes.md": "more\n"})
    assert verify(root).reused_from is None


def same(verdict: Verdict) -> dict[str, object]:
    """A verdict without ids, times and places."""
    data = verdict.to_dict()
    for name in ("run_id", "started_at", "completed_at", "duration_ms", "artifact_path", "reused_from"):
        del data[name]
    for step in data["steps"]:
        step["duration_ms"] = 0
    return data
