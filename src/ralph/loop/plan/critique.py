"""What is wrong with a plan, found without a model (spec: core concepts, Planning; design decisions 28 and 31).

Rules:

- An `error` makes a plan unfit to be built: it can never come to its end, or one of its checks can never hold, or never
  fail. A `warn` is for who plans to mend, or to leave knowingly; a `note` is for the reader.
- Only words, the PATH and the permissions are looked at. `green` runs the criteria before the work.
- What is complete is not criticised any more.
"""

from __future__ import annotations

import graphlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Literal

from ralph.gates.model import VerifyGate
from ralph.gates.outcome import cannot_fail
from ralph.loop.plan.criteria import Criterion, command_words, judged, looks_measured, read
from ralph.loop.plan.errors import PlanError, some
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.selection import problems
from ralph.permissions.model import Permissions
from ralph.permissions.place import Place
from ralph.record import record

Severity = Literal["note", "warn", "error"]

TASK_TOKENS = 30_000
"""What fits into one context window with room for the work around it (spec: task sizing)."""
LARGEST = 1.5
LONGEST_CHAIN = 20

_SYSTEM = (
    r"(?:systems?|app|application|platform|product|project|site|website|codebase|backend|back-end|frontend|front-end"
    r"|server|client|api|ui|service|module|feature|flow|stack|suite|implementation|functionality|game|tool|library)"
)
_TOO_BIG = (
    re.compile(rf"\b(?:entire|whole|complete|full|end-to-end)\s+(?:[\w-]+\s+){{0,3}}{_SYSTEM}\b", re.IGNORECASE),
    re.compile(
        r"\ball\s+(?:of\s+)?(?:the\s+)?(?:[\w-]+\s+){0,2}"
        r"(?:endpoints|apis|routes|pages|screens|views|features|components|modules|services|models|requirements|tests)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:build|create|develop|implement|make|write|code)\s+(?:the|an?|our)\s+"
        rf"(?:new\s+)?(?:web\s+)?{_SYSTEM}\W*",
        re.IGNORECASE,
    ),
)
"""The last one is the whole description."""


@record(kw_only=True)
class Remark:
    """One thing to think about. `task` is its id, None for the plan as a whole; `advice` says what to do."""

    severity: Severity
    code: str
    task: str | None
    message: str
    advice: str


@record(kw_only=True)
class Around:
    """What a plan is held against. `finds(program, cwd)` tells whether the steps would find a program.

    `engine`: there is a context, so that the engine can judge what no criterion measures.
    """

    finds: Callable[[str, str | None], bool]
    law: tuple[Permissions, Place] | None = None
    engine: bool = True


def critique(plan: ImplementationPlan, around: Around, *, factor: float = LARGEST) -> tuple[Remark, ...]:
    """Every remark, those about the whole plan first, then task by task. Pure but for `around`."""
    open_tasks = [task for task in plan.tasks if task.status is not TaskStatus.COMPLETE]
    found = [_fault(problem) for problem in problems(plan)]
    if not found:
        found += _long_chain(plan)
    found += _twins(open_tasks)
    for task in open_tasks:
        found += _size(task, factor)
        found += _criteria(task, around)
    return tuple(found)


def _fault(problem: PlanError) -> Remark:
    message, _, advice = str(problem).partition(": ")
    return Remark(severity="error", code=type(problem).__name__, task=None, message=f"{message}.", advice=advice)


def _long_chain(plan: ImplementationPlan) -> Iterator[Remark]:
    """The longest way from a task without dependencies to one that nobody waits for."""
    needs = {task.id: task.dependencies for task in plan.tasks if task.status is not TaskStatus.COMPLETE}
    length: dict[str, int] = {}
    for each in graphlib.TopologicalSorter(needs).static_order():
        length[each] = 1 + max((length[needed] for needed in needs.get(each, ())), default=0)
    longest = max(length, key=length.__getitem__, default=None)
    if longest is not None and length[longest] > LONGEST_CHAIN:
        yield Remark(
            severity="note",
            code="long_chain",
            task=longest,
            message=f"{length[longest]} tasks wait one for the other, up to {longest!r}.",
            advice="if one of them is blocked, all behind it wait: let a task depend only on what it needs",
        )


