"""A project with something on every page, and the addresses of its pages: for the browser and for pictures."""

from __future__ import annotations

import json
from pathlib import Path

from ralph.agents.base import Claim as Said
from ralph.agents.base import Decided, End, Started, Text, ToolCall, ToolResult
from ralph.approvals.queue import Queue
from ralph.audit.store import AuditStore
from ralph.events.honesty import CLAIMS, Claim, Compared, keep
from ralph.loop import card, journal
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.permissions.model import RunCommand, WritePath
from ralph.system import clock
from ralph.system.places import audit_dir
from tests.approvals.situation import JUDGEMENT, POLICY
from tests.cli.command import verify, words
from tests.cli.runs import RUN, begin, happened, judged, turn
from tests.project import git
from tests.web.sites import PERMISSIONS, said

DIFF = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,2 +1,2 @@\n-total = 1\n+total = 2\n print(total)\n"
TASKS = (
    Task(id="auth-01", description="Log people in.", status=TaskStatus.IN_PROGRESS),
    Task(id="auth-02", description="Log people out.", dependencies=("auth-01",)),
    Task(id="auth-03", description="Remember them.", status=TaskStatus.BLOCKED, blockers=("Nobody knows how.",)),
    Task(id="docs-01", description="Say so.", status=TaskStatus.COMPLETE, completion_notes="Said."),
)


def furnish(root: Path) -> Path:
    """Make the project at `root`."""
    words(root)
    head = git(root, "rev-parse", "HEAD")
    verify(root)
    (root / "b.py").write_text("def total() -> int:\n    x = 1  # type: ignore\n    return x\n")
    verify(root)
    (root / "ralph.policy.json").write_text(json.dumps(PERMISSIONS))
    run = happened(begin(root.resolve()), turn(), judged("refused", told=("The tests fail: 2 of 9.",)))
    happened(run, turn(0.75), judged(told=("Go on.",)))
    said(
        run.folder / "turns" / "2-1",
        Started(agent="claude", model="m-1"),
        Text("Two tests fail.\n\nI look at them."),
        ToolCall("run", "make test"),
        ToolResult(ok=False, output="2 failed, 7 passed\n" * 20),
        ToolCall("run", "git push --force"),
        Decided(id="2", tool="run", outcome="deny", reason="the policy denies it"),
        ToolResult(ok=True, output=""),
        Said("build.done", "tests: pass"),
        End("stalled", "no output for 600 s"),
    )
    card.keep(run.folder, card.Card(base=head, policy="", policy_source="", contract="feature", preset="code-review"))
    PlanStore(root).change(lambda _: ImplementationPlan(tasks=TASKS))
    for number in range(12):
        true = number % 3 != 0
        compared = {"tests": Compared(claimed="pass", measured="pass" if true else "fail", contradiction=not true)}
        hat, agent, model = ("builder", "claude", "m-1") if number % 2 else ("reviewer", "codex", "m-2")
        claim = Claim(
            topic="build.done",
            true=true,
            contradiction=not true,
            checks=compared,
            hat=hat,
            agent=agent,
            model=model,
        )
        keep(root / CLAIMS, claim, time=clock.now())
    queue = Queue(root.resolve())
    queue.ask(WritePath("src/app.py"), JUDGEMENT, POLICY, agent="claude", session="s1", detail=DIFF)
    queue.ask(RunCommand("npm install left-pad"), JUDGEMENT, POLICY, agent="claude", session="s1")
    return root.resolve()


def places(root: Path) -> list[str]:
    """The addresses of all pages, below the dashboard's own."""
    from ralph.approvals.answering import Desk

    verdicts = AuditStore(audit_dir(root)).runs()
    asked = [f"/approvals/{entry.id}" for entry in Desk(root, {}).entries()]
    runs = [f"/runs/{folder.name}" for folder in journal.runs(root)]
    judged_ones = [f"/verdicts/{each}" for each in verdicts[-2:]]
    question = "/permissions?kind=command&question=git+push+--force"
    whole = [f"/runs/{RUN}/lines/1", f"/runs/{RUN}/turns/2-1"] if f"/runs/{RUN}" in runs else []
    fixed = ["/", "/approvals", "/claims", "/policies?version=v1", question, "/audit", "/fleet"]
    return [*fixed, *runs, *asked, *judged_ones, *whole]
