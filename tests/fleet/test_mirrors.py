"""What a home keeps of repositories: bounded, never what is in use, and whole although its cleaner is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ralph.fleet import home as homes
from ralph.fleet import requests
from ralph.fleet.checkout import borrowed, placed
from ralph.fleet.home import Home
from ralph.fleet.mirrors import DAY_S, Bounds, fetched, tidy
from ralph.fleet.verifying import verify
from ralph.system.hold import mark_of
from tests.fleet.load import SMALL
from tests.fleet.stage import CHEAP, eventually
from tests.project import git, repository

UNUSED = Bounds(days=0.0)
NEVER = Bounds(days=30.0, gigabytes=1e-9)
"""Everything is too large."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return homes.opened(tmp_path / "home")


def mirrored(home: Home, place: Path, *, days_ago: float = 0.0) -> tuple[Path, str]:
    """A repository that a job used then, and its commit."""
    root = repository(place, CHEAP)
    head = git(root, "rev-parse", "HEAD")
    with fetched(home, str(root), [head]):
        pass
    then = time.time() - days_ago * DAY_S
    os.utime(mark_of(home.mirror(str(root))), (then, then))
    return root, head


def kept(home: Home) -> set[Path]:
    return set((home.path / "mirrors").iterdir())


def test_what_no_job_used_for_long_goes(home: Home, tmp_path: Path) -> None:
    old, _ = mirrored(home, tmp_path / "old", days_ago=31)
    new, head = mirrored(home, tmp_path / "new", days_ago=29)
    assert tidy(home, Bounds()) == [home.mirror(str(old))]
    mirror = home.mirror(str(new))
    assert kept(home) == {mirror, mark_of(mirror)}
    with fetched(home, str(new), [head]):
        pass
    assert time.time() - mark_of(mirror).stat().st_mtime < DAY_S, "it was used"


def test_those_unused_for_longest_go_until_the_rest_is_small_enough(home: Home, tmp_path: Path) -> None:
    roots = [mirrored(home, tmp_path / f"p{age}", days_ago=age)[0] for age in (3, 9, 6)]
    for root in roots:
        (home.mirror(str(root)) / "objects" / "large").write_bytes(b"x" * 1_000_000)
    assert tidy(home, Bounds(gigabytes=0.0035)) == []
    assert tidy(home, Bounds(gigabytes=0.0015)) == [home.mirror(str(roots[1])), home.mirror(str(roots[2]))]
    assert tidy(home, Bounds(gigabytes=0.0005)) == [home.mirror(str(roots[0]))]
    assert kept(home) == set()


@pytest.mark.parametrize("bounds", [UNUSED, NEVER])
def test_what_is_in_use_stays(home: Home, tmp_path: Path, bounds: Bounds) -> None:
    root, head = mirrored(home, tmp_path / "p")
    with fetched(home, str(root), [head]), fetched(home, str(root), [head]):
        assert tidy(home, bounds) == []
        assert git(home.mirror(str(root)), "cat-file", "-t", head) == "commit"
    assert tidy(home, bounds) == [home.mirror(str(root))]


def test_what_a_run_borrows_from_stays_as_long_as_the_run(home: Home, tmp_path: Path) -> None:
    root, head = mirrored(home, tmp_path / "p")
    tree = home.run("r1") / "tree"
    placed(home, str(root), head, tree)
    assert tidy(home, UNUSED) == []
    assert git(tree, "status", "--porcelain") == ""
    shutil.rmtree(home.run("r1"))
    assert tidy(home, UNUSED) == [home.mirror(str(root))]


