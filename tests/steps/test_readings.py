"""What recipes make of output and reports that real tools do not give on demand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ralph.steps.tools import eslint, generic, mypy, pyright, ruff, tsc
from ralph.steps.tools.recipe import Evidence, Recipe


def evidence(output: str = "", report: str | None = None, exit_code: int = 0, invocations: int = 1) -> Evidence:
    data = None if report is None else report.encode()
    return Evidence(output=output, report=data, exit_code=exit_code, root=Path("/repo"), invocations=invocations)


def pyright_report(errors: int, files: int, listed: int | None = None) -> str:
    finding = {"file": "/repo/a.py", "severity": "error", "rule": "reportX", "message": "no\n  good"}
    summary = {"filesAnalyzed": files, "errorCount": errors, "warningCount": 0}
    return json.dumps({"generalDiagnostics": [finding] * (errors if listed is None else listed), "summary": summary})


CLEAN_FILE = '{"filePath": "/repo/a.js", "messages": [], "errorCount": 0, "warningCount": 0}'
PROBLEMS = {
    "ruff, another format": (ruff.RECIPE, evidence(report="::error file=a.py"), "not JSON"),
    "ruff, no list": (ruff.RECIPE, evidence(report="{}"), "no JSON list"),
    "ruff, statistics": (ruff.RECIPE, evidence(report='[{"code": "F401", "count": 3}]'), "filename"),
    "ruff, silent about files": (ruff.RECIPE, evidence(report="[]"), "no file"),
    "eslint, cut off": (eslint.RECIPE, evidence(report="[{"), "cut off"),
    "eslint, an error that is not listed": (
        eslint.RECIPE,
        evidence(report=f"[{CLEAN_FILE.replace('0', '1', 1)}]"),
        "contradicts itself",
    ),
    "mypy, silent": (mypy.RECIPE, evidence(), "how many files"),
    "mypy, once for two": (
        mypy.RECIPE,
        evidence("Success: no issues found in 1 source file\n", invocations=2),
        "how many files",
    ),
    "mypy, a sum that is wrong": (
        mypy.RECIPE,
        evidence("Found 3 errors in 1 file (checked 2 source files)"),
        "sums up",
    ),
    "tsc, silent": (tsc.RECIPE, evidence(), "no file of the project"),
    "tsc, only libraries": (
        tsc.RECIPE,
        evidence("/repo/node_modules/x/index.d.ts\n/usr/lib/lib.es5.d.ts\n"),
        "no file",
    ),
    "pyright, no JSON": (pyright.RECIPE, evidence('File "x" does not exist'), "no JSON report"),
    "pyright, no file": (pyright.RECIPE, evidence(pyright_report(0, 0)), "no file"),
    "pyright, a sum that is wrong": (pyright.RECIPE, evidence(pyright_report(2, 1, listed=1)), "sums up"),
    "pyright, once for two": (pyright.RECIPE, evidence(pyright_report(0, 1), invocations=2), "no JSON report"),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_proves_nothing_is_a_problem(case: str) -> None:
    recipe, given, problem = PROBLEMS[case]
    assert problem in (recipe.read(given).problem or "")


def test_pyright_is_read_among_other_output() -> None:
    reading = pyright.RECIPE.read(evidence(f"> lint {{x}}\n{pyright_report(1, 2)}\nbye\n"))
    assert (reading.counts["errors"], reading.counts["files"]) == (1, 2)
    assert reading.failures == ("a.py: reportX no good",)


FORMS = {
    "go vet": ("./a.go:3:2: unreachable code\n", "a.go: unreachable code"),
    "golangci-lint": ("pkg/a.go:3: too long (lll)\n", "pkg/a.go: too long (lll)"),
    "clippy": ("error: x\n  --> src/a.rs:3:5\n", "src/a.rs"),
    "C#": ("src/A.cs(3,5): error CS0103: no such name\n", "src/A.cs: error CS0103: no such name"),
    "flake8": ("/repo/a b.py:1:1: F401 unused\n", "a b.py: F401 unused"),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_unknown_tool_names_places_in_the_common_forms(form: str) -> None:
    output, failure = FORMS[form]
    reading = generic.RECIPE.read(evidence(output, exit_code=1))
    assert (reading.failures, reading.counts) == ((failure,), {})


@pytest.mark.parametrize("recipe", [ruff.RECIPE, eslint.RECIPE], ids=lambda recipe: str(recipe.tool))
def test_a_report_that_is_missing_is_a_problem(recipe: Recipe) -> None:
    assert "wrote no report" in (recipe.read(evidence()).problem or "")
