"""Report files that must be fresh: moved away before the command, put back after it, whatever happens between."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ralph.system import aside
from ralph.system.process import Ended, SetAside, run
from ralph.system.restore import opened, recover_set_aside
from tests.system.commands import command, eventually, living, noted, script


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A user's tree with a report in it, from a run of the user's own."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "report.xml").write_text("the user's")
    return tmp_path / "tree"


def _run(tree: Path, line: str) -> Ended:
    evidence = tree.parent / "evidence"
    pairs = (
        SetAside(path=tree / "report.xml", collect_to=evidence / "report.xml"),
        SetAside(path=tree / "sub" / "new.xml", collect_to=evidence / "new.xml"),
    )
    place = tree.parent
    return run(command(tree, line, log=place / "log", set_aside=pairs, aside_root=place / "aside"))


def _state(tree: Path) -> dict[str, str]:
    """Every file of the tree, of the evidence and still aside."""
    top = tree.parent
    found = [path for name in ("tree", "evidence", "aside") for path in (top / name).rglob("*") if not path.is_dir()]
    return {str(path.relative_to(top)): path.read_text() for path in found if path.name not in ("script.py", "pids")}


def test_the_command_finds_no_old_report(tree: Path) -> None:
    assert _run(tree, "ls").output == ""
    assert _state(tree) == {"tree/report.xml": "the user's"}


def test_fresh_reports_are_collected_and_the_old_one_is_put_back(tree: Path) -> None:
    assert _run(tree, "mkdir sub; echo -n one > report.xml; echo -n two > sub/new.xml").trouble is None
    assert _state(tree) == {
        "tree/report.xml": "the user's",
        "evidence/report.xml": "one",
        "evidence/new.xml": "two",
    }


def test_the_report_is_put_back_also_when_its_directory_was_removed(tree: Path) -> None:
    assert _run(tree, "rm -rf ../tree").exit_code == 0
    assert _state(tree) == {"tree/report.xml": "the user's"}


def test_what_is_no_plain_file_is_no_evidence_and_not_lost(tree: Path) -> None:
    ended = _run(tree, "mkdir report.xml; echo -n x > report.xml/x")
    assert "no plain file" in (ended.trouble or "")
    state = _state(tree)
    assert state.pop("tree/report.xml") == "the user's"
    assert "x" in state.values()
    assert not any(name.startswith("evidence") for name in state)


def test_a_symlink_to_an_old_report_is_no_evidence(tree: Path) -> None:
    (tree / "old.xml").write_text("old")
    assert "no plain file" in (_run(tree, "ln -s old.xml report.xml").trouble or "")
    assert not (tree.parent / "evidence").exists()


def test_a_command_that_removes_what_waits_is_found_out(tree: Path) -> None:
    assert "which Ralph kept for you" in (_run(tree, "rm -rf ../aside/*").trouble or "")


def test_the_warden_is_killed(tree: Path) -> None:
    ended = _run(tree, "echo -n fresh > report.xml; kill -9 $PPID; sleep 60")
    assert "was killed" in (ended.trouble or "")
    assert _state(tree) == {"tree/report.xml": "the user's", "evidence/report.xml": "fresh"}


RALPH = """
import os, sys
from pathlib import Path
from ralph.system.process import Command, SetAside, run
tree, line = Path(sys.argv[1]), sys.argv[2]
place = tree.parent
pair = SetAside(path=tree / "report.xml", collect_to=place / "evidence" / "report.xml")
print("now", flush=True)
run(Command(line=line, cwd=tree, env={"PATH": os.environ["PATH"]}, log=place / "log", grace_s=0.3,
            set_aside=(pair,), aside_root=place / "aside"))
"""
SLOW = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); open("report.xml", "w").write("half")
    detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); time.sleep(60)
"""


