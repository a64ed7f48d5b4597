"""`ralph handoff`: a person ends the session, so that the work goes on with a fresh context (spec: core concepts)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.clock import rfc3339
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.control import Alive

MANUAL = "manual_handoff"


@click.command()
@click.option("--reason", "-r", metavar="R", default=MANUAL, show_default=True, help="Why; it stands in the history.")
@click.option("--summary", "-s", metavar="TEXT", help="What the next session must know; Ralph's own facts without it.")
@directory_option
@json_option
def handoff(reason: str, summary: str | None, directory: Path, as_json: bool) -> None:
    """End the session: write its memory and MEMORY.md, and start the next with a fresh context.

    A run at work is asked to do so after its turn, and its agent writes the summary.
    """
    from ralph.approvals.person import refuse_agents
    from ralph.loop import control
    from ralph.system.git import open_repository
    from ralph.system.places import EXCLUDED

    refuse_agents(os.environ)
    repo = open_repository(directory)
    repo.exclude(EXCLUDED)
    if running := control.alive(repo.root):
        number = _ask(repo.root, running, reason, summary)
        if as_json:
            print_json({"asked": running.run, "order": number})
        else:
            click.echo(f"The run {visible(running.run)} hands off after its turn.")
        return
    with control.hold(repo.root, "handoff"):
        session, path = _write(repo.root, reason, summary)
    if as_json:
        print_json({"session_id": session, "summary_path": path.relative_to(repo.root).as_posix()})
    else:
        click.echo(
            f"The session {visible(session)} is over; its memory is {visible(str(path.relative_to(repo.root)))}."
        )


def _ask(root: Path, running: Alive, reason: str, summary: str | None) -> int:
    """Leave an order for the run; its number."""
    from ralph.approvals import person
    from ralph.errors import UsageError
    from ralph.loop.control import Control

    if summary:
        raise UsageError(
            "A run is at work, and its agent writes the summary: leave --summary out, and tell the agent with "
            "`ralph inject`."
        )
    return Control(root).post("handoff", reason, by=person.name(), to=running).number


def _write(root: Path, reason: str, summary: str | None) -> tuple[str, Path]:
    """The files of a handoff, when no run is at work; the session, and its memory."""
    import secrets

    from ralph.loop.memory import handoff as handoffs
    from ralph.loop.memory.recall import recall
    from ralph.loop.plan.files import PlanStore
    from ralph.loop.plan.model import ImplementationPlan
    from ralph.loop.saved import StateStore, fresh
    from ralph.system import clock

    now = clock.now()
    store = StateStore(root)
    saved = store.load_or_none()
    state = saved or fresh(root, now=now)
    plan = PlanStore(root).load_or_none() or ImplementationPlan()
    state = state if state.session_id else state.with_session(f"by-hand-{secrets.token_hex(4)}")
    facts = handoffs.session_facts(
        state,
        plan,
        recall(root, state.current_phase, state.iteration_count).iterations,
        reason=reason,
        now=rfc3339(now),
        summary=handoffs.read_summary(summary, by="person") if summary else None,
    )
    path = handoffs.write(root, facts, state, plan, now=now)
    if saved:
        store.change(lambda found: found.with_session(None))
    return facts.session_id, path
