"""The plan on disk: one writer at a time, whole or not at all, and nothing that anybody remembered is ever saved."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.loop.plan import transitions as go
from ralph.loop.plan.errors import PlanError
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.plan.reading import read_plan
from tests.loop.plan.making import STAMP, states, store, task


def names(root: Path) -> set[str]:
    return {each.name for each in (root / ".ralph").iterdir()} - {".implementation_plan.json.lock"}


def kept(shelf: PlanStore) -> ImplementationPlan:
    """The backup."""
    return read_plan(shelf.path.with_name(f"{shelf.path.name}.bak").read_bytes())


def test_the_first_change_makes_the_plan(tmp_path: Path) -> None:
    found = store(tmp_path).change(lambda plan: go.add(plan, task("a")))
    assert (found.created_at, found.last_modified) == (STAMP, STAMP)
    assert store(tmp_path).load() == found
    assert names(tmp_path) == {"implementation_plan.json"}


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    store(tmp_path).change(lambda plan: go.add(plan, task("a", verification_criteria=("größer", "x"))))
    lines = store(tmp_path).path.read_text().splitlines()
    assert '      "id": "a",' in lines
    assert '        "größer",' in lines
    assert max(map(len, lines)) < 60


def test_the_version_before_stays(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    first = shelf.change(lambda plan: go.add(plan, task("a")))
    second = shelf.change(lambda plan: go.start(plan, "a"))
    assert kept(shelf) == first
    assert shelf.load() == second
    shelf.change(lambda plan: go.block(plan, "a", "x"))
    assert kept(shelf) == second
    assert names(tmp_path) == {"implementation_plan.json", "implementation_plan.json.bak"}


def test_an_edit_of_the_plan_does_not_reach_its_backup(tmp_path: Path) -> None:
    """The backup is the old file by another name, never a second name of the new one."""
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("a")))
    before = shelf.change(lambda plan: go.start(plan, "a"))
    with shelf.path.open("a") as file:
        file.write("\n\n")
    shelf.path.write_text("broken")
    assert states(kept(shelf)) == "p"
    assert states(before) == "i"


def test_without_a_difference_nothing_is_written(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.complete(go.start(go.add(plan, task("a")), "a"), "a", at=STAMP))
    before = shelf.path.stat()
    again = shelf.change(lambda plan: go.complete(plan, "a", at="2030-01-01T00:00:00Z"))
    assert (shelf.path.stat().st_ino, shelf.path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert again.last_modified == STAMP
    assert names(tmp_path) == {"implementation_plan.json"}


def test_what_a_change_refuses_leaves_the_file_alone(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("a")))
    before = shelf.path.read_bytes()
    for refused in (
        lambda plan: go.add(plan, task("a")),
        lambda plan: go.add(plan, task("b", dependencies=("nope",))),
        lambda plan: go.complete(plan, "nope", at=STAMP),
        lambda plan: go.complete(plan, "a", at=STAMP),
    ):
        with pytest.raises(PlanError):
            shelf.change(refused)
    assert shelf.path.read_bytes() == before
    assert names(tmp_path) == {"implementation_plan.json"}


def test_nobody_saves_what_he_remembers(tmp_path: Path) -> None:
    """A loop once loaded the plan, an agent completed a task meanwhile, and the loop saved what it had: pending."""
    loop, tool = store(tmp_path), store(tmp_path)
    loop.change(lambda plan: go.add(plan, task("a"), task("b")))
    remembered = loop.load()
    tool.change(lambda plan: go.complete(go.start(plan, "a"), "a", at=STAMP))
    assert states(loop.change(lambda plan: go.start(plan, "b"))) == "ci"
    assert states(remembered) == "pp"


def test_an_edit_of_the_same_length_in_the_same_instant_is_seen(tmp_path: Path) -> None:
    """What is remembered is known by its bytes, not by times and sizes."""
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("a", description="one")))
    before = shelf.path.stat()
    data = shelf.path.read_bytes().replace(b'"one"', b'"two"')
    with shelf.path.open("r+b") as file:
        file.write(data)
    os.utime(shelf.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert shelf.load().tasks[0].description == "two"
    assert shelf.change(lambda plan: go.start(plan, "a")).tasks[0].description == "two"


def test_a_plan_that_nobody_changed_is_the_same_object(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    made = shelf.change(lambda plan: go.add(plan, task("a")))
    assert shelf.load() is made


def test_positions_may_change(tmp_path: Path) -> None:
    """Bytes of tasks are used again only for the very same tasks."""
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("a"), task("b"), task("c")))
    shelf.change(lambda plan: ImplementationPlan(tasks=(plan.tasks[2], plan.tasks[0]), extra={"x": 1}))
    found = store(tmp_path).load()
    assert ([each.id for each in found.tasks], found.extra) == (["c", "a"], {"x": 1})


ADDING = """
import sys
from pathlib import Path
from ralph.loop.plan import transitions as go
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task
root, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
shelf = PlanStore(root)
for number in range(count):
    shelf.change(lambda plan: go.add(plan, Task(id=f"{who}-{number}", description="x")))
    if number % 5 == 0:
        shelf.change(lambda plan: go.start(plan, f"{who}-{number}"))
    print(f"{who}-{number}", flush=True)
