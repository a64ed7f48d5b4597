"""The static scan beside semgrep with equivalent rules: the same change, the same cores, the same run.

The change is the code of the packages installed beside Ralph, with tests in Python, TypeScript and Go in the
proportion of a usual commit, some of which cheat. Semgrep is asked about the same files; it comes from the package
registry into an environment of its own, which is thrown away.

What semgrep is asked (`semgrep_rules/`) is what of our rules it can say, as somebody would write it who uses semgrep in
the place of Ralph:

- There is a rule for each rule of v2 that looks at the files of this change (Python, TypeScript, JavaScript, Go, and
  what is looked at in every text file) or at configuration, pipelines and commands, if one side of one file shows what
  it looks for. It has the name of ours, and a language behind it where one language is not enough. Every one was seen
  to find a bad example of ours: the handbook's, or another case that our rule finds.
- Nothing is asked twice. Of two rules of ours that differ only in what stood there before (`py.skip` and
  `py.skip-new-test`), one has an equivalent.
- It looks at the files that ours looks at (`paths`), and asks for syntax where semgrep knows it; text is asked for what
  stands in comments and for files of which semgrep knows no syntax.
- None have what compares with the base or looks at several files: tests that are gone, weaker or expect something else,
  limits that fell, checks that no longer run, work that became a stub, answers made for a test, recorded results, links
  and submodules. None have the rules for languages that are not in the change (Rust, Java, Kotlin, C#, C++, PHP, Ruby).
  In all this ours do more work.

Semgrep reads these rules quickest as one JSON file, the form in which its registry hands rules out; so it is given one,
and the ratios are to that. What the same takes from the folder, as people keep rules, stands beside it, and so does
what semgrep says that its engine takes: the rest is its start and the reading of its rules.

Each has one core; of the largest change both are asked with all cores, too, which both use.

A round is the scan within the process, `ralph scan` as a whole process, and semgrep as a whole process. The ratios are
those of one round, the figures the medians of all rounds. Both programs have their byte code: pip compiles semgrep's.
"""

from __future__ import annotations

import json
import os
import re
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
from ralph.policy.model import PolicySet
from ralph.system.git import open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot
from ralph.system.yaml import load_yaml

Told = dict[str, Any]
"""Semgrep's report."""

FOLDER = Path(__file__).with_name("semgrep_rules")
LANGUAGES = re.compile(r"-(?:python|js|go|shell)$")
"""What the name of an equivalent may have behind the name of our rule."""
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
    cores, rules = os.sched_getaffinity(0), work / "rules.json"
    rules.write_text(json.dumps({"rules": _rules()}))
    try:
        for lines, times in ((1_000, 5),) if quick else ((1_000, 5), (20_000, 3), (200_000, 3)):
            root = _project(work / f"beside-semgrep-{lines}", lines)
            for own in ({min(cores)}, cores) if lines > 100_000 else ({min(cores)},):
                os.sched_setaffinity(0, own)
                _compare(table, root, semgrep, rules, times)
    finally:
        os.sched_setaffinity(0, cores)


def _compare(table: Table, root: Path, semgrep: Path, rules: Path, times: int) -> None:
    cores = len(os.sched_getaffinity(0))
    repo, policy = open_repository(root), registry.load("v2")
    base, head = repo.tree_of(repo.resolve("HEAD")), snapshot(repo, shadow_dir(root)).tree
    change = read_change(repo, base, head)
    found = len(scan(change, policy))  # imports and compiled patterns are start-up, not speed
    told, command = _ask(semgrep, root, rules, "--time"), [sys.executable, "-m", "ralph", "scan", "--policy", "v2"]
    paths = [file.path for file in change.files]
    if missing := set(paths) - set(told["paths"]["scanned"]):
        raise RuntimeError(f"semgrep left out {len(missing)} files, {min(missing)} for one")
    _run(command, root, (0, 2))  # writes byte code
    ways: tuple[Callable[[], object], ...] = (
        lambda: scan(read_change(repo, base, head), policy),
        lambda: _run(command, root, (0, 2)),
        lambda: _ask(semgrep, root, rules),
        lambda: _ask(semgrep, root, FOLDER),
    )
    rounds = [[best_s(way, 1) for way in ways] for _ in range(times)]
    theirs, from_folder = (median(each[number] for each in rounds) for number in (2, 3))
    engine, asked = told["time"]["profiling_times"]["core_time"], _asked(_rules(), policy)
    beside = f"semgrep {theirs:.2f} s (its engine {engine:.2f} s; with the rules as YAML {from_folder:.2f} s), "
    beside += f"{len(told['results'])} results, {asked}; ours {found} findings, {len(policy.rules)} rules"
    what = f"a change of {change.lines_added:,} lines in {len(paths)} files, cores: {cores}, median of {times}"
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


def _asked(rules: list[Any], policy: PolicySet) -> str:
    """How many rules semgrep is asked, and for how many of ours they stand. None may stand for what is none of ours."""
    ours, names = {rule.replace(".", "-") for rule in policy.rules}, [rule["id"] for rule in rules]
    stands_for = {name if name in ours else LANGUAGES.sub("", name) for name in names}
    if len(names) != len(set(names)) or not stands_for <= ours:
        raise RuntimeError(f"rules for semgrep that are none of ours, or twice the same: {sorted(stands_for - ours)}")
    return f"{len(names)} rules for {len(stands_for)} of ours"


def _rules() -> list[Any]:
    read = (load_yaml(path.read_text("utf-8"), str(path)) for path in sorted(FOLDER.glob("*.yml")))
    return [rule for file in read for rule in file["rules"]]


def _ask(semgrep: Path, root: Path, rules: Path, *more: str) -> Told:
    """It gives nothing up for time or size, and no comment hides a finding from it: so it is with us."""
    jobs = ["--jobs", str(len(os.sched_getaffinity(0)))]
    quiet = ["--metrics", "off", "--disable-version-check", "--json", "--quiet"]
    all_of_it = ["--disable-nosem", "--no-git-ignore", "--timeout", "0", "--max-target-bytes", "0", "."]
    command = [str(semgrep), "scan", "--config", str(rules), *quiet, *jobs, *more, *all_of_it]
    told: Told = json.loads(_run(command, root, (0,)))
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
    ignored = "# By itself it leaves tests out, too.\n.git/\n"
    repository(root, {"README.md": "A project.\n", ".semgrepignore": ignored})
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
