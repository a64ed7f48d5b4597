"""A process that ends its children at chosen moments of their work on a project, and looks at what they leave.

`python -m tests.loop.memory.crashing kill|full|closed DIR` prints one JSON object; `wrong` lists what was not as it
must be. It forks, which the process of the tests must not do: it has threads.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory import handoff, history, notes
from ralph.loop.memory.capture import capture_iteration, capture_phase
from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.reset import affected, reset
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan
from ralph.loop.saved import StateStore
from ralph.system.files import atomic_write
from tests.loop.memory.samples import NOW, iteration, phase, plan, session, state

TOUCHES = {"open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.utime", "os.truncate"}
DONE, REFUSED, WRONG = 0, 10, 20
NOBODY = 65_534


def prepare(root: Path) -> None:
    """A project whose memories are at their limits, so that what comes next rotates and archives."""
    (root / ".ralph").mkdir(parents=True)
    for number in range(1, 21):
        capture_iteration(root, iteration(number), now=NOW)
    for number in range(1, 11):
        work(root, number)
    StateStore(root).save(state(root, iteration_count=1))
    StateStore(root).save(state(root, iteration_count=2))
    PlanStore(root).change(lambda _: plan())
    PlanStore(root).change(lambda _: ImplementationPlan(tasks=plan().tasks[:3]))


def work(root: Path, number: int = 11) -> None:
    """What a runner does as a session ends: all of it can be done again."""
    capture_iteration(root, iteration(20 + number), now=NOW)
    capture_phase(root, phase(iteration=number), now=NOW)
    held = state(root, iteration_count=20 + number)
    StateStore(root).save(held)
    handoff.write(root, session(number), held, plan(), now=NOW)


def chat(root: Path) -> None:
    """What an agent's tools do."""
    notes.remember(root, "replaced", "replace", now=NOW)
    notes.remember(root, "added", now=NOW)
    notes.learn(root, "learned", "BUILD", now=NOW)


def start_over(root: Path) -> None:
    reset(root, keep_plan=False, now=NOW)


def content(root: Path) -> dict[str, bytes]:
    """Every file but locks, by path."""
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.endswith(".lock"))
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def damage(root: Path) -> list[str]:
    """What is not whole. Leftovers of a killed writer are no damage."""
    memory, wrong = MemoryFolder(root), []
    checks: list[tuple[Path, type[Any]]] = [(memory.iterations, IterationFacts), (memory.sessions, SessionFacts)]
    checks += [(memory.phases, PhaseFacts)]
    for place, kind in checks:
        for name in folders.listed(place):
            if not name.startswith("."):
                wrong += _told(partial(folders.read, place / name, kind))
    wrong += _told(StateStore(root).load_or_none)
    wrong += _told(PlanStore(root).load_or_none)
    wrong += [f"{count} damaged lines" for count in [history.read(root).damaged] if count]
    if memory.active.exists() and "## Session Metadata" not in memory.active.read_text():
        wrong.append("half of MEMORY.md")
    return wrong


def _told(read: Callable[[], object]) -> list[str]:
    try:
        read()
    except StorageError as error:
        return [str(error)]
    return []


def in_child(do: Callable[[], None]) -> int:
    """Do it in a child; 0, REFUSED (an error of ours), WRONG (a traceback), or minus the signal that ended it."""
    child = os.fork()
    if not child:
        try:
            do()
            os._exit(DONE)
        except StorageError:
            os._exit(REFUSED)
        except BaseException:  # noqa: BLE001 - whatever it is, it must not go on in this process
            traceback.print_exc()
            os._exit(WRONG)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(number: int, root: Path, do: Callable[[Path], None]) -> None:
    """Do it, but die at the touch of the project's files with this number."""
    left = number

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if event in TOUCHES and str(root) in str(arguments[0]):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)
    do(root)