"""


def adding(root: Path, who: str, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", ADDING, str(root), who, str(count)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_eight_processes_lose_nothing(tmp_path: Path) -> None:
    """Four processes once reported 400 tasks as added, and 117 were there."""
    writers = [adding(tmp_path, f"w{number}", 15) for number in range(8)]
    told = [line for writer in writers for line in writer.communicate(timeout=60)[0].split()]
    assert [writer.returncode for writer in writers] == [0] * 8
    found = store(tmp_path).load()
    assert sorted(each.id for each in found.tasks) == sorted(told)
    assert len(told) == 120
    assert states(found).count("i") == 24


def test_threads_with_one_store_lose_nothing(tmp_path: Path) -> None:
    """A slow reader must not make a writer go on from what it has read."""
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("first")))

    def work(who: int) -> None:
        for number in range(15):
            if who % 2:
                shelf.change(lambda plan: go.add(plan, task(f"{who}-{number}")))  # noqa: B023 - called at once
            else:
                shelf.load()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(store(tmp_path).load().tasks) == 61


def test_a_kill_leaves_the_old_or_the_new_plan(tmp_path: Path) -> None:
    """Whatever was told to be done is there after kill -9; at most the change under way is there as well."""
    chance = random.Random(7)
    told: list[str] = []
    for number in range(6):
        writer = adding(tmp_path, f"k{number}", 10_000)
        assert writer.stdout is not None
        told.append(writer.stdout.readline().strip())
        time.sleep(chance.random() / 10)
        writer.send_signal(signal.SIGKILL)
        told += writer.communicate()[0].split()
        found = store(tmp_path).load()
        assert set(told) <= {each.id for each in found.tasks}
        assert len(found.tasks) <= len(told) + number + 1
    (tmp_path / ".ralph" / ".implementation_plan.json.0000.tmp").write_text("half a pl")
    assert store(tmp_path).change(lambda plan: go.add(plan, task("after"))).tasks[-1].id == "after"
    assert names(tmp_path) == {"implementation_plan.json", "implementation_plan.json.bak"}


def _in_child(code: str, *arguments: str | Path, before: tuple[str, ...] = ()) -> str:
    lines = "from pathlib import Path\nimport sys\nfrom ralph.loop.plan import transitions as go\n"
    lines += "from ralph.loop.plan.files import PlanStore\nfrom ralph.errors import StorageError\n"
    lines += f"try:\n    {code}\nexcept StorageError as error:\n    print(error)\n"
    done = subprocess.run(
        [*before, sys.executable, "-c", lines, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_full_disk_damages_nothing(tmp_path: Path) -> None:
    """A limit to the size of files stands in for the disk: the write fails half way."""
    shelf = store(tmp_path)
    big = [Task(id=f"t{number}", description="x" * 100) for number in range(40)]
    shelf.change(lambda plan: go.add(plan, *big))
    shelf.change(lambda plan: go.start(plan, "t0"))
    before = {name: (tmp_path / ".ralph" / name).read_bytes() for name in names(tmp_path)}
    told = _in_child(
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); "
        "PlanStore(Path(sys.argv[1])).change(lambda plan: go.start(plan, 't1'))",
        tmp_path,
    )
    assert told == f"{shelf.path} cannot be written: file too large."
    assert {name: (tmp_path / ".ralph" / name).read_bytes() for name in names(tmp_path)} == before


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap makes the read-only mount")
def test_a_read_only_directory_damages_nothing(tmp_path: Path) -> None:
    shelf = store(tmp_path)
    shelf.change(lambda plan: go.add(plan, task("a")))
    before = shelf.path.read_bytes()
    wall = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    told = _in_child("PlanStore(Path(sys.argv[1])).change(lambda plan: go.start(plan, 'a'))", tmp_path, before=wall)
    assert told.endswith("cannot be locked: the file system is read-only.")
    assert _in_child("print(len(PlanStore(Path(sys.argv[1])).load().tasks))", tmp_path, before=wall) == "1"
    assert shelf.path.read_bytes() == before


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / ".ralph").write_text("")
    with pytest.raises(StorageError, match=r"cannot be (read|locked): "):
        store(tmp_path).change(lambda plan: go.add(plan, task("a")))


def test_a_backup_without_hard_links(tmp_path: Path) -> None:
    """Where a second name cannot be given, the old version is copied; a folder in the way is an error, not a loss."""
    shelf = store(tmp_path)
    first = shelf.change(lambda plan: go.add(plan, task("a")))
    place = shelf.path.with_name(shelf.path.name + ".bak")
    place.mkdir()
    (place / "x").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        shelf.change(lambda plan: go.start(plan, "a"))
    assert store(tmp_path).load() == first
    assert names(tmp_path) == {"implementation_plan.json", "implementation_plan.json.bak"}


def test_one_thousand_tasks_are_added_one_by_one_in_good_time(tmp_path: Path) -> None:
    """It took 23 s, each save longer than the one before. Half a thousand here, with room for a busy machine."""
    shelf = store(tmp_path)
    began = time.process_time()
    for number in range(500):
        shelf.change(lambda plan, number=number: go.add(plan, task(f"t{number}")))  # type: ignore[misc]
    assert time.process_time() - began < 8
    assert len(json.loads(shelf.path.read_text())["tasks"]) == 500
