"""pyright: its JSON on standard output, with how many files it analysed (none is exit 0, a bad path no JSON at all)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ralph.steps.reports.values import ReportError, items, mapping, string, whole
from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown


def read(evidence: Evidence) -> Reading:
    try:
        documents = list(_documents(evidence.output))
        summaries = [mapping(each["summary"], "the summary of pyright") for each in documents]
        failures = tuple(name for document in documents for name in _failures(document, evidence.root))
        counts: dict[str, float] = {
            name: sum(whole(summary.get(key), f"{key} of pyright") for summary in summaries)
            for name, key in (("errors", "errorCount"), ("warnings", "warningCount"), ("files", "filesAnalyzed"))
        }
    except ReportError as error:
        return Reading(problem=str(error))
    if len(documents) < max(1, evidence.invocations) and not failures:
        return Reading(problem="pyright gave no JSON report")
    if counts["errors"] != len(failures):
        return Reading(problem=f"pyright sums up {counts['errors']:.0f} errors, but its report lists {len(failures)}")
    if not counts["files"]:
        return Reading(counts=counts, problem="pyright found no file to check")
    excuse = f"{counts['warnings']:.0f} warnings" if counts["warnings"] else None
    return Reading(counts=counts, failures=tuple(dict.fromkeys(failures)), excuse=excuse)


def _documents(output: str) -> Iterator[Mapping[str, Any]]:
    """Every report in the output; package managers print lines of their own around it."""
    decoder, position = json.JSONDecoder(), 0
    while (position := output.find("{", position)) >= 0:
        try:
            value, position = decoder.raw_decode(output, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict) and {"generalDiagnostics", "summary"} <= value.keys():
            yield value


def _failures(document: Mapping[str, Any], root: Path) -> Iterator[str]:
    for value in items(document["generalDiagnostics"], "generalDiagnostics of pyright"):
        finding = mapping(value, "a finding of pyright")
        if finding.get("severity") == "error":
            path, message = (string(finding.get(key), f"{key} of a finding of pyright") for key in ("file", "message"))
            yield f"{shown(path, root)}: {finding.get('rule') or 'error'} {' '.join(message.split())}"


RECIPE = Recipe(
    tool="pyright",
    kind="diagnostics",
    names=frozenset({"pyright", "basedpyright"}),
    arguments=("--outputjson",),
    replaces={"--outputjson": False, "--stats": False, "--verbose": False},
    read=read,
)
