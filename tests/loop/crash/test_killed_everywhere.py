"""Short runs, gone on with from every moment at which a kill could have ended them: they end as without the kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.loop.crash.ralphs import TOP

EVERY = bool(os.environ.get("RALPH_TEST_EVERY"))
"""All moments, which takes many minutes."""
SLICES = {"believed": (4, 4 if EVERY else 24), "measured": (2, 2 if EVERY else 60)}
"""In so many cases, and in each of them every so many moments."""
CASES = [(run, number) for run, (cases, _) in SLICES.items() for number in range(cases)]


def gone_on_with(run: str, base: Path, first: int, step: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.loop.crash.dying", run, str(base), str(first), str(step)],
        cwd=TOP,
        env={**os.environ, **{f"XDG_{each}_HOME": str(base / "at work" / each) for each in ("CACHE", "CONFIG")}},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["wrong"] == [], done.stderr
    return answer


@pytest.mark.parametrize(("run", "number"), CASES)
def test_it_ends_as_without_the_kill(tmp_path: Path, run: str, number: int) -> None:
    cases, step = SLICES[run]
    answer = gone_on_with(run, tmp_path, number * (step // cases), step)
    assert answer["end"] == {"believed": "failed", "measured": "passed"}[run]
    assert answer["moments"] > 300
    assert answer["taken"] > 300 / step
