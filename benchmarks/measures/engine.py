"""The engine's own time: a context whose commands do next to nothing, and a verdict that is reused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from report import Table, median_ms

from measures.projects import repository, write
from measures.startup import RALPH

JUNIT = '<testsuites><testsuite><testcase classname="t" name="t"/></testsuite></testsuites>'
LCOV = "SF:a.py\\nDA:1,1\\nend_of_record\\n"
COMMANDS = {
    "lint": "sh check.sh",
    "typecheck": "sh check.sh",
    "test": f"printf '%s' '{JUNIT}' > junit.xml",
    "coverage": f"printf '{LCOV}' > lcov.info",
}
CONTEXT = "project: {name: noop, path: ., language: other}\ncommands:\n" + "".join(
    f"  {name}: {command!r}\n" if "'" not in command else f"  {name}: >-\n    {command}\n"
    for name, command in COMMANDS.items()
)
PATHS = "paths: {test_report: junit.xml, coverage_report: lcov.info}\n"


def measure(table: Table, work: Path, *, quick: bool) -> None:
    files = {
        "ralph-context.yaml": CONTEXT + PATHS,
        ".gitignore": "junit.xml\nlcov.info\n",
        "check.sh": "echo all good\n",
    }
    root = repository(work / "noop", {**files, **{f"src/m{n}.py": f"x = {n}\n" for n in range(200)}})
    write(root, {"src/m1.py": "x = 2\n"})
    times = 5 if quick else 15
    subprocess.run([RALPH, "verify", "-C", root], capture_output=True, check=True)
    plain = median_ms(lambda: _bash(root, "\n".join(COMMANDS.values())), times)
    fresh = median_ms(lambda: _verify(root, "--fresh"), times)
    own = median_ms(lambda: _in_process(root), times)
    table.row(
        "`ralph verify --fresh`, commands that do nothing",
        f"{fresh:.0f} ms",
        "",
        f"the four commands by themselves: {plain:.0f} ms",
    )
    table.row(
        "the engine within a running process, same context", f"{own - plain:.0f} ms of its own", "under 150 ms", ""
    )
    again = median_ms(lambda: _verify(root), times)
    python = median_ms(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), times)
    table.row(
        "`ralph verify` on an unchanged tree (a signed PASS is reused)",
        f"{again:.0f} ms",
        "under 300 ms",
        f"`python -c pass`: {python:.0f} ms, ratio {again / python:.1f}",
    )


def _bash(root: Path, command: str) -> None:
    subprocess.run(["bash", "--noprofile", "--norc", "-c", command], cwd=root, check=True, capture_output=True)


def _verify(root: Path, *options: str) -> None:
    subprocess.run([RALPH, "verify", "-C", root, *options], check=True, capture_output=True)


def _in_process(root: Path) -> None:
    from ralph.context import read_context
    from ralph.engine import RalphEngine

    verdict = RalphEngine(repository=root, reuse=False).verify(read_context(root / "ralph-context.yaml"))
    if not verdict.is_terminal_pass():
        raise SystemExit(f"the engine's benchmark does not pass: {verdict.failure_reason}")
