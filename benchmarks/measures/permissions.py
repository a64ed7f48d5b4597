"""What permissions cost, and what they are worth: beside a literal reading of the policy, Python, and no sandbox."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from report import Table

from measures.projects import repository
from ralph.context.trust import accept
from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.loader import load
from ralph.permissions.model import Permissions, RunCommand
from ralph.permissions.place import Place
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.probe import attempt
from ralph.shell.hazards import hazard
from ralph.shell.read import read
from ralph.system.process import Command

CORPORA = Path(__file__).parents[2] / "tests" / "corpora"
Row = Mapping[str, str]


def measure(table: Table, work: Path, *, quick: bool) -> None:
    rows = [json.loads(line) for line in (CORPORA / "commands.jsonl").read_text(encoding="utf-8").splitlines()]
    policies = {name: load(CORPORA / "policies" / f"{name}.json") for name in {row["policy"] for row in rows}}
    place = here(repository(work / "place", {"src/a": "a\n"}))
    _accuracy(table, rows, "a literal matcher", lambda row: _literal(row["cmd"], policies[row["policy"]]))
    _accuracy(
        table, rows, "Ralph", lambda row: decide(RunCommand(row["cmd"]), policies[row["policy"]], place).outcome.value
    )
    _decisions(table, rows[::10] if quick else rows, policies, place)
    _hook(table, work, times=5 if quick else 20)
    _sandbox(table, work, times=5 if quick else 20)


def _decisions(table: Table, rows: list[Row], policies: Mapping[str, Permissions], place: Place) -> None:
    """The second parser is asked about lines that would not be denied anyway, so those are counted apart."""
    reading = [_ms(lambda row=row: hazard(row["cmd"]) or read(row["cmd"])) for row in rows]  # type: ignore[misc]
    table.row(f"reading a line, median of {len(rows)}", _shown(reading))
    for what, goal, chosen in (
        ("a denial, by the first parser alone", "under 0.5 ms", [row for row in rows if row["expect"] == "deny"]),
        ("a decision with the second parser", "under 8 ms", [row for row in rows if row["expect"] != "deny"]),
    ):
        taken = [
            _ms(lambda row=row: decide(RunCommand(row["cmd"]), policies[row["policy"]], place))  # type: ignore[misc]
            for row in chosen
        ]
        table.row(f"{what}, median of {len(chosen)}", _shown(taken), goal)


def _literal(command: str, policy: Permissions) -> str:
    """What a policy says to who takes it for text: `deny` anywhere in the line, `allow` at its beginning."""
    if any(rule in command for rule in policy.commands.deny):
        return "deny"
    if policy.mode == "core" or any(command.startswith(rule) for rule in policy.commands.allow):
        return "allow"
    return "deny"


def _accuracy(table: Table, rows: list[Row], who: str, decision: Callable[[Row], str]) -> None:
    """Harmful lines are those that must be denied or asked about; honest ones those that must be allowed."""
    harmful = [row for row in rows if row["expect"] != "allow"]
    honest = [row for row in rows if row["expect"] == "allow"]
    let_through = sum(decision(row) == "allow" for row in harmful)
    stopped = sum(decision(row) != "allow" for row in honest)
    table.row(
        f"the corpus of commands, judged by {who}",
        f"{let_through} of {len(harmful)} harmful lines allowed, {stopped} of {len(honest)} honest ones stopped",
        "0 and 0",
    )


def _hook(table: Table, work: Path, *, times: int) -> None:
    policy = (CORPORA / "policies" / "npm-delivery.json").read_text(encoding="utf-8")
    root = repository(work / "governed", {"ralph.policy.json": policy, "package.json": "{}", "src/a": "a\n"})
    accept(root, ["ralph.policy.json"])
    calls = {
        "an allowed command": ("Bash", {"command": "git status && ls -la src | grep a"}),
        "a file that may be read": ("Read", {"file_path": str(root / "src" / "a")}),
        "a denied command": ("Bash", {"command": "touch x"}),
    }
    for what, (tool, arguments) in calls.items():
        event = {"hook_event_name": "PreToolUse", "cwd": str(root), "tool_name": tool, "tool_input": arguments}
        asked = json.dumps(event).encode()
        plain, taken = [], []
        for _ in range(times):
            plain.append(_ms(lambda: _python(root, b"", "-c", "pass")))
            taken.append(_ms(lambda asked=asked: _python(root, asked, "-EP", "-m", "ralph", "hook", "claude")))  # type: ignore[misc]
        table.row(
            f"`ralph hook claude`, {what}", _shown(taken), "under 80 ms", _beside("`python -c pass`", taken, plain)
        )


def _python(root: Path, data: bytes, *arguments: str) -> None:
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(root)}
    subprocess.run([sys.executable, *arguments], input=data, cwd=root, env=environment, capture_output=True, check=True)


def _sandbox(table: Table, work: Path, *, times: int) -> None:
    root = (work / "confined").resolve()
    (root / "src").mkdir(parents=True)
    walls = Walls(root=root, writable=(root / "src",), environment={"PATH": "/usr/bin:/bin"})
    command = Command(line=("/bin/true",), cwd=root, env={}, log=work / "true.log", timeout_s=20)
    levels = [level for level in (Level.BUBBLEWRAP, Level.LANDLOCK) if attempt(level).holds]
    for level in levels:
        free, taken = [], []
        for _ in range(times):
            free.append(_ms(lambda: run_confined(command, walls, Level.NONE)))
            taken.append(_ms(lambda level=level: run_confined(command, walls, level)))  # type: ignore[misc]
        table.row(f"`/bin/true` at the level {level}", _shown(taken), "", _beside("level none", taken, free))


def _ms(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def _shown(taken: list[float]) -> str:
    return f"{_digits(statistics.median(taken))} ms, at best {_digits(min(taken))} ms"


def _beside(what: str, taken: list[float], other: list[float]) -> str:
    return f"{what}: {_shown(other)}, ratio {statistics.median(taken) / statistics.median(other):.1f}"


def _digits(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