def _start_ralph(tree: Path, line: str) -> subprocess.Popen[bytes]:
    """Another Ralph, just about to run this line."""
    ralph = subprocess.Popen(
        [sys.executable, "-c", RALPH, str(tree), line], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert ralph.stdout is not None
    assert ralph.stdout.readline() == b"now\n"
    return ralph


@pytest.mark.parametrize("delay_ms", [0, 2, 5, 10, 15, 20, 25, 30, 40, 60, 100])
def test_ralph_is_killed(tree: Path, delay_ms: int) -> None:
    """At any moment: nobody lives on, and the tree is as it was, without another start of Ralph."""
    with _start_ralph(tree, f"{script(tree, SLOW)}; sleep 60") as ralph:
        time.sleep(delay_ms / 1000)
        ralph.kill()
    _all_is_as_it_was(tree)


def test_ralph_is_killed_when_the_report_is_half_written(tree: Path) -> None:
    with _start_ralph(tree, f"{script(tree, SLOW)}; sleep 60") as ralph:
        assert eventually(lambda: len(noted(tree)) == 2)
        ralph.kill()
    _all_is_as_it_was(tree)


def _all_is_as_it_was(tree: Path) -> None:
    assert eventually(lambda: not _wardens_of(tree))
    assert eventually(lambda: living(noted(tree)) == []), "who was ended takes a moment to go"
    assert (tree / "report.xml").read_text() == "the user's"
    assert recover_set_aside(tree.parent / "aside") == []
    assert list((tree.parent / "aside").glob("*")) == []


def _wardens_of(tree: Path) -> bool:
    """True as long as somebody holds a lock below the aside directory, that is, is still in charge."""
    held = {path.stat().st_ino for path in (tree.parent / "aside").glob("*/lock")}
    return any(f":{inode} " in Path("/proc/locks").read_text() for inode in held)


def test_ralph_is_interrupted(tree: Path) -> None:
    with _start_ralph(tree, f"{script(tree, SLOW)}; sleep 60") as ralph:
        assert eventually(lambda: len(noted(tree)) == 2)
        ralph.send_signal(2)
        ralph.wait(10)
    assert living(noted(tree)) == []
    assert (tree / "report.xml").read_text() == "the user's"


def test_ralph_and_its_warden_are_killed_together_and_the_next_start_puts_back(tree: Path) -> None:
    body = """
        open("report.xml", "w").write("half")
        warden = os.getppid(); ralph = int(open(f"/proc/{warden}/stat").read().rpartition(")")[2].split()[1])
        os.kill(warden, signal.SIGSTOP); os.kill(ralph, signal.SIGKILL); os.kill(warden, signal.SIGKILL)
    """
    with _start_ralph(tree, f"exec {script(tree, body)}") as ralph:
        ralph.wait(10)
    assert eventually(lambda: not _wardens_of(tree))
    assert (tree / "report.xml").read_text() == "half"
    assert recover_set_aside(tree.parent / "aside") == []
    assert (tree / "report.xml").read_text() == "the user's"
    assert (tree.parent / "evidence" / "report.xml").read_text() == "half"
    assert recover_set_aside(tree.parent / "aside") == []


class TestAfterACrash:
    """`put_back` from every state that a crash can leave behind."""

    def _crashed(self, tree: Path, *, moved: bool) -> tuple[Path, list[aside.Pair]]:
        pairs = [(str(tree / "report.xml"), str(tree.parent / "evidence" / "report.xml"))]
        with opened(tree.parent / "aside", pairs) as place:
            directory = Path(place.directory or "")
            if moved:
                aside.move_away(str(directory), pairs)
                return directory, pairs
        directory.mkdir()
        return directory, pairs

    def test_before_anything_was_moved(self, tree: Path) -> None:
        directory, _ = self._crashed(tree, moved=False)
        assert recover_set_aside(directory.parent) == []
        assert _state(tree) == {"tree/report.xml": "the user's"}
        assert not directory.exists()

    def test_marked_but_not_moved(self, tree: Path) -> None:
        directory, _ = self._crashed(tree, moved=True)
        (directory / "0").rename(tree / "report.xml")
        assert recover_set_aside(directory.parent) == []
        assert _state(tree) == {"tree/report.xml": "the user's"}

    def test_moved(self, tree: Path) -> None:
        directory, _ = self._crashed(tree, moved=True)
        assert not (tree / "report.xml").exists()
        assert recover_set_aside(directory.parent) == []
        assert _state(tree) == {"tree/report.xml": "the user's"}

    def test_a_file_that_the_user_wrote_later_stays(self, tree: Path) -> None:
        directory, _ = self._crashed(tree, moved=True)
        long_ago = (directory / "lock").stat().st_mtime - 3600
        os.utime(directory / "lock", (long_ago, long_ago))
        (tree / "report.xml").write_text("the user's newer one")
        notes = recover_set_aside(directory.parent)
        assert len(notes) == 1
        assert "stays" in notes[0]
        assert (tree / "report.xml").read_text() == "the user's newer one"
        assert (directory / "0").read_text() == "the user's"

    def test_a_directory_in_use_is_left_alone(self, tree: Path) -> None:
        pairs = [(str(tree / "report.xml"), str(tree.parent / "evidence" / "report.xml"))]
        with opened(tree.parent / "aside", pairs) as place:
            aside.move_away(place.directory or "", pairs)
            assert recover_set_aside(tree.parent / "aside", wait_s=0.05) == []
            assert not (tree / "report.xml").exists()
            aside.put_back(place.directory or "", pairs)
        assert _state(tree) == {"tree/report.xml": "the user's"}

    def test_a_damaged_journal_is_reported_and_nothing_is_touched(self, tree: Path) -> None:
        directory, _ = self._crashed(tree, moved=True)
        (directory / "journal.json").write_text("{")
        assert "could not be put back" in recover_set_aside(directory.parent)[0]
        assert (directory / "0").read_text() == "the user's"
