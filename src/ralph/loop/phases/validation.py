"""What a validation comes to: facts in, a report out. Pure (spec: core concepts, phase 4; decisions 17, 31, 33, 34).

Rules:

- The whole passes only if the engine's verdict is PASS, at least one task was done, every task is complete, and every
  criterion that can be measured was measured on this tree and holds. What was skipped or could not be measured does
  not hold; nothing at all does not hold either. Where a person chose that evidence is `claimed` there is no verdict,
  and the report says so.
- Where no command measures a criterion, or the permissions do not allow it, the criterion is `claimed`, and the report
  says so. It makes nothing pass. What names a command and has no result was not measured.
- What an agent reports as a problem counts; that it reports none counts for nothing.
- Criteria of the specifications that were there when planning ended still have to be there: a requirement is not met by
  being removed.
- A person's approval, where it is wanted, is asked for when everything holds; without it nothing has passed.
- What failed goes back to building: the tasks whose own criteria fail, those that serve a specification that fails,
  else the task that was completed last. Nothing goes back while a task is blocked, or when the verdict is BLOCKED, or
  if the base has the same failures: a person has to look at that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from ralph.loop.phases.check import why_blocked
from ralph.loop.phases.specs import Spec
from ralph.loop.plan.criteria import read
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.record import field, record
from ralph.system.text import visible
from ralph.verdict import Verdict, VerdictType

Standing = Literal["holds", "fails", "not measured", "claimed"]
_BAD: tuple[Standing, ...] = ("fails", "not measured")
Approval = Literal["not needed", "waits", "given", "refused"]


@record(kw_only=True)
class Measured:
    """One criterion, measured. `holds` None: it could not be. `detail` is the exit code, or why not."""

    holds: bool | None
    detail: str = ""


@record(kw_only=True)
class Facts:
    """`measured` maps criteria that were run to what came of it, `unpermitted` those that the permissions do not allow
    to be run to the reason.

    `promised` are the acceptance criteria by path, as they were when planning ended (None: unknown). `issues` are what
    the validating agent reports.
    """

    verdict: Verdict | None
    plan: ImplementationPlan
    specs: tuple[Spec, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)
    unpermitted: Mapping[str, str] = field(default_factory=dict)
    promised: Mapping[str, tuple[str, ...]] | None = None
    issues: tuple[str, ...] = ()
    approval: Approval = "not needed"
    claimed: bool = False
    """Evidence is claimed in this project: nothing is verified, and there is no verdict."""


@record(kw_only=True)
class Requirement:
    """One criterion of a task or a specification (`source`), and where it stands."""

    source: str
    text: str
    standing: Standing
    command: str | None = None
    detail: str = ""


@record(kw_only=True)
class ValidationReport:
    """`reopen` are the tasks that go back to building, with `problems` as the reason."""

    verdict: Verdict | None
    requirements: tuple[Requirement, ...]
    problems: tuple[str, ...]
    reopen: tuple[str, ...]
    approval: Approval
    claimed: bool = False

    @property
    def holds(self) -> bool:
        """Everything that is measured is good; a person may still have to agree."""
        verified = self.claimed if self.verdict is None else self.verdict.is_terminal_pass()
        return not self.problems and verified

    @property
    def failing(self) -> tuple[str, ...]:
        """The criteria that do not hold, or could not be measured."""
        return tuple(dict.fromkeys(each.text for each in self.requirements if each.standing in _BAD))

    @property
    def passed(self) -> bool:
        return self.holds and self.approval in ("not needed", "given")

    @property
    def blocked(self) -> bool:
        return self.verdict is not None and self.verdict.type is VerdictType.BLOCKED


def report(facts: Facts) -> ValidationReport:
    """What the facts come to."""
    requirements = tuple(_requirements(facts))
    return ValidationReport(
        verdict=facts.verdict,
        requirements=requirements,
        problems=tuple(_problems(facts, requirements)),
        reopen=tuple(task.id for task in _reopened(facts, requirements)),
        approval=facts.approval,
        claimed=facts.claimed,
    )


def criteria(plan: ImplementationPlan, specs: tuple[Spec, ...]) -> tuple[str, ...]:
    """Every criterion that a validation looks at, each once: what the runner measures."""
    tasks = [text for task in plan.tasks for text in task.verification_criteria]
    return tuple(dict.fromkeys([*tasks, *(each.text for spec in specs for each in spec.acceptance)]))


def promises(specs: tuple[Spec, ...]) -> dict[str, tuple[str, ...]]:
    """What is asked for by each specification: to be kept when planning ends."""
    return {spec.path: tuple(each.text for each in spec.acceptance) for spec in specs if spec.acceptance}


def _requirements(facts: Facts) -> Iterator[Requirement]:
    for task in facts.plan.tasks:
        yield from (_requirement(facts, _task_source(task), text) for text in task.verification_criteria)
    for spec in facts.specs:
        yield from (_requirement(facts, spec.path, each.text) for each in spec.acceptance)
    kept = promises(facts.specs)
    for path, texts in (facts.promised or {}).items():
        for text in texts:
            if text not in kept.get(path, ()):
                yield Requirement(source=path, text=text, standing="fails", detail="it was removed after planning")


def _requirement(facts: Facts, source: str, text: str) -> Requirement:
    found, criterion = facts.measured.get(text), read(text)
    command = criterion.gate.command if criterion.gate else None
    if found is not None:
        standing: Standing = "holds" if found.holds else "fails" if found.holds is False else "not measured"
        return Requirement(source=source, text=text, standing=standing, command=command, detail=found.detail)
    if criterion.problem or (criterion.gate and (criterion.explicit or text not in facts.unpermitted)):
        why = criterion.problem or facts.unpermitted.get(text) or "it was not run"
        return Requirement(source=source, text=text, standing="not measured", command=command, detail=why)
    return Requirement(source=source, text=text, standing="claimed", detail=facts.unpermitted.get(text, ""))


def _problems(facts: Facts, requirements: tuple[Requirement, ...]) -> Iterator[str]:
    if not facts.claimed:
        yield from _verdict_problems(facts.verdict)
    if not any(task.status is TaskStatus.COMPLETE for task in facts.plan.tasks):
        yield "No task is complete: there is nothing to validate."
    for task in facts.plan.tasks:
        if task.status is TaskStatus.BLOCKED:
            yield f"Task {visible(task.id)} is blocked: {why_blocked(task)}."
        elif task.status is not TaskStatus.COMPLETE:
            yield f"Task {visible(task.id)} is {task.status.replace('_', ' ')}."
    for spec in facts.specs:
        if not spec.overview:
            yield from (f"{visible(spec.path)}: {problem}." for problem in spec.problems)
    for each in requirements:
        if each.standing in _BAD:
            why = f" ({visible(each.detail)})" if each.detail else ""
            verb = "does not hold" if each.standing == "fails" else "could not be measured"
            yield f"{visible(each.source)}: `{visible(each.text)}` {verb}{why}."
    yield from (f"The validating agent reports: {visible(issue.strip())}" for issue in facts.issues if issue.strip())


def _verdict_problems(verdict: Verdict | None) -> Iterator[str]:
    if verdict is None:
        yield "There is no verdict: nothing was verified."
    elif not verdict.is_terminal_pass():
        reason = visible(verdict.failure_reason or "no reason is recorded")
        yield f"The verdict is {verdict.type.value} at {verdict.failed_step or 'an unknown step'}: {reason}."


def _reopened(facts: Facts, requirements: tuple[Requirement, ...]) -> list[Task]:
    tasks = facts.plan.tasks
    if any(task.status is TaskStatus.BLOCKED for task in tasks) or _is_for_a_person(facts.verdict):
        return []
    bad = {each.source for each in requirements if each.standing in _BAD}
    bad |= {spec.path for spec in facts.specs if spec.problems and not spec.overview}
    found = [
        task
        for task in tasks
        if task.status is not TaskStatus.COMPLETE or _task_source(task) in bad or not bad.isdisjoint(task.spec_files)
    ]
    verified = facts.claimed if facts.verdict is None else facts.verdict.is_terminal_pass()
    failing = bad or facts.issues or not verified
    if found or not failing or not tasks:
        return found
    return [max(tasks, key=lambda task: task.completed_at or "")]


def _is_for_a_person(verdict: Verdict | None) -> bool:
    """Whether no agent's work can turn this verdict into PASS."""
    if verdict is None or verdict.is_terminal_pass():
        return False
    return verdict.type is VerdictType.BLOCKED or (bool(verdict.pre_existing) and not verdict.regressions)


def _task_source(task: Task) -> str:
    return f"task {task.id}"
