"""`.ralph/MEMORY.md`: the memory that goes into every prompt (spec: core concepts, MEMORY.md, Active Memory).

Rules:

- It is built from records, the same text for the same records: the phase left recently, the last three iterations, the
  plan, the figures of the session, what the last session left, and the notes that the agent asked to remember.
- It has the headings of the spec, and never more than 8,000 characters (`sections`): the task at work, the figures and
  the words of the last session go last.
- "This session" is the one at work together with the one that ended last: a session that has just begun would
  otherwise know nothing. Decisions are those of all sessions that are remembered.
- What agents and people wrote is quoted (`wording`): it cannot pass for a line of Ralph's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts, Summary, TaskNote
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.pages import NONE, done, numbered, whose
from ralph.loop.memory.recall import RECENT, Recalled, recall
from ralph.loop.memory.sections import Section, combine
from ralph.loop.memory.wording import items, money, one_line, quotation
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.saved import RalphState
from ralph.system import files

LIMIT = 8_000
_DESCRIPTION = 700


def refresh(root: Path, state: RalphState, plan: ImplementationPlan) -> str:
    """Build the active memory from what is on the disk and write it, unless it stands there. Raises StorageError."""
    memory = MemoryFolder(root)
    with memory.lock():
        text = current(root, state, plan)
        data = text.encode("utf-8", "backslashreplace")
        if _there(memory.active) != data:
            files.atomic_write(memory.active, data)
    return text


def current(root: Path, state: RalphState, plan: ImplementationPlan) -> str:
    """What `refresh` would write now. Raises StorageError."""
    return build_active_memory(state, plan, recall(root, state.current_phase, state.iteration_count))


def build_active_memory(state: RalphState, plan: ImplementationPlan, recalled: Recalled) -> str:
    """The text. Pure; never longer than `LIMIT`."""
    ended = recalled.sessions[-1] if recalled.sessions else None
    decided = list(dict.fromkeys(line for each in recalled.sessions for line in each.summary.decisions if line.strip()))
    words = ended.summary if ended else Summary(by="ralph")
    here = [each for each in recalled.iterations if state.session_id and each.session_id == state.session_id]
    completed = _once([*(ended.completed if ended else ()), *(task for each in here for task in each.completed)])
    changed = _ordered([*(ended.files if ended else ()), *(path for each in here for path in each.files)])
    notes = quotation("\n".join(words.notes))
    source = (f"In the words of {whose(words)}:",) if notes else ()
    sections = [
        _section("Completed This Session", done(completed), rank=6, share=700, newest_last=True),
        _section(
            "Current Task In Progress", _task(plan, ended.in_progress if ended else (), words), rank=1, share=1700
        ),
        _section("Architectural Decisions", quotation("\n".join(decided)), rank=7, share=700, newest_last=True),
        _section("Files Modified", numbered(changed), rank=9, share=400, newest_last=True),
        _section("Blockers/Issues", (*_blocked(plan), *quotation("\n".join(words.blockers))), rank=5, share=800),
        _section("Notes for Next Session", source + notes, rank=3, share=1200),
        _optional("Notes You Asked to Remember", quotation(recalled.remembered), rank=4, share=900, newest_last=True),
        _optional("Recent Iterations", tuple(_iterations(recalled.iterations)), rank=8, share=500, newest_last=True),
        _optional(*_previous(recalled.previous_phase), rank=10, share=300),
        _section("Session Metadata", (*_figures(state, plan, ended), *items(recalled.problems[:2])), rank=2, share=600),
    ]
    return combine(f"# Session Memory - Iteration {state.iteration_count}", [each for each in sections if each], LIMIT)


def _section(title: str, lines: tuple[str, ...], *, rank: int, share: int, newest_last: bool = False) -> Section:
    return Section(title=title, lines=lines or NONE, rank=rank, share=share, newest_last=newest_last)


def _optional(
    title: str, lines: tuple[str, ...], *, rank: int, share: int, newest_last: bool = False
) -> Section | None:
    """A section that the spec's form does not have stands there only if it says something."""
    return _section(title, lines, rank=rank, share=share, newest_last=newest_last) if lines else None


def _task(plan: ImplementationPlan, before: Iterable[TaskNote], words: Summary) -> tuple[str, ...]:
    at_work = [task for task in plan.tasks if task.status is TaskStatus.IN_PROGRESS]
    known = {task.id for task in before}
    lines: list[str] = []
    for task in at_work:
        lines += [f"Task ID: {one_line(task.id, 100)}", f"Description: {one_line(task.description, _DESCRIPTION)}"]
        lines += [f"Failed attempts: {task.retry_count}"] if task.retry_count else []
        if task.id in known and (progress := quotation("\n".join(words.progress))):
            lines += [f"Progress, in the words of {whose(words)}:", *progress]
    return tuple(lines)


def _blocked(plan: ImplementationPlan) -> tuple[str, ...]:
    blocked = [task for task in plan.tasks if task.status is TaskStatus.BLOCKED]
    return items(f"Task {task.id} is blocked: {_why(task)}" for task in blocked)


def _why(task: Task) -> str:
    return "; ".join(one_line(each, 160) for each in task.blockers) or "no reason is known"


def _iterations(iterations: tuple[IterationFacts, ...]) -> Iterator[str]:
    for each in iterations[-RECENT:]:
        cost = "unknown" if each.cost_usd is None else money(each.cost_usd)
        tokens = "unknown" if each.tokens is None else f"{each.tokens:,}"
        outcome = "progress" if each.progress else "no progress"
        task = f", task {one_line(each.task.id, 100)}" if each.task else ""
        yield f"- Iteration {each.iteration}: {each.phase}{task}, {outcome}, tokens {tokens}, cost {cost}"
        yield from (f"  - completed {one_line(task.id, 100)}" for task in each.completed)
        yield from (f"  - blocked {one_line(task.id, 100)}: {one_line(task.note, 160)}" for task in each.blocked)


def _previous(facts: PhaseFacts | None) -> tuple[str, tuple[str, ...]]:
    if facts is None:
        return "Previous Phase", ()
    artifacts = items(f"made {each}" for each in facts.artifacts)
    decisions = items(f"decided {each}" for each in facts.decisions)
    lasted = f"- Iterations: {facts.iterations:,}, cost {money(facts.cost_usd, facts.unpriced)}"
    return f"Previous Phase: {facts.phase}", (lasted, *quotation(facts.summary), *artifacts, *decisions)


def _figures(state: RalphState, plan: ImplementationPlan, ended: SessionFacts | None) -> tuple[str, ...]:
    """A session that has used nothing yet has the figures of the one before."""
    cost, tokens = state.session_cost_usd, state.session_tokens_used
    if ended and not (cost or tokens):
        cost, tokens = ended.cost_usd, ended.tokens
    complete = sum(task.status is TaskStatus.COMPLETE for task in plan.tasks)
    share = complete * 100 // len(plan.tasks) if plan.tasks else 0
    return (
        f"- Phase: {state.current_phase}",
        f"- Iteration: {state.iteration_count}",
        f"- Session Cost: {money(cost)}",
        f"- Session Tokens: {tokens:,}",
        f"- Total Cost: {money(state.total_cost_usd, state.unpriced_turns)}",
        f"- Total Progress: {share}% ({complete} of {len(plan.tasks)} tasks)",
    )


def _once(tasks: Iterable[TaskNote]) -> list[TaskNote]:
    return list({task.id: task for task in tasks}.values())


def _ordered(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(paths))


def _there(path: Path) -> bytes | None:
    try:
        return files.read_bytes(path)
    except FileNotFoundError:
        return None
