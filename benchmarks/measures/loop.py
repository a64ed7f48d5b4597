"""What the loop costs in each iteration with an agent that costs nothing, and whether a long run grows.

A run of the scripted agent that writes one file a turn and claims nothing: no step is measured, everything else of an
iteration happens. It runs in a process of its own, whose largest memory is told at two lengths.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from report import Table

from ralph.system import clock
from ralph.system.history import create_repository
from ralph.system.places import shadow_dir

PLAN = {"tasks": [{"id": "one", "description": "Write the file.", "priority": 1}]}
SCRIPT = """\
name: writer
repeat: true
turns:
  - - write: {path: a.txt, content: "one"}
    - usage: {input_tokens: 900, output_tokens: 90, cost_usd: 0.0001, context_tokens: 1000, context_window: 200000}
"""
CONFIG = "breaker: {stagnation: 1000000}\nlimits: {runtime_s: null}\nevidence: claimed\n"


def measure(table: Table, work: Path, *, quick: bool) -> None:
    short, long = (20, 60) if quick else (100, 1000)
    floor, _ = _run(work / "loop-1", 1)
    own_s, small_mb = _run(work / f"loop-{short}", short)
    _, large_mb = _run(work / f"loop-{long}", long)
    own_ms = 1000 * (own_s - floor) / (short - 1)
    table.row(
        f"the loop's own time for an iteration, of {short}",
        f"{own_ms:.0f} ms",
        "under 50 ms",
        f"one snapshot of the tree among them; a run of one iteration: {floor:.2f} s",
    )
    table.row(
        f"memory of a run of {long} iterations",
        f"{large_mb:.0f} MB",
        "under 100 MB, flat",
        f"of {short} iterations: {small_mb:.0f} MB",
    )


def _run(root: Path, iterations: int) -> tuple[float, float]:
    """Seconds that the run took, and the most memory it had, in MB."""
    root.mkdir()
    (root / "ralph.yml").write_text(CONFIG)
    (root / "a.txt").write_text("nothing\n")
    create_repository(root, "A file", clock.now(), shadow_dir(root))
    (root / ".ralph").mkdir(exist_ok=True)
    (root / ".ralph" / "implementation_plan.json").write_text(json.dumps(PLAN))
    script = root.parent / f"{root.name}.yaml"
    script.write_text(SCRIPT)
    line = ["run", "--agent", f"scripted:{script}", "--max-iterations", str(iterations), "-C", str(root), "Write it."]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *line], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    seconds, kilobytes = map(float, done.stdout.split()[-2:])
    return seconds, kilobytes / 1024


_MEASURED = """
import resource, sys, time
from ralph.cli.main import run
begun = time.monotonic()
run(sys.argv[1:])
print(time.monotonic() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
