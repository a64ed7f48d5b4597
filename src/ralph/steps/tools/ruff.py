"""ruff check: its JSON report, asked for by variables, because it refuses an option that is given twice.

It says nothing about how many files it read unless it is verbose, and ends with 0 and an empty report when there are
none; so it is made verbose where Ralph can see its command line. `--exit-zero` hides nothing: findings are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ralph.steps.reports.values import ReportError, items, json_value, mapping, string
from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown

_CHECKED = re.compile(r"\[DEBUG\] Checked (\d+) files? in")
_UNREADABLE = "E902"
_NO_FILES = "No Python files found"


def read(evidence: Evidence) -> Reading:
    if evidence.report is None:
        return Reading(problem="ruff wrote no report")
    try:
        listed = items(json_value(evidence.report, "the report of ruff"), "the report of ruff")
        findings = [mapping(each, "a finding of ruff") for each in listed]
        unread = [_identity(each, evidence.root) for each in findings if each.get("code") == _UNREADABLE]
        failures = [_identity(each, evidence.root) for each in findings if each.get("code") != _UNREADABLE]
    except ReportError as error:
        return Reading(problem=str(error))
    counts: dict[str, float] = {"errors": len(failures)}
    checked = [int(number) for number in _CHECKED.findall(evidence.output)]
    if checked:
        counts["files"] = sum(checked)
    problem = None
    if unread:
        problem = f"ruff could not read {unread[0]}"
    elif _NO_FILES in evidence.output or (evidence.invocations and not sum(checked)):
        problem = "ruff found no file to check"
    return Reading(counts=counts, failures=tuple(dict.fromkeys(failures)), problem=problem)


def _identity(finding: Mapping[str, object], root: Path) -> str:
    path, message = (string(finding.get(key), f"{key} of a finding of ruff") for key in ("filename", "message"))
    return f"{shown(path, root)}: {finding.get('code') or 'syntax-error'} {message}"


_VARIABLES = {"RUFF_OUTPUT_FORMAT": "json", "RUFF_OUTPUT_FILE": "{report}", "RUFF_NO_CACHE": "true"}

RECIPE = Recipe(
    tool="ruff",
    kind="diagnostics",
    names=frozenset({"ruff"}),
    needs="check",
    report="ruff.json",
    arguments=("--verbose",),
    unsuppressed=("--ignore-noqa",),
    variables=_VARIABLES,
    environment=_VARIABLES,
    replaces={
        "--output-format": True, "--output-file": True, "-o": True, "--statistics": False,
        "-q": False, "--quiet": False, "-s": False, "--silent": False, "-v": False, "--verbose": False,
    },
    read=read,
)  # fmt: skip
