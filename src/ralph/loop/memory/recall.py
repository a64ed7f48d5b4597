"""Reads memories back: what active memory is built from (spec: core concepts, Active Memory Construction).

Rules: only what a program wrote for a program is read, the front matter. A memory that is damaged is left out, and its
absence said in words (`problems`). A phase counts as recently left for three iterations after its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory import notes
from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.rotation import ITERATIONS, SESSIONS
from ralph.loop.words import Phase
from ralph.record import record

RECENT = 3

F = TypeVar("F")


@record(kw_only=True)
class Recalled:
    """Oldest first. `iterations` are the last three, and all of the last one's session that were not rotated away."""

    iterations: tuple[IterationFacts, ...] = ()
    previous_phase: PhaseFacts | None = None
    sessions: tuple[SessionFacts, ...] = ()
    remembered: str = ""
    problems: tuple[str, ...] = ()


def recall(root: Path, phase: Phase, iteration: int) -> Recalled:
    """What there is to know in this phase before the iteration after `iteration`. Raises StorageError if a folder
    cannot be read."""
    memory, problems = MemoryFolder(root), list[str]()
    return Recalled(
        iterations=_last_iterations(memory, problems),
        previous_phase=_left(memory, phase, iteration, problems),
        sessions=_last_sessions(memory, problems),
        remembered=_remembered(root, problems),
        problems=tuple(problems),
    )


def _last_iterations(memory: MemoryFolder, problems: list[str]) -> tuple[IterationFacts, ...]:
    found: list[IterationFacts] = []
    for _, path in reversed(folders.numbered(memory.iterations, "iter")[-ITERATIONS:]):
        facts = _read(path, IterationFacts, problems)
        if facts and len(found) >= RECENT and facts.session_id != found[0].session_id:
            break
        found += [facts] if facts else []
    return tuple(reversed(found))


def _last_sessions(memory: MemoryFolder, problems: list[str]) -> tuple[SessionFacts, ...]:
    paths = [path for _, path in folders.numbered(memory.sessions, "session")[-SESSIONS:]]
    return tuple(facts for path in paths if (facts := _read(path, SessionFacts, problems)))


def _left(memory: MemoryFolder, phase: Phase, iteration: int, problems: list[str]) -> PhaseFacts | None:
    """The phase that was left last, if that was recently and not for a phase that is over again."""
    found = [
        facts
        for each in Phase
        if each is not phase and (facts := _read(memory.phases / f"{each}.md", PhaseFacts, problems))
    ]
    last = max(found, key=lambda facts: facts.iteration, default=None)
    return last if last and 0 <= iteration - last.iteration < RECENT else None


def _remembered(root: Path, problems: list[str]) -> str:
    try:
        return notes.remembered(root)
    except StorageError as error:
        problems.append(str(error))
        return ""


def _read(path: Path, kind: type[F], problems: list[str]) -> F | None:
    try:
        return folders.read(path, kind)
    except FileNotFoundError:
        return None
    except StorageError as error:
        problems.append(str(error))
        return None
