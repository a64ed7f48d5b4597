"""Performs what looks at the project: the survey of the plan, checkpoints, checks of phases, the validation, questions.

Rules (design decisions 4, 20, 26, 33, 34): what an agent says about a phase is checked in Python. The validation is
judged against the run's base, for everything but the size of the change. A person who is not there has not agreed.
"""

from __future__ import annotations

import time
from pathlib import Path

from ralph.checkpoints import rollback as checkpoints
from ralph.loop import effects, inputs
from ralph.loop.bench import bench
from ralph.loop.keeping import PROMISES
from ralph.loop.measured import failing
from ralph.loop.phases import approval, check, validation, validation_page
from ralph.loop.phases.check import PhaseCheck
from ralph.loop.phases.spec_files import load_specs
from ralph.loop.plan import critique, green, selection
from ralph.loop.plan.criteria import measured
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.proof import LOGS, prove, standings
from ralph.loop.said import issues
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.system import files
from ralph.system.text import visible
from ralph.verdict import Verdict

REPORT = Path(".ralph", "validation_report.md")


def survey(site: Site, state: State, effect: effects.Survey) -> inputs.Surveyed:
    """Raises PlanError for a plan that cannot come to its end, StorageError for one that cannot be read."""
    plan = site.plan.load()
    selection.check(plan)
    standing = selection.standing(plan)
    blocked = tuple(task.id for task in plan.tasks if task.status is TaskStatus.BLOCKED)
    return inputs.Surveyed(
        next=standing.next.id if standing.next else None,
        attempts=standing.next.retry_count if standing.next else 0,
        open=standing.remaining,
        blocked=blocked,
        complete=standing.complete,
        stuck="" if standing.next else (standing.waiting or "").rstrip("."),
    )


def checkpoint(site: Site, state: State, effect: effects.Checkpoint) -> inputs.Checkpointed:
    made = checkpoints.make(site.repo, effect.name, now=site.now())
    return inputs.Checkpointed(id=made.id, commit=made.commit, tree=made.tree)


def measure_base(site: Site, state: State, effect: effects.MeasureBase) -> inputs.BaseMeasured:
    """Raises RalphError when no verdict can be reached."""
    if site.context is None:
        return inputs.BaseMeasured()
    begun, contract = time.monotonic(), site.whole()
    base = state.checkpoint.commit if state.checkpoint else state.base
    verdict = site.engine(base).verify(site.context, contract, contract.agent)
    return inputs.BaseMeasured(failing=failing(verdict), runtime_s=time.monotonic() - begun)


def roll_back(site: Site, state: State, effect: effects.Rollback) -> inputs.RolledBack:
    made = checkpoints.find(site.repo, effect.checkpoint)
    done = checkpoints.rollback(site.repo, made, now=site.now())
    return inputs.RolledBack(tree=site.tree(), rejected=done.rejected.ref)


def check_phase(site: Site, state: State, effect: effects.CheckPhase) -> inputs.PhaseChecked:
    found = phase_check(site, effect.phase, run=True)
    return inputs.PhaseChecked(complete=found.complete, problems=found.problems, tree=site.tree())


def phase_check(site: Site, phase: Phase, *, run: bool = False) -> PhaseCheck:
    """What keeps a phase open, as the files stand; with `run` commands are tried as well."""
    if phase is Phase.DISCOVERY:
        return check.discovery_complete(load_specs(site.root))
    plan = site.plan.load_or_none() or ImplementationPlan()
    if phase is Phase.PLANNING:
        found = _critique(site, plan, run=run)
        errors = [_said(each) for each in found if each.severity == "error"]
        doubts = [_said(each) for each in found if each.severity == "warn"]
        return check.planning_complete(plan, errors, doubts, load_specs(site.root))
    return check.building_complete(plan)


def _critique(site: Site, plan: ImplementationPlan, *, run: bool) -> tuple[critique.Remark, ...]:
    """What is wrong with a plan before anything is built; with `run` what holds already is tried on the tree."""
    tasks = [task for task in plan.tasks if task.status is not TaskStatus.COMPLETE]
    commands = [found for task in tasks for text in task.verification_criteria if (found := measured(text))]
    with bench(site.repo, commands, site.env, site.permissions) as made:
        around = critique.Around(finds=green.finder(site.root, made.env), law=made.law, engine=site.context is not None)
        remarks = critique.critique(plan, around)
        if not run or any(each.severity == "error" for each in remarks):
            return remarks
        return (*remarks, *green.green_before(tasks, made, logs=site.folder / LOGS / "before"))


def _said(remark: critique.Remark) -> str:
    place = f"Task {visible(remark.task)}: " if remark.task else ""
    return f"{place}{remark.message} {remark.advice[:1].upper()}{remark.advice[1:]}."


def validate(site: Site, state: State, effect: effects.Validate) -> inputs.Validated:
    """Measure everything, and write the report. Raises RalphError when no verdict can be reached."""
    begun = time.monotonic()
    report = _report(site, state, effect)
    files.atomic_write(site.root / REPORT, validation_page.page(report).encode())
    return inputs.Validated(
        passed=report.holds,
        verdict=report.verdict.type.value if report.verdict else None,
        verdict_run=report.verdict.run_id if report.verdict else None,
        blocked=report.blocked,
        problems=report.problems,
        reopen=report.reopen,
        failing=report.failing,
        runtime_s=time.monotonic() - begun,
    )


def _report(site: Site, state: State, effect: effects.Validate) -> validation.ValidationReport:
    plan, specs = site.plan.load(), load_specs(site.root)
    found, refused = standings(prove(site, validation.criteria(plan, specs), name=f"validation-{effect.number}"))
    return validation.report(
        validation.Facts(
            verdict=_verdict(site, state),
            plan=plan,
            specs=specs,
            measured=found,
            unpermitted=refused,
            promised=_promised(site),
            issues=issues(effect.summary),
            claimed=site.evidence == "claimed",
        )
    )


def _promised(site: Site) -> dict[str, tuple[str, ...]] | None:
    """What the specifications asked for when planning ended; None if this run did not plan."""
    place = site.folder / PROMISES
    return {path: tuple(texts) for path, texts in files.read_json(place).items()} if place.exists() else None


def _verdict(site: Site, state: State) -> Verdict | None:
    if site.context is None:
        return None
    contract = site.whole()
    return site.engine(state.base).verify(site.context, contract, contract.agent)


def ask(site: Site, state: State, effect: effects.AskHuman) -> inputs.Answered:
    """What a person says about the end of a phase; nothing, if there is no answer."""
    asked = approval.Checkpoint(
        phase=effect.phase, run=state.run, bound_to=state.tree or site.tree(), question=effect.question
    )
    answer = approval.agreement(site.root, site.permissions, asked, wait_s=site.wait_s if site.attended else 0.0)
    return inputs.Answered(approved=answer.approved, reason=answer.reason)
