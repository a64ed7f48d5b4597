"""What the controls of the tests add: a verification with all that are on by default, against one without any.

The suite is one process that computes for a few seconds, as most are; the change touches source, tests and conftest, so
that every control has something to run. With four cores they run beside the steps.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

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
    alone, step = _verify(root, on=False)
    first, _ = _verify(root, on=True)
    again, _ = _verify(root, on=True)
    told = f"without controls {alone:.2f} s, the test step by itself {step:.2f} s"
    table.row("a verification with controls, the base measured as well", f"{first:.2f} s", f"{1.6 * step:.2f} s", told)
    table.row(
        "a verification with controls, the base known",
        f"{again:.2f} s, {(again - alone + step) / step:.2f} times the test step",
        "under 1.6 times, with 4 cores",
        told,
    )


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
