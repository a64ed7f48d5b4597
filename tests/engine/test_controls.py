"""The controls on real projects: what they cost and leave behind, and honest ways that look like crooked ones."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from ralph.cli.render import render_verdict
from ralph.contracts import AutonomyContract, Controls
from ralph.permissions.sandbox.model import Level
from ralph.results import ControlResult
from ralph.verdict import Verdict
from tests.engine.matrix import without
from tests.engine.projects import PYTHON, VITEST, Project
from tests.engine.sample import TOOLS, context_of, verify
from tests.engine.wreckage import fingerprint
from tests.project import write
from tests.redteam.project import Attack, WithoutRules
from tests.redteam.pytest_target import CHEAPEST, GOOD_CHANGE, PYPROJECT, SHOP, TESTS, P, T
from tests.steps.workshop import needs_node

ALL = Controls(mutants="show")


def contract(controls: Controls, *steps: str) -> AutonomyContract:
    return AutonomyContract(agent="sample", version="1", steps=without(steps or ("tests",)), controls=controls)


def controls_of(verdict: Verdict, step: str = "tests") -> dict[str, ControlResult]:
    found = verdict.step(step)
    assert found is not None
    return {each.name: each for each in found.controls}


def test_an_honest_change_and_what_its_controls_cost(tmp_path: Path) -> None:
    root = SHOP.honest(tmp_path / "shop", Attack(files={}, twin={}))
    verdict = SHOP.verify(root, Attack(files={}, twin={}), rules=False, contract=contract(ALL))
    found = controls_of(verdict)
    assert verdict.is_terminal_pass()
    assert {name: each.status for name, each in found.items()} == {
        "inventory": "held", "canary": "held", "restored": "idle", "negative": "held", "former": "idle",
        "mutants": "held",
    }  # fmt: skip
    assert all(each.duration_ms > 0 for each in found.values() if each.status != "idle")
    folder = root / verdict.artifact_path
    summary = (folder / "SUMMARY.md").read_text()
    assert "## Controls" in summary
    assert f"| canary | tests | held | {found['canary'].duration_ms} ms |" in summary
    assert (folder / "controls/canary/steps/tests/junit.xml").is_file()
    recorded = json.loads((folder / "verdict.json").read_text())
    assert recorded == verdict.to_dict()
    assert Verdict.from_dict(recorded) == verdict


def test_switched_off(tmp_path: Path) -> None:
    off = Controls(
        test_inventory="free", canary="none", restored="none", negative="none", former="none", suppressions="none"
    )
    root = SHOP.honest(tmp_path / "shop", Attack(files={}, twin={}))
    verdict = SHOP.verify(root, Attack(files={}, twin={}), rules=False, contract=contract(off))
    assert {each.status for each in controls_of(verdict).values()} == {"off"}
    assert not (root / verdict.artifact_path / "controls").exists()


@pytest.mark.parametrize("files", [{}, {"README.md": "More.\n"}], ids=["nothing", "documents"])
def test_nothing_to_control(tmp_path: Path, files: Mapping[str, str]) -> None:
    root = PYTHON.base(tmp_path / "calc")
    write(root, files)
    verdict = verify(root, contract=contract(Controls()))
    assert verdict.is_terminal_pass()
    assert {each.status for each in controls_of(verdict).values()} == {"idle", "off"}


def test_one_by_one_where_runs_could_meet(tmp_path: Path) -> None:
    """Without namespaces, copies would share ports and folders with the tests in place."""
    root = SHOP.honest(tmp_path / "shop", Attack(files={}, twin={}))
    write(root, {"tests/test_lock.py": LOCK.format(lock=tmp_path / "lock")})
    engine = WithoutRules(
        repository=root, environ={**os.environ, "PATH": TOOLS}, jobs=4, sandbox=Level.NONE, policy="v2"
    )
    verdict = engine.verify(SHOP.context(root), contract(Controls()))
    assert verdict.is_terminal_pass(), verdict.failure_reason
    assert controls_of(verdict)["canary"].status == "held"


LOCK = """\
import os
import time


