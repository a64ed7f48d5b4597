"""What the controls of the tests add: a verification with all that are on by default, against one without any.

The suite is one process that computes for a few seconds, as most are; the change touches source, tests and conftest, so
that every control has something to run. With four cores they run beside the steps.

A round is three verifications: without controls, with them and the base measured as well, with them and the base known.
The ratios are those of one round, the figures the medians of all rounds: the machine need not be as fast in the next.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from statistics import median

from report import Table

from measures.projects import repository, write

SOURCE = "def work(n):\n    return sum(i * i % 7 for i in range(n))\n"
TEST = "from work import work\n\n\ndef test_{n}():\n    assert work({size}) >= 0\n"
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def measure(table: Table, work: Path, *, quick: bool) -> None:
    size = 400_000 if quick else 2_000_000
    root = repository(
        work / "controls",
        {
            "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
            "src/work.py": SOURCE,
            **{f"tests/test_{n}.py": TEST.format(n=n, size=size) for n in range(20)},
        },
    )
    write(
        root,
        {
            "src/work.py": SOURCE + "\n\ndef twice(n):\n    return 2 * work(n)\n",
            "tests/test_twice.py": "from work import twice\n\n\ndef test_twice():\n    assert twice(3) == 10\n",
            "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef size():\n    return 3\n",
        },
    )
    _verify(root, on=False)  # compiles
    rounds = [_round(root) for _ in range(1 if quick else 5)]
    for number, base in enumerate(("measured as well", "known"), start=2):
        times = median((each[number] - each[0] + each[1]) / each[1] for each in rounds)
        table.row(
            f"a verification with controls, the base {base}, median of {len(rounds)}",
            f"{median(each[number] for each in rounds):.2f} s, {times:.2f} times the test step",
            "under 1.6 times, with 4 cores",
            f"without controls {median(each[0] for each in rounds):.2f} s, "
            f"the test step by itself {median(each[1] for each in rounds):.2f} s",
        )


def _round(root: Path) -> tuple[float, float, float, float]:
    """Seconds: without controls, the test step of that, with controls and an unknown base, with a known one."""
    alone, step = _verify(root, on=False)
    shutil.rmtree(root / ".ralph" / "cache" / "base", ignore_errors=True)
    first, _ = _verify(root, on=True)
    again, _ = _verify(root, on=True)
    return alone, step, first, again


def _verify(root: Path, *, on: bool) -> tuple[float, float]:
    """Seconds of a whole verification, and of its test step."""
    from ralph.context import AppContext
    from ralph.context.schema import Commands, Paths, Project
    from ralph.contracts import AutonomyContract, Controls, StepExemption
    from ralph.engine import RalphEngine

    off = Controls(
        test_inventory="free", canary="none", restored="none", negative="none", former="none", suppressions="none"
    )
    skipped = StepExemption(not_applicable="a benchmark of tests")
    contract = AutonomyContract(
        agent="benchmark",
        version="1",
        steps={"lint": skipped, "typecheck": skipped, "coverage": skipped},
        controls=Controls() if on else off,
    )
    context = AppContext(
        project=Project(name="controls", path=str(root), language="python"),
        commands=Commands(test="pytest -q"),
        paths=Paths(source=["src"], tests=["tests"]),
    )
    began = time.monotonic()
    environ = {**os.environ, "PATH": TOOLS}
    verdict = RalphEngine(repository=root, environ=environ, reuse=False).verify(context, contract)
    taken, tests = time.monotonic() - began, verdict.step("tests")
    if not verdict.is_terminal_pass() or tests is None:
        raise SystemExit(f"the benchmark of controls does not pass: {verdict.failure_reason}")
    return taken, tests.duration_ms / 1000
