"""How long a command takes that does nothing, next to Python itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from report import Table, median_ms

RALPH = Path(sys.executable).with_name("ralph")


def measure(table: Table, work: Path, *, quick: bool) -> None:
    times = 5 if quick else 20
    python = _command(times, sys.executable, "-c", "pass")
    for arguments in (["--help"], ["verify", "--help"]):
        taken = _command(times, str(RALPH), *arguments)
        table.row(
            f"`ralph {' '.join(arguments)}`, median of {times}",
            f"{taken:.0f} ms",
            "under 120 ms",
            f"`python -c pass`: {python:.0f} ms, ratio {taken / python:.1f}",
        )


def _command(times: int, *command: str) -> float:
    return median_ms(lambda: subprocess.run(command, check=True, capture_output=True), times)
