"""A process in which short runs are gone on with from every moment at which a kill could have ended them.

`python -m tests.loop.crash.dying RUN PLACE FIRST STEP` prints one JSON object: how many moments there are, and what was
`wrong`. A kill leaves the disk as it is, so a run is played once, and what lies on the disk is copied at every STEPth
moment: when the clock is read, which Ralph does before it writes anything down, when a view is told something, and when
a file is about to be changed. The children are forked, which the process of the tests must not do: it has threads.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from ralph.loop.standing import STANDING
from ralph.system import clock
from tests.loop.crash.ending import damage, ending, litter, miscounted
from tests.loop.crash.short import RUNS, Short

DONE, WRONG = 0, 20
CHANGES = {"os.rename", "os.link", "os.remove", "os.truncate"}


@dataclass
class Moments:
    """Counts the boundaries of a run in `place`, and copies the disk at those that are wanted, if it has changed."""

    place: Path
    first: int
    step: int
    count: int = 0
    taken: dict[str, str] = field(default_factory=dict)
    """By the name of the copy: where it was taken."""
    _before: str = ""
    _busy: bool = False

    @property
    def copies(self) -> Path:
        return self.place / "copies"

    def __call__(self, where: str) -> None:
        if self._busy:
            return
        self.count += 1
        if self.count % self.step != self.first:
            return
        self._busy, name = True, str(self.count)
        if self._copied(name):
            self.taken[name] = where
        self._busy = False

    def _copied(self, name: str) -> bool:
        """Copy the disk as it is at one instant; False if it is the same as before.

        Whoever looks for orders does so beside a turn that goes on. What changed while it was copied is copied again.
        """
        at_work, copy, now = self.place / "at work", self.copies / name, ""
        while True:
            with suppress(OSError):  # a file has gone meanwhile
                if (found := _digest(at_work)) in (now, self._before):
                    break
                now = ""
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(at_work, copy, symlinks=True)
                now = found
        self._before = found
        return found == now

    def now(self) -> datetime:
        self("the clock")
        return clock.now()

    def watch_files(self) -> None:
        """Count also what is about to be done to files of Ralph's own; evidence has tests of its own."""
        watched, evidence = str(self.place / "at work" / "project" / ".ralph"), str(Path(".ralph", "audit"))

        def look(event: str, arguments: tuple[Any, ...]) -> None:
            if event in CHANGES or (event == "open" and str(arguments[0]).endswith("jsonl")):
                path = str(arguments[0])
                if path.startswith(watched) and evidence not in path:
                    self(f"{event} {path}")

        sys.addaudithook(look)


def _digest(folder: Path) -> str:
    """Of all that lies there and is ever read again by a run."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in (".lock", ".tmp") and path.name != STANDING:
            found.update(str(path).encode() + path.read_bytes())
    return found.hexdigest()


def in_child(do: Callable[[], object]) -> int:
    child = os.fork()
    if not child:
        code = WRONG
        try:
            do()
            atexit._run_exitfuncs()
            code = DONE
        except BaseException:  # noqa: BLE001 - whatever it is, it must not go on in this process
            traceback.print_exc()
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _played(short: Short, root: Path, moments: Moments) -> None:
    """The whole run, with copies of its moments; what they are stands in `moments.json`."""
    shop = short.shop(root, moments, now=moments.now)
    moments.watch_files()
    shop.begin(short.phase)
    (moments.place / "moments.json").write_text(json.dumps([moments.count, moments.taken]))


def _gone_on(short: Short, root: Path) -> None:
    if any((root / ".ralph" / "runs").glob("*/log.jsonl")):
        short.shop(root).go_on()
    else:
        short.shop(root).begin(short.phase)


def from_every_moment(short: Short, place: Path, first: int, step: int) -> dict[str, Any]:
    at_work = place / "at work"
    root, moments = short.stage(at_work), Moments(place, first, step)
    assert in_child(partial(_played, short, root, moments)) == DONE
    straight = ending(root)
    count, taken = json.loads((place / "moments.json").read_text())

    def wrong() -> Iterator[str]:
        yield from (f"without a kill: {each}" for each in damage(root) + miscounted(root))
        for name, where in taken.items():
            shutil.rmtree(at_work)
            (moments.copies / name).rename(at_work)
            ended = in_child(partial(_gone_on, short, root))
            found = (
                [*straight.differences(ending(root)), *damage(root), *miscounted(root), *litter()]
                if ended == DONE
                else ["it broke"]
            )
            yield from (f"killed at {name} ({where}): {each}" for each in found)

    return {"wrong": list(wrong()), "moments": count, "taken": len(taken), "end": straight.end}


def main() -> None:
    name, place, first, step = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    temporary = place / "at work" / "tmp"
    temporary.mkdir(parents=True)
    tempfile.tempdir = str(temporary)
    print(json.dumps(from_every_moment(RUNS[name], place, first, step)))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