def test_alone():
    descriptor = os.open("{lock}", os.O_CREAT | os.O_EXCL)
    time.sleep(0.3)
    os.close(descriptor)
    os.unlink("{lock}")
"""

HONEST = {
    "a hook that keeps reports": (
        "import pytest\n\n\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    report = yield\n    setattr(item, f'report_{report.when}', report)\n    return report\n"
    ),
    "tests in another order": "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda item: item.name)\n",
    "an option": (
        "import pytest\n\n\ndef pytest_addoption(parser):\n    parser.addoption('--slow', action='store_true')\n\n\n"
        "def pytest_collection_modifyitems(config, items):\n    if not config.getoption('--slow'):\n"
        "        for item in items:\n            if 'slow' in item.keywords:\n"
        "                item.add_marker(pytest.mark.skip(reason='slow'))\n"
    ),
    "a fixture for all": (
        "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef _home(tmp_path, monkeypatch):\n"
        "    monkeypatch.setenv('HOME', str(tmp_path))\n"
    ),
    "a summary at the end": (
        "def pytest_terminal_summary(terminalreporter):\n    terminalreporter.write_line('that is all')\n"
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_hooks(tmp_path: Path, name: str) -> None:
    attack = Attack(files={}, twin={"conftest.py": HONEST[name]})
    root = SHOP.honest(tmp_path / "shop", attack)
    verdict = SHOP.verify(root, attack, rules=False)
    assert verdict.is_terminal_pass(), verdict.failure_reason
    assert controls_of(verdict)["restored"].status == "held"


HONEST_WAYS: dict[str, tuple[Mapping[str, str | None], Mapping[str, str | None]]] = {
    "a base that is odd itself": (
        {"conftest.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"},
        {P: GOOD_CHANGE, T: TESTS + CHEAPEST},
    ),
    "a conftest that follows the source": (
        {"conftest.py": "import shop.prices\n\nshop.prices.average\n"},
        {
            "conftest.py": "import shop.prices\n\nshop.prices.mean\n",
            P: GOOD_CHANGE.replace("average", "mean"),
            T: (TESTS + CHEAPEST).replace("import average", "import mean as average"),
        },
    ),
    "a first test": ({T: None, "tests/test_names.py": None}, {T: TESTS, P: GOOD_CHANGE}),
    "tests that need more than the tree": (
        {".gitignore": "built.py\n", "tests/test_names.py": "import built\n\n\ndef test_built():\n    assert built\n"},
        {"tests/built.py": "x = 1\n", P: GOOD_CHANGE, T: TESTS + CHEAPEST},
    ),
    "stops at the first failure": (
        {"pyproject.toml": PYPROJECT + "addopts = '-x'\n"}, {P: GOOD_CHANGE, T: TESTS + CHEAPEST},
    ),
    "an argument that must be named now": (
        {T: TESTS.replace("[5, 5], discount=2", "[5, 5], 2")},
        {
            P: GOOD_CHANGE.replace("prices, discount=0", "prices, *, discount=0").replace(
                "total(prices, discount)", "total(prices, discount=discount)"
            ),
            T: TESTS + CHEAPEST,
        },
    ),
    "a test in another shape": (
        {},
        {
            P: GOOD_CHANGE,
            T: TESTS.replace("assert total([5, 5],", "prices = [5, 5]\n    assert total(prices,") + CHEAPEST,
        },
    ),
    "a test led away from what is gone": (
        {
            P: GOOD_CHANGE + "\n\ndef summed(prices):\n    return sum(prices)\n",
            T: TESTS.replace("import average", "import summed, average").replace("total([1", "summed([1"),
        },
        {P: GOOD_CHANGE, T: TESTS},
    ),
    "marks for a whole file": (
        {"pyproject.toml": PYPROJECT + "markers = ['unit']\n"},
        {P: GOOD_CHANGE, T: TESTS.replace("\n\n\n", "\n\npytestmark = pytest.mark.unit\n\n\n", 1) + CHEAPEST},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST_WAYS)
def test_honest_ways(tmp_path: Path, name: str) -> None:
    base, head = HONEST_WAYS[name]
    attack = Attack(base=base, files={}, twin=head)
    verdict = SHOP.verify(SHOP.honest(tmp_path / "shop", attack), attack, rules=False)
    assert verdict.is_terminal_pass(), verdict.failure_reason


def test_mutants_that_survive_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    untested = {P: GOOD_CHANGE + "\n\ndef is_dear(price):\n    return price > 100\n", T: TESTS + CHEAPEST}
    attack = Attack(files={}, twin=untested)
    root = SHOP.honest(tmp_path / "shop", attack)
    shown = SHOP.verify(root, attack, rules=False, contract=contract(ALL))
    assert shown.is_terminal_pass()
    found = controls_of(shown)["mutants"]
    assert found.status == "broken"
    assert f"{P}:16: `>` became `>=`" in found.details
    assert not any("min(" in each for each in found.details)
    assert "`>` became `>=`" in (root / shown.artifact_path / "REVIEW.md").read_text()
    render_verdict(shown, root)
    said = capsys.readouterr().out
    assert "controls: inventory held (" in said
    assert f"  mutants: {found.reason}" in said
    strict = dataclasses.replace(ALL, mutants="fail")
    failed = SHOP.verify(root, attack, rules=False, contract=contract(strict))
    assert (failed.type, failed.failed_step) == ("FAIL", "tests")
    assert (failed.failure_reason or "").startswith("tests: control mutants:")


SUPPRESSED = {
    "ruff": (PYTHON, "\nimport os  # noqa: F401\n"),
    "eslint": (VITEST, "\n// eslint-disable-next-line\nconst unused = 1;\n"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_node if name == "eslint" else ()) for name in SUPPRESSED]
)
def test_what_the_linter_was_told_to_overlook(tmp_path: Path, name: str) -> None:
    project, text = SUPPRESSED[name]
    root = project.base(tmp_path / "project")
    assert _suppressions(project, root, "fail") == ("PASS", "idle")
    write(root, {project.source: (root / project.source).read_text() + text})
    kind, status = _suppressions(project, root, "fail")
    assert (kind, status) == ("FAIL", "broken")
    assert _suppressions(project, root, "show")[0] == "PASS"


def _suppressions(project: Project, root: Path, mode: str) -> tuple[str, str]:
    engine = WithoutRules(repository=root, environ={**os.environ, "PATH": TOOLS}, policy="v2")
    terms = contract(Controls(suppressions=mode), "lint")  # type: ignore[arg-type]
    verdict = engine.verify(context_of(root), terms)
    return verdict.type, controls_of(verdict, "lint")["suppressions"].status


def test_a_kill_leaves_no_canary_behind(tmp_path: Path) -> None:
    """Killed while canaries stand in a copy: the tree is what it was, and the next run removes the copy."""
    root = SHOP.honest(tmp_path / "shop", Attack(files={}, twin={}))
    slow = "import time\n\n\ndef test_slow():\n    time.sleep(2)\n"
    write(root, {"tests/test_slow.py": slow})
    write(tmp_path, {"context.yaml": CONTEXT})
    untouched = fingerprint(root)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environ = {**os.environ, "PATH": TOOLS, "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "ralph", "verify", "-C", str(root), "--context", str(tmp_path / "context.yaml")]
    ralph = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (planted := _copies_with_canaries(scratch)):
        assert time.monotonic() < deadline
        assert ralph.poll() is None
        time.sleep(0.02)
    ralph.send_signal(signal.SIGKILL)
    ralph.wait()
    assert fingerprint(root) == untouched
    assert all(path.exists() for path in planted)
    subprocess.run(command, env=environ, capture_output=True, check=False)
    assert fingerprint(root) == untouched
    assert not any(path.exists() for path in planted)


CONTEXT = """\
project: {name: shop, path: ., language: python}
commands: {test: pytest -q -p no:cacheprovider}
paths: {source: [src], tests: [tests]}
"""


def _copies_with_canaries(scratch: Path) -> list[Path]:
    files = scratch.glob("ralph-*/tree-*/tree/tests/test_slow.py")
    return [path for path in files if path.read_text().count("def test_") > 1]
