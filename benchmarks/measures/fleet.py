"""What the fleet costs: jobs a second against the plain queue below it, and what many waiting runs hold.

The plain queue's own ceiling (empty workflows of DBOS, the same concurrency and polling) is measured in the same run as
the fleet's jobs with nothing in them, and as real verifications; those stand beside the same job processes without any
queue. On SQLite, and on PostgreSQL if `RALPH_BENCH_POSTGRES` names one that may be filled.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from report import Table

from measures.projects import IDENTITY, repository, write

LINES = '{"lines": {"total": 10, "covered": 9}}'
CONTEXT = """
project: {name: cheap, path: ., language: other}
commands: {lint: "bash l.sh", typecheck: "bash l.sh", test: "bash t.sh", coverage: "bash c.sh"}
paths: {source: [src/], coverage_report: coverage.json, test_report: report.xml}
autonomy_level: L2
"""
FILES = {
    "ralph-context.yaml": CONTEXT,
    "src/a.txt": "one\n",
    "l.sh": "exit 0\n",
    "t.sh": 'echo \'<testsuite><testcase classname="a" name="b"/></testsuite>\' > report.xml\n',
    "c.sh": f'echo \'{{"total": {LINES}, "src/a.txt": {LINES}}}\' > coverage.json\n',
}


def measure(table: Table, work: Path, *, quick: bool) -> None:
    empty, real, waiting = (100, 12, 60) if quick else (400, 60, 300)
    places = {"SQLite": f"sqlite:///{work}/fleet-bench.db"}
    if given := os.environ.get("RALPH_BENCH_POSTGRES"):
        places["PostgreSQL"] = given
    for name, address in places.items():
        plain = empty / _seconds("plain", address, empty)
        ours = empty / _seconds("ours", address, empty)
        table.row(
            f"the fleet's empty jobs a second, {name}",
            f"{ours:.0f}/s",
            "half of the plain queue's",
            f"the plain queue's ceiling in this run: {plain:.0f}/s, so {ours / plain:.0%}",
        )
    pairs = _changes(work / "fleet-project", real)
    direct = real / _seconds("direct", places["SQLite"], real, pairs)
    queued = real / _seconds("queued", places["SQLite"], real, pairs)
    table.row(
        f"verifications a second by one worker, of {real}",
        f"{queued:.2f}/s",
        "80 % of the same processes without a queue",
        f"without: {direct:.2f}/s, so {queued / direct:.0%}; a real checkout, four steps, signed evidence",
    )
    for name, address in places.items():
        before, after = map(float, _child("waiting", address, waiting).split()[-2:])
        table.row(
            f"memory of a worker with {waiting} waiting runs, {name}",
            f"{after:.0f} MB",
            "under 200 MB",
            f"without any: {before:.0f} MB",
        )


def _changes(root: Path, count: int) -> Path:
    """A repository with so many commits; the file lists them, each with its base."""
    repository(root, FILES)
    listed = []
    for number in range(count):
        write(root, {f"src/b{number}.txt": f"{number}\n"})
        env = {**os.environ, **IDENTITY}
        for line in (["add", "-A"], ["commit", "-q", "-m", "more"]):
            subprocess.run(["git", *line], cwd=root, env=env, check=True)
        seen = subprocess.run(["git", "rev-parse", "HEAD", "HEAD~1"], cwd=root, capture_output=True, check=True)
        listed.append(seen.stdout.decode().split())
    pairs = root.with_suffix(".txt")
    pairs.write_text("\n".join(" ".join(each) for each in listed))
    return pairs


def _seconds(what: str, address: str, count: int, pairs: Path | None = None) -> float:
    return float(_child(what, address, count, pairs).split()[-1])


def _child(what: str, address: str, count: int, pairs: Path | None = None) -> str:
    line = [
        sys.executable,
        str(Path(__file__).with_name("fleet_child.py")),
        what,
        address,
        str(count),
        str(pairs or ""),
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode:
        raise RuntimeError(f"{what}: {done.stderr[-2000:]}")
    return done.stdout
