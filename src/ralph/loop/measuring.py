"""Performs the measuring of a turn: what it published is heard, what it claims is measured, and that is an input.

Rules (design decisions 4, 17, 20, 25, 30, 31): a task is judged against the checkpoint that was made when the task
before it was completed. Its completion needs its measured criteria and, where a context exists, the PASS of the
tree as it is now. A tool that ran without a decision makes the turn BLOCKED, whatever it claims. Nothing is published
here: a measuring that was cut off is done again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence

from ralph.events import bus as buses
from ralph.events import diagnostics
from ralph.events.door import Emission, Measurement
from ralph.events.model import CheckState, Event, GateDecision
from ralph.hats.model import Hat
from ralph.loop import turn_folder
from ralph.loop.confessions import confessional
from ralph.loop.effects import Measure
from ralph.loop.inputs import Judged, Outcome
from ralph.loop.judging import Completion, Hearing, Law, Posted, Standing
from ralph.loop.measured import Measurer, feedback, is_inherited
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.proof import objections, prove, standing
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.loop.toolbox import Desk
from ralph.loop.toolbox.planning import adding
from ralph.loop.without_tools import spoken
from ralph.record import record, replace
from ralph.verdict import Verdict

NOTHING = "You claimed nothing, so nothing was measured. Claim your result when the work is done."


@record(frozen=False)
class _Measuring:
    """Measures claims of one turn, and keeps the last verdict."""

    site: Site
    state: State
    last: Verdict | None = None

    def claim(self, emission: Emission, decision: GateDecision) -> Measurement:
        measured = self._measurer()(emission, decision)
        self.last = measured.verdict
        return measured

    def completion(self) -> Completion:
        """What is measured of the completion of the task: its criteria, then the engine's verdict."""
        criteria = CheckState.ABSENT
        if (task := _task(self.site, self.state)) is not None:
            results = prove(self.site, task.verification_criteria, name=f"{task.id}-{self.state.iteration}")
            criteria = standing(results)
            if failing := objections(results):
                return Completion("\n\n".join(failing), criteria=criteria)
        if self.site.context is None:
            return Completion(criteria=criteria)
        if self.last is None or self.last.tree_hash != self.site.tree():
            measurer = self._measurer()
            self.last = measurer.engine.verify(measurer.context, measurer.contract, measurer.contract.agent)
        reason = "" if self.last.is_terminal_pass() else feedback(self.last)
        return Completion(reason, self.last, criteria)

    def _measurer(self) -> Measurer:
        site, checkpoint = self.site, self.state.checkpoint
        assert site.context is not None
        base = checkpoint.commit if checkpoint else self.state.base
        return Measurer(engine=site.engine(base), context=site.context, contract=site.contract, gates=site.rules.gates)


