"""eslint: its JSON report, one entry for every file it read, so that work is proved.

Warnings are no errors, but `--max-warnings` may end the command with 1. Findings that a comment suppressed are
counted as `suppressed`; `--quiet` only hides warnings.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ralph.steps.reports.values import ReportError, items, json_value, mapping, string, whole
from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown

_TOO_MANY = "too many warnings"


def read(evidence: Evidence) -> Reading:
    if evidence.report is None:
        return Reading(problem="eslint wrote no report")
    try:
        files = [mapping(each, "a file") for each in items(json_value(evidence.report, "the report of eslint"), "it")]
        failures = tuple(name for file in files for name in _failures(file, evidence.root))
        counts: dict[str, float] = {
            "errors": len(failures),
            "warnings": sum(_count(file, "warningCount") for file in files),
            "files": len(files),
            "suppressed": sum(len(items(file.get("suppressedMessages", []), "suppressedMessages")) for file in files),
        }
        stated = sum(max(_count(file, "errorCount"), _count(file, "fatalErrorCount")) for file in files)
    except ReportError as error:
        return Reading(problem=str(error))
    if stated != len(failures):
        return Reading(problem=f"the report of eslint contradicts itself ({stated} errors, {len(failures)} listed)")
    if not files:
        return Reading(counts=counts, problem="eslint found no file to check")
    excuse = f"{counts['warnings']:.0f} warnings are more than the command allows" if counts["warnings"] else None
    return Reading(
        counts=counts,
        failures=tuple(dict.fromkeys(failures)),
        excuse=excuse if _TOO_MANY in evidence.output else None,
    )


def _failures(file: Mapping[str, Any], root: Path) -> list[str]:
    path = shown(string(file.get("filePath"), "filePath in the report of eslint"), root)
    messages = [mapping(each, "a message") for each in items(file.get("messages"), "messages in the report of eslint")]
    errors = [each for each in messages if each.get("severity") == 2 or each.get("fatal")]
    return [f"{path}: {each.get('ruleId') or 'fatal'} {each.get('message', '')}" for each in errors]


def _count(file: Mapping[str, Any], key: str) -> int:
    return whole(file.get(key, 0), f"{key} in the report of eslint")


RECIPE = Recipe(
    tool="eslint",
    kind="diagnostics",
    names=frozenset({"eslint"}),
    report="eslint.json",
    arguments=("--format", "json", "--output-file", "{report}"),
    unsuppressed=("--no-inline-config",),
    read=read,
)