def test_evidence_outlives_the_mirror_and_the_next_job_fetches_anew(home: Home, tmp_path: Path) -> None:
    root = repository(tmp_path / "p", CHEAP)
    contract = tmp_path / "small.yaml"
    contract.write_text(SMALL)
    work = requests.verification(str(root), "HEAD", policy="v1", contract=str(contract), fresh=True)
    told = verify(home, work, os.environ)
    assert tidy(home, UNUSED) == [home.mirror(str(root))]
    for _ in range(2):
        run, folder = told["result"]["run_id"], told["result"]["folder"]
        for look in ("verify", "replay"):
            line = [sys.executable, "-m", "ralph", "audit", look, run, "-C", folder]
            checked = subprocess.run(line, capture_output=True, text=True, check=False)
            assert checked.returncode == 0, checked.stdout + checked.stderr
        told = verify(home, work, os.environ)
        assert (told["outcome"], told["result"]["folder"]) == ("PASS", folder)


CLEANER = """
import os, signal, sys, threading
from pathlib import Path
from ralph.fleet import home, mirrors
rename = Path.rename
def halt(*_, **__):
    print("here", flush=True)
    threading.Event().wait()
{place}
mirrors.tidy(home.opened(Path(sys.argv[1])), mirrors.Bounds(days=0.0))
"""


@pytest.mark.parametrize(
    ("place", "left"),
    [
        ("mirrors.set_free = halt", "whole"),
        ("Path.unlink = halt", "whole"),
        ("Path.rename = halt", "whole"),
        ("Path.rename = lambda *names: halt(rename(*names))", "aside"),
        ("mirrors.remove = halt", "aside"),
    ],
    ids=["before", "its copies half free", "before it is aside", "before its mark goes", "before it is removed"],
)
def test_a_cleaner_that_is_killed(home: Home, tmp_path: Path, place: str, left: str) -> None:
    root, head = mirrored(home, tmp_path / "p")
    with borrowed(home, str(root), head):
        pass
    line = [sys.executable, "-c", CLEANER.format(place=place), str(home.path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as cleaner:
        assert cleaner.stdout is not None
        assert cleaner.stdout.readline() == b"here\n"
        cleaner.send_signal(signal.SIGKILL)
    mirror = home.mirror(str(root))
    assert (mirror in kept(home)) == (left == "whole")
    assert any(each.suffix == ".gone" for each in kept(home)) == (left == "aside")
    with fetched(home, str(root), [head]):
        assert git(mirror, "fsck", "--connectivity-only", head) == ""
        with borrowed(home, str(root), head) as copy:
            assert git(copy.root, "status", "--porcelain") == ""
        assert tidy(home, UNUSED) == []
    tidy(home, UNUSED)
    assert kept(home) == set()


def test_who_waits_for_a_cleaner_gets_a_whole_mirror(home: Home, tmp_path: Path) -> None:
    root, head = mirrored(home, tmp_path / "p")
    line = [sys.executable, "-c", CLEANER.format(place="Path.rename = halt"), str(home.path)]
    user = "import sys; from pathlib import Path; from ralph.fleet import home, mirrors\n"
    user += "with mirrors.fetched(home.opened(Path(sys.argv[1])), *sys.argv[2:3], sys.argv[3:]): print('fetched')"
    asking = [sys.executable, "-c", user, str(home.path), str(root), head]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as cleaner:
        try:
            assert cleaner.stdout is not None
            assert cleaner.stdout.readline() == b"here\n"
            asked = subprocess.Popen(asking, stdout=subprocess.PIPE)
            eventually(lambda: waits_for_a_lock(asked.pid), "it waits")
        finally:
            cleaner.kill()
    assert asked.communicate()[0] == b"fetched\n"


def waits_for_a_lock(pid: int) -> bool:
    rows = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(row[1] == "->" and str(pid) in row for row in rows)


def test_what_killed_workers_left_goes_a_day_later(home: Home) -> None:
    held = {name: home.enter(name) for name in ("dead", "late", "living")}
    for name in held:
        home.desk(name).mkdir()
        if name != "late":
            os.utime(mark_of(home.desk(name)), (0, 0))
    for name in ("dead", "late"):
        os.close(held[name].descriptor)
    tidy(home, Bounds())
    assert {name: (home.desk(name).exists(), home.alive(name)) for name in held} == {
        "dead": (False, None),
        "late": (True, False),
        "living": (True, True),
    }
