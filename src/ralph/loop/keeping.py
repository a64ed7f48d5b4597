"""Performs what has no answer: changes of the plan, publications, memories, handoffs.

Rules (decision 32): done twice is done once. A task that is already where it should be stays there; files are written
again with the same content; publications have a key. What a person has decided about a task meanwhile stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, get_args

from ralph.events import bus as buses
from ralph.events.model import Event
from ralph.loop import effects, turn_folder
from ralph.loop.memory import capture, handoff, rotation
from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts, TaskNote
from ralph.loop.phases.repair import sent_back
from ralph.loop.phases.spec_files import load_specs
from ralph.loop.phases.tools import following
from ralph.loop.phases.validation import promises
from ralph.loop.plan import transitions
from ralph.loop.plan.errors import UnknownTask, WrongTransition
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.site import Site
from ralph.loop.state import State, session_id
from ralph.system import files
from ralph.system.clock import rfc3339
from ralph.system.git_diff import differences

PROMISES = "promises.json"
"""What the specifications asked for when planning ended."""


def keep(site: Site, state: State, effect: effects.Quiet) -> None:
    """Perform a quiet effect. Raises RalphError when it cannot be done; nothing has moved then."""
    _PERFORM[type(effect)](site, state, effect)


def _reset_stale(site: Site, state: State, effect: effects.ResetStale) -> None:
    if site.plan.load_or_none() is not None:
        site.plan.change(transitions.reset_stale)


def _freeze(site: Site, state: State, effect: effects.FreezePlan) -> None:
    site.plan.change(lambda plan: transitions.freeze(plan, at=rfc3339(site.now())))
    place = site.folder / PROMISES
    if not place.exists():
        files.write_json(place, promises(load_specs(site.root)))


def _start(site: Site, state: State, effect: effects.StartTask) -> None:
    _change(site, lambda plan: transitions.start(plan, effect.task))
    if effect.again:
        return
    task = _note(site.plan.load(), effect.task)
    start = site.topology.start
    events = [
        Event(topic=buses.BEGUN, payload="", origin="ralph", task=task.id),
        Event(topic=start, payload=task.description, origin="ralph", task=task.id),
    ]
    key = f"{state.run}/{state.iteration}/begin/{task.id}"
    site.published.publish(key, events, (), time=site.now())


def _complete(site: Site, state: State, effect: effects.CompleteTask) -> None:
    at, notes, tokens = rfc3339(site.now()), effect.notes, effect.tokens
    _change(site, lambda plan: transitions.complete(plan, effect.task, at=at, notes=notes, tokens=tokens))


def _fail(site: Site, state: State, effect: effects.FailTask) -> None:
    reason = effect.reason or "no reason is known"
    _change(site, lambda plan: transitions.failed(plan, effect.task, attempt=effect.attempt, reason=reason))


def _block(site: Site, state: State, effect: effects.BlockTask) -> None:
    reason = effect.reason or "no reason is known"
    _change(site, lambda plan: transitions.block(plan, effect.task, reason))


def _change(site: Site, by: Callable[[ImplementationPlan], ImplementationPlan]) -> None:
    """Change a task. One that a person has left out or removed meanwhile stays so."""
    with suppress(UnknownTask, WrongTransition):
        site.plan.change(by)


def _reopen(site: Site, state: State, effect: effects.ReopenTasks) -> None:
    repair = f"repair-{state.run}-{effect.validation}"
    site.plan.change(lambda plan: sent_back(plan, effect.tasks, effect.reason, repair=repair, failing=effect.failing))


def _publish(site: Site, state: State, effect: effects.Publish) -> None:
    site.published.publish(effect.key, effect.events, effect.claims, time=site.now())


def _capture(site: Site, state: State, effect: effects.CaptureMemory) -> None:
    plan = site.plan.load_or_none() or ImplementationPlan()
    facts = IterationFacts(
        iteration=effect.iteration,
        phase=effect.phase,
        at=rfc3339(site.now()),
        progress=effect.progress,
        session_id=session_id(state, effect.session),
        task=_note(plan, effect.task) if effect.task else None,
        completed=_notes(plan, effect.completed),
        blocked=_notes(plan, effect.blocked),
        files=_changed(site, state),
        tokens=effect.spent.tokens or None,
        cost_usd=None if effect.spent.unpriced else effect.spent.cost_usd,
        agent=state.agent,
        end=effect.end,
        refusals=effect.told,
        run_id=state.run,
    )
    capture.capture_iteration(site.root, facts, now=site.now())
    rotation.rotate(site.root, now=site.now())
    for kind in get_args(effects.TurnKind):
        for folder in turn_folder.played(site.folder, effect.iteration, kind):
            folder.close()


def _capture_phase(site: Site, state: State, effect: effects.CapturePhase) -> None:
    facts = PhaseFacts(
        phase=effect.phase,
        iteration=effect.iteration,
        ended_at=rfc3339(site.now()),
        next_phase=following(effect.phase),
        iterations=effect.spent.iterations,
        tokens=effect.spent.tokens,
        cost_usd=effect.spent.cost_usd,
        unpriced=effect.spent.unpriced,
        summary=effect.summary,
        run_id=state.run,
    )
    capture.capture_phase(site.root, facts, now=site.now())


def _handoff(site: Site, state: State, effect: effects.Handoff) -> None:
    """The session's memory, MEMORY.md, and the line in the history."""
    plan = site.plan.load_or_none() or ImplementationPlan()
    at_work = tuple(task.id for task in plan.tasks if task.status is TaskStatus.IN_PROGRESS)
    changed = _changed(site, state)
    own = handoff.own_summary(plan, iterations=effect.spent.iterations, told=effect.told, changed=len(changed))
    facts = SessionFacts(
        session_id=session_id(state, effect.session),
        phase=effect.phase,
        iteration=effect.iteration,
        reason=effect.reason,
        ended_at=rfc3339(site.now()),
        started_at=effect.started_at,
        summary=handoff.read_summary(effect.summary) or own,
        completed=_notes(plan, effect.completed),
        in_progress=_notes(plan, at_work),
        files=changed,
        tokens=effect.spent.tokens,
        cost_usd=effect.spent.cost_usd,
        unpriced=effect.spent.unpriced,
        total_tokens=state.total.tokens,
        total_cost_usd=state.total.cost_usd,
        run_id=state.run,
    )
    handoff.write(site.root, facts, site.saved.load(), plan, now=site.now())


