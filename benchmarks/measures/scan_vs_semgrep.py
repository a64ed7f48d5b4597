"""The static scan beside semgrep with equivalent rules: the same change, the same single core, the same run.

The change is the code of the packages installed beside Ralph, with tests in Python, TypeScript and Go in the
proportion of a usual commit, some of which cheat. Semgrep is asked about the same files; it comes from the package
registry into an environment of its own, which is thrown away. Its rules (`semgrep_rules.yml`) are those of ours that
patterns on one side of a file can say: ours do more work.

A round is the scan within the process, `ralph scan` as a whole process, and semgrep as a whole process. The ratios are
those of one round, the figures the medians of all rounds. Both programs have their byte code: pip compiles semgrep's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from report import Table, best_s

from measures.projects import repository, write
from measures.scanning import copy_packages
from ralph.guardrails.change import read_change
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.system.git import open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot

Told = dict[str, Any]
"""Semgrep's report."""

RULES = Path(__file__).with_name("semgrep_rules.yml")
PYTHON = "def test_{n}():\n    got = work({n}, 2)\n    assert got == {n} * 2\n    assert work(0, {n}) == 0\n\n\n"
TYPESCRIPT = 'test("works {n}", () => {{\n  const got = work({n}, 2);\n  expect(got).toBe({n} * 2);\n}});\n\n'
GO = 'func Test{n}(t *testing.T) {{\n\tif got := Work({n}); got != {n}*2 {{\n\t\tt.Errorf("got %d", got)\n\t}}\n}}\n\n'
CHEATS = {
    "tests/test_cheat.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_gone():\n    assert work(1) == 2\n",
    "web/cheat.test.ts": 'test.skip("gone", () => {\n  expect(work(1)).toBe(2);\n});\n',
    "go/cheat_test.go": 'package work\n\nimport "testing"\n\nfunc TestGone(t *testing.T) {\n\tt.Skip("later")\n}\n',
}


def measure(table: Table, work: Path, *, quick: bool) -> None:
    semgrep = _semgrep(work / "semgrep")
    if semgrep is None:
        table.row(
            "the scan beside semgrep", "not measured", "", "semgrep cannot be installed from the package registry"
        )
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        for lines in (1_000,) if quick else (1_000, 20_000, 200_000):
            _compare(
                table, _project(work / f"beside-semgrep-{lines}", lines), semgrep, times=5 if lines < 10_000 else 1
            )
    finally:
        os.sched_setaffinity(0, cores)


def _compare(table: Table, root: Path, semgrep: Path, times: int) -> None:
    repo, policy = open_repository(root), registry.load("v2")
    base, head = repo.tree_of(repo.resolve("HEAD")), snapshot(repo, shadow_dir(root)).tree
    change = read_change(repo, base, head)
    found = len(scan(change, policy))  # imports and compiled patterns are start-up, not speed
    told, command = _ask(semgrep, root), [sys.executable, "-m", "ralph", "scan", "--policy", "v2"]
    paths = [file.path for file in change.files]
    if missing := set(paths) - set(told["paths"]["scanned"]):
        raise RuntimeError(f"semgrep left out {len(missing)} files, {min(missing)} for one")
    _run(command, root, (0, 2))  # writes byte code
    ways: tuple[Callable[[], object], ...] = (
        lambda: scan(read_change(repo, base, head), policy),
        lambda: _run(command, root, (0, 2)),
        lambda: _ask(semgrep, root),
    )
    rounds = [[best_s(way, 1) for way in ways] for _ in range(times)]
    theirs = median(each[2] for each in rounds)
    beside = f"semgrep {theirs:.2f} s, {len(told['results'])} results; ours {found} findings; one core each"
    what = f"a change of {change.lines_added:,} lines in {len(paths)} files, median of {times}"
    for number, name in enumerate(("the scan in the process", "`ralph scan` as a whole")):
        ours = median(each[number] for each in rounds)
        faster = median(each[2] / each[number] for each in rounds)
        measured = f"{ours * 1000:,.0f} ms, {faster:.1f} times faster than semgrep"
        table.row(f"{what}: {name}", measured, "10 times faster, wished 20", beside)


def _semgrep(folder: Path) -> Path | None:
    """Its program, in a new environment; None if the registry does not have it."""
    venv.create(folder, with_pip=True)
    installed = subprocess.run([folder / "bin/pip", "install", "-q", "semgrep"], capture_output=True)
    return folder / "bin/semgrep" if installed.returncode == 0 else None


def _ask(semgrep: Path, root: Path) -> Told:
    options = ["--metrics", "off", "--disable-version-check", "--jobs", "1", "--no-git-ignore", "--json", "--quiet"]
    done = _run([str(semgrep), "scan", "--config", str(RULES), *options, "--max-target-bytes", "0", "."], root, (0,))
    told: Told = json.loads(done)
    return told


def _run(command: list[str], root: Path, good: tuple[int, ...]) -> bytes:
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=root, capture_output=True, env={**environ, "PATH": path})
    if done.returncode not in good:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return done.stdout


def _project(root: Path, lines: int) -> Path:
    """Six lines of ten are product code, the rest tests; a project of their kind was there before."""
    repository(root, {"README.md": "A project.\n", ".semgrepignore": "# By itself it leaves tests out.\n"})
    copy_packages(root, lines * 6 // 10)
    tests = lines // 10
    write(root, CHEATS)
    for number, at in enumerate(range(0, tests, 100)):
        cases = range(at, min(at + 100, tests))
        write(
            root,
            {
                f"tests/test_part_{number}.py": "from work import work\n\n\n" + _written(PYTHON, cases, 6),
                f"web/part_{number}.test.ts": 'import { work } from "./work";\n\n' + _written(TYPESCRIPT, cases, 5),
                f"go/part_{number}_test.go": 'package work\n\nimport "testing"\n\n' + _written(GO, cases, 6),
            },
        )
    return root


def _written(template: str, cases: range, lines: int) -> str:
    return "".join(template.format(n=n) for n in islice(cases, len(cases) // lines + 1))
