"""mypy: its own words, which end with how many files it checked; JSON output leaves that out and proves nothing.

An error that stops it early (a syntax error, a path that is missing) ends it with 2. With a line number it is a finding
like any other, else mypy could not work.
"""

from __future__ import annotations

import re

from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown

_CLEAN = re.compile(r"^Success: no issues found in (\d+) source files?$", re.MULTILINE)
_FOUND = re.compile(
    r"^Found (\d+) errors? in \d+ files? \((?:checked (\d+) source files?|(errors prevented) further checking)\)$",
    re.MULTILINE,
)
_ERROR = re.compile(
    r"^(?P<path>[^\n:]+)(?P<line>:\d+)?(?::\d+)?: error: (?P<text>[^\n]*?)(?:  \[(?P<code>[\w-]+)\])?$", re.M
)


def read(evidence: Evidence) -> Reading:
    clean = [int(number) for number in _CLEAN.findall(evidence.output)]
    found = [(int(errors), int(checked or 0)) for errors, checked, _ in _FOUND.findall(evidence.output)]
    errors = list(_ERROR.finditer(evidence.output))
    failures = tuple(f"{shown(e['path'], evidence.root)}: {e['code'] or 'error'} {e['text']}" for e in errors)
    counts: dict[str, float] = {"errors": sum(number for number, _ in found)}
    if files := sum(clean) + sum(checked for _, checked in found):
        counts["files"] = files
    if evidence.exit_code == 2 and not any(error["line"] for error in errors):
        return Reading(problem="mypy could not check anything")
    if counts["errors"] != len(failures):
        return Reading(problem=f"mypy sums up {counts['errors']:.0f} errors, but its output shows {len(failures)}")
    if not failures and (not files or len(clean) + len(found) < evidence.invocations):
        return Reading(counts=counts, problem="mypy did not say how many files it checked")
    return Reading(counts=counts, failures=tuple(dict.fromkeys(failures)))


RECIPE = Recipe(
    tool="mypy",
    kind="diagnostics",
    names=frozenset({"mypy"}),
    arguments=(
        "--no-pretty", "--no-color-output", "--show-error-codes", "--hide-error-context", "--error-summary",
    ),
    replaces={"--output": True, "-O": True},
    read=read,
)  # fmt: skip