def _changed(site: Site, state: State) -> tuple[str, ...]:
    """The files that the work since the last checkpoint changed."""
    if state.checkpoint is None or state.tree is None:
        return ()
    changed = differences(site.repo.objects, state.checkpoint.tree, state.tree)
    return tuple(path for path, _, _ in changed)


def _note(plan: ImplementationPlan, task_id: str) -> TaskNote:
    with suppress(UnknownTask):
        task = transitions.find(plan, task_id)
        return TaskNote(
            id=task.id, description=task.description, note=task.completion_notes or "; ".join(task.blockers)
        )
    return TaskNote(id=task_id, description="(no longer in the plan)")


def _notes(plan: ImplementationPlan, tasks: tuple[str, ...]) -> tuple[TaskNote, ...]:
    return tuple(_note(plan, each) for each in tasks)


_PERFORM: Mapping[type[Any], Callable[[Site, State, Any], None]] = {
    effects.ResetStale: _reset_stale,
    effects.FreezePlan: _freeze,
    effects.StartTask: _start,
    effects.CompleteTask: _complete,
    effects.FailTask: _fail,
    effects.BlockTask: _block,
    effects.ReopenTasks: _reopen,
    effects.Publish: _publish,
    effects.CaptureMemory: _capture,
    effects.CapturePhase: _capture_phase,
    effects.Handoff: _handoff,
}
