"""Confession in a loop: the material for the confessor, and what Ralph found when it checked a report.

Ralph runs the easiest issue itself: through the permissions, in the sandbox, on the tree as it is. Spec: events,
evidence and confession, "The Confession Handler".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ralph.errors import RalphError
from ralph.events.model import Event
from ralph.hats import confession
from ralph.hats.handling import Finding, NextStep, Ran, next_step, run_issue
from ralph.hats.material import NOTES, material
from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Outcome, Permissions, ReadPath, RunCommand
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.walls import walls_for_steps
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.history import patch
from ralph.system.places import shadow_dir
from ralph.system.process import Command
from ralph.system.scratch import scratch
from ralph.system.tree import snapshot

TOPICS = (confession.CLEAN, confession.ISSUES_FOUND)
SPECS = "specs"
LONGEST_FILE = 1 << 20


@record(kw_only=True)
class Confessional:
    """Where confessions are checked. `base_tree`: the tree before the work. Without permissions only the sandbox holds
    what a confession names."""

    repo: Repository
    base_tree: str
    env: Mapping[str, str]
    level: Level
    permissions: Permissions | None = None
    limit: float = 80
    timeout_s: float = 120.0

    def material(self, task: str) -> str:
        """What the confessor gets to read."""
        root = self.repo.root
        tree = snapshot(self.repo, shadow_dir(root)).tree
        specs = {path.name: self._text(path) or "" for path in sorted((root / SPECS).glob("*.md"))}
        diff = patch(self.repo, self.base_tree, tree).decode("utf-8", "replace")
        text = material(task=task, monologue=self._text(root / NOTES), diff=diff, specs=specs)
        return f"The confidence that is wanted is {self.limit:g}.\n\n{text}"

    def examine(self, event: Event, unreliable: int) -> tuple[Finding | None, NextStep]:
        """Check a report's easiest issue, and say what follows. `unreliable`: how many before were not reliable."""
        report = confession.read(event.topic, event.payload)
        finding = None
        if isinstance(report, confession.ConfessionReport):
            finding = run_issue(report.easiest_issue, self._run, self._read)
        return finding, next_step(report, finding, limit=self.limit, unreliable=unreliable)

    def _run(self, command: str) -> Ran:
        if self.permissions:
            decision = decide(RunCommand(command), self.permissions, here(self.repo.root))
            if decision.outcome is not Outcome.ALLOW:
                return Ran(exit_code=None, problem=f"the permissions do not allow it: {decision.reason}")
        with scratch("confession") as folder:
            wanted = Command(
                line=command, cwd=self.repo.root, env=self.env, log=folder / "log", timeout_s=self.timeout_s
            )
            walls = walls_for_steps(self.repo.root, self.env, writable=(folder,))
            ended = run_confined(wanted, walls, self.level)
        problem = ended.trouble or (f"it was ended after {self.timeout_s:g} s" if ended.timed_out else None)
        problem = problem or (f"it was ended by {ended.signal}" if ended.signal else None)
        return Ran(exit_code=ended.exit_code, problem=problem, output=ended.output[-4000:])

    def _read(self, path: str) -> str | None:
        if self.permissions:
            decision = decide(ReadPath(path), self.permissions, here(self.repo.root))
            if decision.outcome is not Outcome.ALLOW:
                raise RalphError(f"the permissions do not allow reading {path}")
        place = (self.repo.root / path).resolve()
        if not place.is_relative_to(self.repo.root):
            raise RalphError(f"{path} lies outside the project")
        return self._text(place)

    def _text(self, path: Path) -> str | None:
        try:
            with path.open("rb") as file:
                return file.read(LONGEST_FILE).decode("utf-8", "replace") if path.is_file() else None
        except OSError:
            return None


def note(finding: Finding | None, step: NextStep) -> str:
    """What the handler is told of a confession that Ralph checked."""
    found = f"Ralph checked the easiest issue: it is {finding.state}: {finding.reason}." if finding else ""
    told = f"{found}\nWhat follows: `{step.topic}`.\n{step.payload}"
    return f"{told.strip()}\nYou may publish: {', '.join(f'`{topic}`' for topic in step.allowed)}."