def _twins(tasks: list[Task]) -> Iterator[Remark]:
    same: dict[str, list[str]] = defaultdict(list)
    for task in tasks:
        same[" ".join(task.description.casefold().split()).rstrip(".")].append(task.id)
    for ids in same.values():
        if len(ids) > 1:
            message = f"The tasks {some(ids)} have the same description."
            advice = "say what each of them is for, or remove all but one"
            yield Remark(severity="warn", code="same_description", task=ids[1], message=message, advice=advice)


def _size(task: Task, factor: float) -> Iterator[Remark]:
    advice = "split it into tasks of about half an hour's work each"
    if task.estimated_tokens > TASK_TOKENS * factor:
        message = f"It is estimated at {task.estimated_tokens:,} tokens, and {TASK_TOKENS:,} fit a session."
        yield Remark(severity="warn", code="too_big", task=task.id, message=message, advice=advice)
    *inside, alone = _TOO_BIG
    words = next((found for each in inside if (found := each.search(task.description))), None)
    words = words or alone.fullmatch(task.description.strip())
    if words:
        message = f"{words[0].strip()!r} sounds like more than one session's work."
        yield Remark(severity="warn", code="too_big", task=task.id, message=message, advice=advice)


def _criteria(task: Task, around: Around) -> Iterator[Remark]:
    criteria = [read(text) for text in task.verification_criteria]
    for each in criteria:
        yield from _criterion(task, each, around)
    if any(judged(each, around.law).kind == "measured" for each in criteria):
        return
    what = "Its criteria are words only" if criteria else "It has no verification criteria"
    then = "it needs the PASS of a whole verification" if around.engine else "nothing can show that it is done"
    yield Remark(
        severity="warn" if around.engine else "error",
        code="prose_only" if criteria else "no_criteria",
        task=task.id,
        message=f"{what}, so {then}.",
        advice='add a command that fails before the work and passes after it: verify:"command"',
    )


def _criterion(task: Task, criterion: Criterion, around: Around) -> Iterator[Remark]:
    def remark(severity: Severity, code: str, message: str, advice: str) -> Remark:
        return Remark(severity=severity, code=code, task=task.id, message=message, advice=advice)

    text = criterion.text
    standing = judged(criterion, around.law)
    if standing.kind == "unclear":
        yield remark("error", "unclear", f"The criterion {text!r} resembles a command and is none.", standing.why or "")
        return
    gate = criterion.gate
    if gate is None:
        if looks_measured(text):
            message = f"The criterion {text!r} may mean a command, but is read as words."
            yield remark("warn", "not_measured", message, 'write verify:"command" if it is to be run')
        return
    if standing.why:
        severity: Severity = "error" if criterion.explicit else "warn"
        advice = "name a command that they allow, or ask a person to allow it"
        yield remark(severity, "not_allowed", f"{standing.why[0].upper()}{standing.why[1:]}.", advice)
    if cannot_fail(gate.command):
        message = f"The command {gate.command!r} ends well whatever it finds."
        yield remark("error", "cannot_fail", message, "name one that can fail")
    for program in _missing(gate, around):
        message = f"The program {program!r} of the criterion {text!r} is not found."
        if "/" in program:
            yield remark("note", "no_program", message, "it must be there when the task is done")
        else:
            yield remark("error", "no_program", message, "install it before the run begins, or name another one")


def _missing(gate: VerifyGate, around: Around) -> list[str]:
    programs = dict.fromkeys(words[0] for words in command_words(gate.command) if words and words[0])
    return [each for each in programs if not around.finds(each, gate.cwd)]