def measure(site: Site, state: State, effect: Measure) -> Judged:
    """Hear a turn. Raises RalphError if it cannot be judged at all."""
    turn = state.turn
    if turn and turn.ungoverned:
        return _ungoverned(site, state, turn.ungoverned)
    begun, told = time.monotonic(), list[str]()
    folders = turn_folder.played(site.folder, effect.iteration)
    posted = spoken(
        state.phase,
        turn_folder.posted(folders, told),
        adding(Desk(root=site.root, plan=site.plan, states=site.saved, now=site.now), again=True),
        told,
    )
    measuring, bus = _Measuring(site, state), site.published.bus()
    name, hat = _player(site, state, bus)
    given = bus.waiting.get(name, ()) if name else ()
    hearing = Hearing(
        law=_law(site, state, measuring),
        hat=hat,
        task=state.work.task if state.work else None,
        standing=Standing(thrash=state.thrash, expected=state.expected, unreliable=state.unreliable),
        told=told,
    )
    hearing.hear(_with_default(posted, hat, state, effect))
    outcome, reason = hearing.outcome, hearing.reason
    events = [replace(each, iteration=effect.iteration) for each in hearing.events]
    if events and name:
        events.append(buses.handled(name, given, iteration=effect.iteration))
        if outcome == "open" and buses.next_hat(_after(bus, events)) is None:
            outcome, reason = "stalled", "no hat listens to what was published"
    if outcome not in ("tampered", "waits"):
        outcome, reason = _decided(site, state) or (outcome, reason)
    if not posted and turn and turn.reason == "completed":
        hearing.told.append(NOTHING)
    tree, plan, verdict = site.tree(), site.plan_version(), hearing.verdict or measuring.last
    return Judged(
        outcome=outcome,
        tree=tree,
        moved=tree != state.tree or bool(hearing.accepted) or plan != state.plan,
        plan=plan,
        told=tuple(hearing.told),
        events=tuple(events),
        claims=tuple(hearing.claims),
        reason=reason,
        notes=hearing.notes,
        verdict=verdict.type.value if verdict else None,
        verdict_run=verdict.run_id if verdict else None,
        runtime_s=time.monotonic() - begun,
        thrash=hearing.standing.thrash,
        expected=hearing.standing.expected,
        unreliable=hearing.standing.unreliable,
    )


def _decided(site: Site, state: State) -> tuple[Outcome, str] | None:
    """What a person has decided meanwhile about the task at work: that counts, whatever the turn came to."""
    if state.work is None:
        return None
    if (task := _task(site, state)) is None:
        return "left out", "it is no longer in the plan"
    if task.status is TaskStatus.BLOCKED:
        return "left out", task.blockers[-1] if task.blockers else "no reason is known"
    return ("complete", "") if task.status is TaskStatus.COMPLETE else None


def _task(site: Site, state: State) -> Task | None:
    """The task at work, as it stands in the plan."""
    plan = site.plan.load_or_none() or ImplementationPlan()
    return next((each for each in plan.tasks if state.work and each.id == state.work.task), None)


def _player(site: Site, state: State, bus: buses.Bus) -> tuple[str | None, Hat | None]:
    """Whose turn it was. Outside of building nobody wears a hat."""
    name = buses.next_hat(bus) if state.work else None
    return name, site.topology.hat(name) if name else None


def _law(site: Site, state: State, measuring: _Measuring) -> Law:
    diagnose: Callable[[str], None] | None = None
    if diagnostics.wanted(os.environ):
        diagnose = lambda line: print(line, file=sys.stderr)  # noqa: E731, T201 - where a person asked for it
    return Law(
        topology=site.topology,
        rules=site.rules,
        measure=measuring.claim if site.context else None,
        confessional=confessional(site, state),
        completion=measuring.completion,
        is_inherited=lambda verdict: is_inherited(verdict, state.red or ()),
        diagnose=diagnose,
    )


def _with_default(posted: Sequence[Posted], hat: Hat | None, state: State, effect: Measure) -> Sequence[Posted]:
    """What the hat publishes when its turn published nothing."""
    if posted or hat is None or not hat.default_publishes or (state.turn and state.turn.reason != "completed"):
        return posted
    task = state.work.task if state.work else None
    emission = Emission(
        topic=hat.default_publishes, payload="", origin="default", hat=hat.id, task=task, iteration=effect.iteration
    )
    return [Posted(emission, None)]


def _ungoverned(site: Site, state: State, calls: Sequence[str]) -> Judged:
    """Nothing that was said in such a turn is heard."""
    listed = "\n".join(f"- {each}" for each in calls)
    return Judged(
        outcome="tampered",
        tree=site.tree(),
        plan=site.plan_version(),
        reason=f"Tools ran that Ralph had not decided about:\n{listed}",
        thrash=state.thrash,
        expected=state.expected,
        unreliable=state.unreliable,
    )


def _after(bus: buses.Bus, events: Sequence[Event]) -> buses.Bus:
    for event in events:
        bus, _ = buses.publish(bus, event)
    return bus
