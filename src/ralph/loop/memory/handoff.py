"""The end of a session: what it leaves to the next one (spec: core concepts, Automatic Handoff Protocol).

Rules (design section 3):

- When it happens, the machine decides (`loop.moves`): at 60 % of the context window, and where nobody knows how much is
  used, after each iteration.
- The agent is asked for a summary. What it says goes under the headings it was asked for, the rest under the notes; it
  is quoted as its words. If none comes, Ralph writes its own facts: the plan, the changed files, the last refusals.
- `write` captures the session, rotates, writes MEMORY.md and appends to the history, in this order. Each step done
  twice is the same as done once, so what a crash cut off is done by doing it all again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from ralph.loop.memory import active, capture, history, rotation
from ralph.loop.memory.facts import IterationFacts, SessionFacts, Summary, TaskNote
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.saved import RalphState

LONGEST_SUMMARY = 10_000

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.+?)[\s#:]*")
_PARTS = {
    "progress": "progress",
    "architectural decisions": "decisions",
    "decisions": "decisions",
    "blockers/issues": "blockers",
    "blockers": "blockers",
    "issues": "blockers",
    "notes for next session": "notes",
    "notes for the next session": "notes",
    "notes": "notes",
}
_NOTHING = re.compile(r"[-*\s]*(none|nothing|n/a)[.\s]*", re.IGNORECASE)

REQUEST = """\
This session ends now: its context is nearly used up. The work goes on in a fresh session, which sees the files, the \
plan and what you write here, and nothing else of this conversation.

Change no file and call no tool. Answer with these four headings and short lists below them; write what cannot be seen \
in the files, and leave out what can. 300 words are enough.

## Progress
What of the task at work is done, and what is missing.

## Architectural Decisions
What you decided, and why.

## Blockers/Issues
What stands in the way, and what you tried that does not work.

## Notes for Next Session
What to do first.
"""
"""The prompt that asks an agent for its summary."""


def read_summary(text: str, by: Literal["agent", "person"] = "agent") -> Summary | None:
    """The words of an agent or a person, by heading; None if there are none."""
    parts: dict[str, list[str]] = {"progress": [], "decisions": [], "blockers": [], "notes": []}
    part = "notes"
    for line in _lines(text):
        heading = _HEADING.fullmatch(line)
        named = _PARTS.get(heading[1].lower()) if heading else None
        if named:
            part = named
        else:
            parts[part].append(line)
    words = {name: _without_blanks(lines) for name, lines in parts.items()}
    return Summary(by=by, **words) if any(words.values()) else None


def own_summary(plan: ImplementationPlan, *, iterations: int, told: Sequence[str], changed: int) -> Summary:
    """What Ralph itself knows of a session: how long it was, what was refused last, how many files were changed."""
    turns = f"{iterations} {'iteration' if iterations == 1 else 'iterations'}"
    at_work = [task for task in plan.tasks if task.status is TaskStatus.IN_PROGRESS]
    hint = f"No summary came. Look first at what was changed: {changed} {'file' if changed == 1 else 'files'}."
    return Summary(
        by="ralph",
        progress=tuple(
            f"Task {task.id}: {turns} in this session, {task.retry_count} failed attempts." for task in at_work
        ),
        blockers=tuple(told),
        notes=(hint,) if at_work and changed else (),
    )


def session_facts(
    state: RalphState,
    plan: ImplementationPlan,
    iterations: Sequence[IterationFacts],
    *,
    reason: str,
    now: str,
    summary: Summary | None = None,
) -> SessionFacts:
    """The facts of the session at work, whose figures the state has; `iterations` are those that are remembered."""
    here = [each for each in iterations if each.session_id == state.session_id]
    files = tuple(dict.fromkeys(path for each in here for path in each.files))
    told = here[-1].refusals if here else ()
    return SessionFacts(
        session_id=state.session_id or "",
        phase=state.current_phase,
        iteration=state.iteration_count,
        reason=reason,
        started_at=state.session_started_at,
        ended_at=now,
        summary=summary or own_summary(plan, iterations=len(here), told=told, changed=len(files)),
        completed=tuple({task.id: task for each in here for task in each.completed}.values()),
        in_progress=tuple(_note(task) for task in plan.tasks if task.status is TaskStatus.IN_PROGRESS),
        files=files,
        tokens=state.session_tokens_used,
        cost_usd=state.session_cost_usd,
        unpriced=sum(each.cost_usd is None for each in here),
        total_tokens=state.total_tokens_used,
        total_cost_usd=state.total_cost_usd,
        run_id=state.run_id,
    )


def write(root: Path, facts: SessionFacts, state: RalphState, plan: ImplementationPlan, *, now: datetime) -> Path:
    """Perform the handoff of a session; where its memory is. Raises StorageError; then do it again."""
    path = capture.capture_session(root, facts, now=now)
    rotation.rotate(root, now=now)
    active.refresh(root, state, plan)
    history.append(root, facts, path)
    return path


def _lines(text: str) -> list[str]:
    """The lines of a text; of too long a one those that are whole, and a word about the rest."""
    if len(text) > LONGEST_SUMMARY:
        kept = text[:LONGEST_SUMMARY].rpartition("\n")[0]
        text = f"{kept}\n[{len(text) - len(kept):,} more characters were left out]"
    return re.split(r"\r\n|\r|\n", text)


def _note(task: Task) -> TaskNote:
    failed = f"{task.retry_count} failed attempts" if task.retry_count else ""
    return TaskNote(id=task.id, description=task.description, note=failed)


def _without_blanks(lines: list[str]) -> tuple[str, ...]:
    """The lines without blank ones around them; none if all they say is that there is nothing."""
    text = "\n".join(lines).strip("\n")
    return tuple(text.split("\n")) if text.strip() and not _NOTHING.fullmatch(text) else ()
