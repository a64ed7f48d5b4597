"""Tasks from a Markdown file into a plan: spec-kit's `tasks.md`, else any checklist.

Rules:

- All or nothing: whatever is wrong is told with its line, and then nothing is imported.
- What the plan has stays as it is: a task whose id is there already is not touched, so a file can be imported again
  after it has grown.
- A checked box is a claim. Its task is pending like the others, with a note; what is really done is then measured
  quickly.
"""

from __future__ import annotations

from ralph.loop.plan.checklist import read_checklist
from ralph.loop.plan.criteria import refuse_unclear
from ralph.loop.plan.errors import PlanError, UnfitTask
from ralph.loop.plan.limits import refuse_unfit
from ralph.loop.plan.markdown import ImportRefused, Problem, read_document
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.plan.speckit import Draft, is_speckit, read_speckit
from ralph.loop.plan.transitions import add
from ralph.record import record


@record(kw_only=True)
class Imported:
    """What a file holds. `notes` are lines that were not understood, and boxes that were checked."""

    kind: str
    tasks: tuple[Task, ...]
    notes: tuple[Problem, ...]
    lines: dict[str, int]
    """Where each task stands."""


def read_tasks(text: str, source: str, *, known: frozenset[str] = frozenset()) -> Imported:
    """The tasks of a file called `source`, which may depend on the `known` ones. Raises ImportRefused."""
    document = read_document(text, source)
    problems: list[Problem] = []
    notes: list[Problem] = []
    speckit = is_speckit(document)
    if speckit:
        drafts, problems, notes = read_speckit(document)
    else:
        drafts = read_checklist(document)
    if not drafts:
        raise ImportRefused(source, problems or [(1, "there is no checkbox in it: a task is a line '- [ ] text'")])
    lines: dict[str, int] = {}
    for draft in drafts:
        if draft.id in lines:
            problems.append((draft.line, f"the task {draft.id} stands in line {lines[draft.id]} already"))
        lines.setdefault(draft.id, draft.line)
    tasks = []
    for draft in drafts:
        problems += _unknown(draft, lines.keys() | known)
        problems += _unfit(draft, task := _task(draft, source))
        tasks.append(task)
        if draft.checked:
            notes.append((draft.line, f"{draft.id} is checked, which is a claim: it will be measured like the others"))
    if problems:
        raise ImportRefused(source, problems)
    kind = "spec-kit" if speckit else "checklist"
    return Imported(kind=kind, tasks=tuple(tasks), notes=tuple(sorted(notes)), lines=lines)


def merged(plan: ImplementationPlan, text: str, source: str) -> tuple[ImplementationPlan, Imported, tuple[str, ...]]:
    """The plan with what is new in the file, what the file holds, and the ids that were there already.

    Raises ImportRefused.
    """
    known = frozenset(task.id for task in plan.tasks)
    imported = read_tasks(text, source, known=known)
    try:
        changed = add(plan, *(task for task in imported.tasks if task.id not in known))
    except PlanError as error:
        told = str(error).rstrip(".")
        line = next((imported.lines[each] for each in getattr(error, "tasks", ()) if each in imported.lines), 1)
        raise ImportRefused(source, [(line, told[0].lower() + told[1:])]) from None
    return changed, imported, tuple(task.id for task in imported.tasks if task.id in known)


def _task(draft: Draft, source: str) -> Task:
    note = f"checked in {source} (line {draft.line}), which is a claim" if draft.checked else None
    return Task(
        id=draft.id,
        description=draft.description,
        priority=draft.priority,
        dependencies=tuple(draft.dependencies),
        verification_criteria=tuple(text for _, text in draft.criteria),
        completion_notes=note,
        extra=draft.extra,
    )


def _unknown(draft: Draft, known: set[str]) -> list[Problem]:
    return [
        (line, f"{draft.id} depends on {each!r}, and there is no such task")
        for each, line in draft.dependencies.items()
        if each not in known
    ]


def _unfit(draft: Draft, task: Task) -> list[Problem]:
    found: list[Problem] = []
    try:
        refuse_unfit(task)
    except UnfitTask as error:
        found.append((draft.line, str(error).rstrip(".")))
    for line, text in draft.criteria:
        try:
            refuse_unclear(text)
        except UnfitTask as error:
            found.append((line, str(error).rstrip(".")))
    return found
