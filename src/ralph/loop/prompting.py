"""Gathers what the prompt of a turn is made of, from the files as they are (`prompts` makes the text of it)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ralph.events.model import Event
from ralph.hats.model import Hat
from ralph.loop.budget import remaining
from ralph.loop.checking import phase_check
from ralph.loop.confessional import TOPICS
from ralph.loop.confessions import confessional
from ralph.loop.memory import active, notes
from ralph.loop.moves import counted
from ralph.loop.phases.spec_files import load_specs
from ralph.loop.plan.criteria import judged, read
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.prompts.facts import PromptFacts
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.mcp.model import PREFIX, Tool
from ralph.permissions.disk import here

GUIDANCE = ("AGENTS.md", "CLAUDE.md")
LONGEST_GUIDANCE = 8_000
LEARNINGS = 8_000
"""Characters, counted from the newest."""


def facts(site: Site, state: State, hat: Hat | None, given: Sequence[Event], tools: Sequence[Tool]) -> PromptFacts:
    """The facts of the next turn. Raises StorageError if a file that must be read cannot be."""
    plan = site.plan.load_or_none() or ImplementationPlan()
    task = next((each for each in plan.tasks if state.work and each.id == state.work.task), None)
    wears = hat is not None and site.preset
    return PromptFacts(
        phase=state.phase,
        iteration=state.iteration + 1,
        goal=state.prompt,
        project=site.context.project.name if site.context else site.root.name,
        guidance=_guidance(site.root),
        memory=active.refresh(site.root, site.saved.load(), plan),
        learnings="\n".join(notes.learnings(site.root, LEARNINGS)),
        task=task,
        attempt=state.work.attempt if state.work else 1,
        measured=_measured(site, task),
        finished=tuple(each for each in plan.tasks if task and each.id in task.dependencies),
        plan=plan,
        specs=load_specs(site.root),
        check=None if state.phase in (Phase.BUILDING, Phase.VALIDATION) else phase_check(site, state.phase),
        commands=site.context.commands if site.context else None,
        tools=tuple(f"{PREFIX}{tool.name}" for tool in tools),
        told=state.told,
        hints=tuple(hint.text for hint in state.hints),
        left=remaining(state.settings.limits, state.session.spent, counted(state)),
        attended=site.attended,
        topology=site.topology if site.preset and state.work else None,
        hat=hat if wears else None,
        given=tuple(given) if wears else (),
        material=_material(site, state, hat),
    )


def _guidance(root: Path) -> str:
    """The files that people write for agents; clients do not read them in a run, where settings of the project are
    not taken over."""
    texts = [_plain_text(root / name) for name in GUIDANCE]
    return "\n\n".join(text for text in dict.fromkeys(texts) if text)[:LONGEST_GUIDANCE]


def _plain_text(path: Path) -> str:
    """The text of a plain file; "" if there is none."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(LONGEST_GUIDANCE).decode("utf-8", "replace").strip()


def _material(site: Site, state: State, hat: Hat | None) -> str:
    """What a confessor reads."""
    room = confessional(site, state)
    if hat is None or room is None or not set(hat.publishes) & set(TOPICS):
        return ""
    return room.material(state.work.task if state.work else "")


def _measured(site: Site, task: Task | None) -> dict[str, str]:
    """The criteria of the task that Ralph measures, with their commands."""
    law = (site.permissions, here(site.root))
    standings = [judged(read(text), law) for text in (task.verification_criteria if task else ())]
    return {
        each.criterion.text: each.criterion.gate.command
        for each in standings
        if each.kind == "measured" and each.criterion.gate
    }