def kill(base: Path) -> dict[str, Any]:
    """Kill at every touch of a file; each time nothing is damaged, and doing it again ends as without the kill."""
    start, root = base / "start", base / "project"
    prepare(root)
    root.rename(start)
    wrong, moments = list[str](), dict[str, int]()
    for do in (work, chat, start_over):
        shutil.copytree(start, root)
        do(root)
        straight = content(root)
        for number in itertools.count(1):
            again(start, root)
            ended = in_child(partial(killed_at, number, root, do))
            found = damage(root)
            if do is work:
                do(root)
                found += _different(content(root), straight)
            else:
                found += _lost(content(root), content(start)) * (do is start_over)
            wrong += [f"{do.__name__} killed at touch {number}: {each}" for each in found]
            if ended != -signal.SIGKILL:
                break
        wrong += [f"{do.__name__} ended with {ended}"] if ended != DONE else []
        moments[do.__name__] = number - 1
        shutil.rmtree(root)
    return {"wrong": wrong, "moments": moments}


def again(start: Path, root: Path) -> None:
    """The project as it was. Memories are replaced and never written into: a link is as good as a copy."""
    shutil.rmtree(root)
    shutil.copytree(start, root, copy_function=_copied)


def _copied(source: str, target: str) -> None:
    if source.endswith(".md"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def _different(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Paths that differ; a leftover beside state and plan, where nobody cleans up, is none."""
    paths = {path for path in one.keys() | other.keys() if not path.endswith(".tmp")}
    return [f"{path} differs" for path in sorted(paths) if one.get(path) != other.get(path)]


def _lost(now: dict[str, bytes], before: dict[str, bytes]) -> list[str]:
    """Content that is neither where it was nor in a backup."""
    return [f"{path} is lost" for path, data in before.items() if data not in now.values()]


def full(base: Path) -> dict[str, Any]:
    """Files may not grow beyond a size, as if the disk were full: an error of ours, and nothing is damaged."""
    start, root = base / "start", base / "project"
    prepare(root)
    root.rename(start)
    root.mkdir()
    wrong, outcomes = list[str](), set[int]()
    for size, do in itertools.product((0, 1, 50, 400, 900, 1200, 1500, 2000, 2500, 3000, 4000, 100_000), (work, chat)):
        again(start, root)
        ended = in_child(partial(_limited, size, root, do))
        found = damage(root) + [path for path in content(root) if path.endswith(".tmp")]
        found += _lost(content(root), content(start)) * (size == 0)
        found += [f"it ended with {ended}"] if ended not in (DONE, REFUSED) else []
        wrong += [f"{do.__name__} with {size} bytes: {each}" for each in found]
        outcomes.add(ended)
    return {"wrong": wrong, "outcomes": sorted(outcomes)}


def _limited(size: int, root: Path, do: Callable[[Path], None]) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    do(root)


def closed(base: Path) -> dict[str, Any]:
    """Folders in which nobody may write: an error of ours, and everything stays as it is."""
    wrong, outcomes = list[str](), list[int]()
    root = base / "start"
    prepare(root)
    before = content(root)
    places = [root / ".ralph", *(path for path in (root / ".ralph").rglob("*") if path.is_dir())]
    for path in places:
        path.chmod(0o555)
    for path in root.rglob("*.lock"):
        path.chmod(0o666)
    for do in (work, chat, start_over):
        ended = in_child(partial(_as_nobody, root, do))
        outcomes.append(ended)
        wrong += [f"{do.__name__}: {each}" for each in _different(content(root), before)]
    for path in places:
        path.chmod(0o755)
    return {"wrong": wrong, "outcomes": outcomes, "left": [str(each) for each in affected(root, keep_plan=False)]}


def _as_nobody(root: Path, do: Callable[[Path], None]) -> None:
    if os.getuid() == 0:  # root may write everywhere
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    do(root)


def main() -> None:
    what, base = sys.argv[1], Path(sys.argv[2])
    atomic_write(base / "warm", b"")  # what is imported late is imported now
    print(json.dumps({"kill": kill, "full": full, "closed": closed}[what](base)))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
