"""The bodies of memories, for people to read (spec: core concepts, What Gets Captured)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts, Summary, TaskNote
from ralph.loop.memory.wording import items, money, one_line, quotation

NONE = ("None.",)


def iteration_page(facts: IterationFacts) -> str:
    """The memory of an iteration."""
    about = {
        "Phase": facts.phase,
        "Iteration": str(facts.iteration),
        "Session": facts.session_id,
        "Task": _named(facts.task),
        "Progress": "yes" if facts.progress else "no",
        "Tokens": "unknown" if facts.tokens is None else f"{facts.tokens:,}",
        "Cost": "unknown" if facts.cost_usd is None else money(facts.cost_usd),
        "Agent": facts.agent,
        "End of the turn": facts.end,
        "Time": facts.at,
    }
    return _page(
        f"Iteration {facts.iteration}",
        _about(about),
        ("Tasks Completed", done(facts.completed)),
        ("Tasks Blocked", items(map(task_line, facts.blocked))),
        ("Files Modified", numbered(facts.files)),
        ("Refusals", quotation("\n".join(facts.refusals))),
    )


def phase_page(facts: PhaseFacts) -> str:
    """The memory of a phase."""
    about = {
        "Ended": facts.ended_at,
        "Began": facts.started_at,
        "Next phase": facts.next_phase,
        "Iterations": f"{facts.iterations:,}",
        "Tokens": f"{facts.tokens:,}",
        "Cost": money(facts.cost_usd, facts.unpriced),
    }
    return _page(
        f"Phase {facts.phase}",
        _about(about),
        ("Artifacts", items(facts.artifacts)),
        ("Decisions", items(facts.decisions)),
        ("Summary", quotation(facts.summary)),
    )


def session_page(facts: SessionFacts) -> str:
    """The memory of a session."""
    about = {
        "Session": facts.session_id,
        "Phase": facts.phase,
        "Iteration": str(facts.iteration),
        "Reason for the handoff": facts.reason,
        "Began": facts.started_at,
        "Ended": facts.ended_at,
        "Tokens": f"{facts.tokens:,} (in all {facts.total_tokens:,})",
        "Cost": f"{money(facts.cost_usd, facts.unpriced)} (in all {money(facts.total_cost_usd)})",
    }
    words = facts.summary
    return _page(
        f"Session {one_line(facts.session_id, 80)}",
        _about(about),
        ("Tasks Completed", done(facts.completed)),
        ("Tasks In Progress", items(map(task_line, facts.in_progress))),
        ("Files Modified", numbered(facts.files)),
        (f"Progress, in the words of {whose(words)}", quotation("\n".join(words.progress))),
        ("Architectural Decisions", quotation("\n".join(words.decisions))),
        ("Blockers/Issues", quotation("\n".join(words.blockers))),
        ("Notes for Next Session", quotation("\n".join(words.notes))),
    )


def whose(summary: Summary) -> str:
    return {"agent": "the agent", "ralph": "Ralph", "person": "a person"}[summary.by]


def done(tasks: Iterable[TaskNote]) -> tuple[str, ...]:
    """Completed tasks, ticked off."""
    return tuple(f"- [x] {one_line(task_line(task))}" for task in tasks)


def numbered(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{number}. {one_line(path)}" for number, path in enumerate(paths, start=1))


def task_line(task: TaskNote) -> str:
    note = f" ({one_line(task.note, 120)})" if task.note.strip() else ""
    return f"{one_line(task.id, 100)}: {one_line(task.description, 160)}{note}"


def _named(task: TaskNote | None) -> str | None:
    return task_line(task) if task else None


def _about(facts: dict[str, str | None]) -> tuple[str, ...]:
    return tuple(f"- {name}: {one_line(value)}" for name, value in facts.items() if value)


def _page(title: str, about: tuple[str, ...], *sections: tuple[str, tuple[str, ...]]) -> str:
    parts = ["\n".join([f"# {title}", "", *about])]
    parts += ["\n".join([f"## {name}", *(lines or NONE)]) for name, lines in sections]
    return "\n\n".join(parts) + "\n"
