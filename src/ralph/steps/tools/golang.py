"""`go test`: its own events, one JSON object a line, which it writes around all that tests say.

Go caches what passed; `-count=1` makes it run. A package that does not build, or ends without its tests' ends, is
broken as a whole. Events name packages and tests; the files are found in the tree, so that ids are those of other
runners: `pkg/a_test.go::TestA/case`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ralph.record import field, record
from ralph.steps.reports.tests import TestReport
from ralph.steps.tools.recipe import Evidence, Reading, Recipe

_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_TEST = re.compile(r"^func ((?:Test|Example|Fuzz|Benchmark)\w*)\s*\(", re.MULTILINE)
_ENDS = {"pass": "passed", "fail": "failed", "skip": "skipped"}


@record(frozen=False)
class _Package:
    """What the events say of one package."""

    end: str | None = None
    begun: dict[str, str | None] = field(default_factory=dict)
    """Tests, and how they ended."""


def read(evidence: Evidence) -> Reading:
    packages: dict[str, _Package] = {}
    for event in _events(evidence.output):
        package = packages.setdefault(event["Package"], _Package())
        action, test = event["Action"], event.get("Test")
        if isinstance(test, str):
            if action == "run" or action in _ENDS:
                package.begun[test] = _ENDS.get(action)
        elif action in _ENDS:
            package.end = _ENDS[action]
    if not packages:
        return Reading(problem="go test wrote no events (-json must reach it)")
    report = _report(packages, _Files(evidence.root))
    open_end = next((name for name, package in packages.items() if package.end is None), None)
    problem = f"go test did not say how {open_end} ended" if open_end else None
    return Reading(counts=report.counts(), failures=report.bad, tests=report, problem=problem)


def _events(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        if line.startswith("{"):
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event.get("Package"), str) and isinstance(event.get("Action"), str):
                yield event


def _report(packages: dict[str, _Package], files: _Files) -> TestReport:
    ids: dict[str, list[str]] = {"passed": [], "failed": [], "broken": [], "skipped": []}
    for name, package in packages.items():
        for test, end in package.begun.items():
            ids[end or "broken"].append(files.id_of(name, test))
        explained = any(end != "passed" and end != "skipped" for end in package.begun.values())
        if package.end == "failed" and not explained:
            ids["broken"].append(name)
    return TestReport(**{kind: tuple(found) for kind, found in ids.items()})


class _Files:
    """Where tests stand, by their package."""

    def __init__(self, root: Path) -> None:
        self._places: dict[tuple[str, str], str] = {}
        modules: dict[str, str] = {}
        for folder, inner, names in os.walk(root):
            inner[:] = sorted(name for name in inner if name != "vendor" and not name.startswith("."))
            place = PurePosixPath(Path(folder).relative_to(root).as_posix())
            if "go.mod" in names and (found := _MODULE.search(_text(Path(folder) / "go.mod"))):
                modules[str(place)] = found[1]
            package = _import_path(place, modules)
            for name in sorted(names) if package else ():
                if name.endswith("_test.go"):
                    for test in _TEST.findall(_text(Path(folder) / name)):
                        self._places[package or "", test] = str(place / name)

    def id_of(self, package: str, test: str) -> str:
        return f"{self._places.get((package, test.partition('/')[0]), package)}::{test}"


def _import_path(place: PurePosixPath, modules: dict[str, str]) -> str | None:
    for folder in (place, *place.parents):
        if module := modules.get(str(folder)):
            return str(PurePosixPath(module) / place.relative_to(folder))
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace") if path.is_file() and not path.is_symlink() else ""
    except OSError:
        return ""


RECIPE = Recipe(
    tool="go",
    kind="tests",
    names=frozenset({"go"}),
    needs="test",
    arguments=("-json", "-count=1"),
    to_the_end=("-failfast=false",),
    to_the_first=("-failfast",),
    takes_paths=False,
    read=read,
)
