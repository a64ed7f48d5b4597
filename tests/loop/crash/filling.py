"""A process that fills the disk under a run, or closes it for writing, and gives it back: again and again.

`unshare --mount python -m tests.loop.crash.filling PLACE SEED full|closed` works in a mount namespace of its own, where
Ralph's files of the project at PLACE lie on a small disk. It prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from ralph.loop.control import alive
from ralph.loop.plan.files import PlanStore
from tests.loop.crash.ending import damage, miscounted
from tests.loop.crash.ralphs import Place, until

SIZE = 24 << 20
TIMES = 6
BLOCK = b"x" * 4096
BALLAST = "ballast"


def mount(disk: Path, *options: str) -> None:
    subprocess.run(["mount", *options, "none", str(disk)], check=True)


def fill(disk: Path, left: int) -> None:
    """Leave so many blocks."""
    with (disk / BALLAST).open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(BLOCK)
    os.truncate(disk / BALLAST, max(0, (disk / BALLAST).stat().st_size - left * len(BLOCK)))


def close(disk: Path, left: int) -> None:
    """Nothing can be written any more, here or in one of its folders; what is open stays so."""
    folders = [disk, *(path for path in sorted(disk.iterdir()) if path.is_dir())]
    place = folders[left % len(folders)]
    subprocess.run(["mount", "--bind", str(place), str(place)], check=True)
    closing = ["mount", "-o", "remount,bind,ro", str(place)]
    while subprocess.run(closing, check=False, capture_output=True).returncode:
        """Somebody has opened a file for writing in there meanwhile."""


def empty(disk: Path) -> None:
    (disk / BALLAST).unlink(missing_ok=True)


def reopen(disk: Path) -> None:
    mounted = Path("/proc/self/mounts").read_text().splitlines()
    for place in [line.split()[1] for line in mounted if line.split()[1].startswith(str(disk)) and " ro," in line]:
        subprocess.run(["umount", "--lazy", place], check=True)


Spoil = Callable[[Path, int], None]
Mend = Callable[[Path], None]
WAYS: Mapping[str, tuple[Spoil, Mend, str]] = {
    "full": (fill, empty, "the disk is full"),
    "closed": (close, reopen, "read-only"),
}


def troubled(made: Place, chance: random.Random, way: str) -> dict[str, object]:
    """A run under which the disk is spoiled, until it has come to its end; the last time it is left alone."""
    spoil, mend, reason = WAYS[way]
    disk, wrong, codes = made.root / ".ralph", list[str](), [3]
    while codes[-1] == 3 and len(codes) <= TIMES:
        before = len(made.said) if len(codes) > 1 else 0
        with made.at_work(*made.next_words()) as ralph:
            until(lambda: alive(made.root) is not None or ralph.poll() is not None)
            time.sleep(chance.uniform(0.0, 2.0))
            spoil(disk, chance.randrange(12))
            codes.append(ralph.wait(60))
        *_, last = told = made.said[before:].splitlines()
        if codes[-1] == 3 and not (last.startswith("ralph: ") and reason in last.casefold()):
            wrong.append(f"it says {told[-3:]}")
        wrong += ["\n".join(told)] if any("Traceback" in line for line in told) else []
        mend(disk)
        wrong += damage(made.root)
    if codes[-1] == 3:
        codes.append(made.ralph(*made.next_words()))
    tries = [task.retry_count for task in PlanStore(made.root).load().tasks]
    wrong += damage(made.root) + miscounted(made.root)
    return {"wrong": wrong, "codes": codes, "end": made.journal.state.end, "failed": sum(tries)}


def main() -> None:
    place, chance, way = Path(sys.argv[1]), random.Random(int(sys.argv[2])), sys.argv[3]
    tempfile.tempdir = str(place / "tmp")
    disk = place / "project" / ".ralph"
    kept = place / "kept"
    disk.rename(kept)
    disk.mkdir()
    mount(disk, "-t", "tmpfs", "-o", f"size={SIZE}")
    subprocess.run(["cp", "-a", f"{kept}/.", str(disk)], check=True)
    print(json.dumps(troubled(Place(place), chance, way)))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
