"""`audit verify`: one changed byte anywhere is found."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from ralph.audit.check import Checked, check
from ralph.audit.keys import trusted_keys
from ralph.audit.store import AuditStore
from ralph.errors import EvidenceError
from ralph.system.git import open_repository
from ralph.system.places import audit_dir, config_home
from tests.audit.evidence import verdict, words
from tests.project import git


def checked(root: Path, run_id: str) -> Checked:
    return check(AuditStore(audit_dir(root)), run_id, trusted_keys(), open_repository(root))


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, str]:
    root = words(tmp_path / "repo", a_md="two\n")
    run_id = verdict(root).run_id
    assert checked(root, run_id).holds
    return root, run_id


def test_every_file_is_guarded_byte_by_byte(run: tuple[Path, str]) -> None:
    root, run_id = run
    chosen = random.Random(7)
    files = [path for path in (root / ".ralph/audit").rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert len(files) >= 16
    for path in files:
        good = path.read_bytes()
        places = {0, len(good) - 1, *(chosen.randrange(len(good)) for _ in range(5))} if good else set()
        for place in places:
            path.write_bytes(good[:place] + bytes([good[place] ^ (1 << chosen.randrange(8))]) + good[place + 1 :])
            assert not checked(root, run_id).holds, f"byte {place} of {path.name}"
        if path.name != "ledger.jsonl":  # there it is a torn line of a killed writer, which nobody reads
            path.write_bytes(good + b" ")
            assert not checked(root, run_id).holds, f"a byte more in {path.name}"
        path.write_bytes(good)
    assert checked(root, run_id).holds


def test_added_removed_and_replaced_files(run: tuple[Path, str]) -> None:
    root, run_id = run
    directory = audit_dir(root) / run_id
    (directory / "more.txt").write_text("")
    assert checked(root, run_id).problems == ("more.txt was added",)
    (directory / "more.txt").unlink()
    (directory / "SUMMARY.md").rename(root / "elsewhere.md")
    assert checked(root, run_id).problems == ("SUMMARY.md is missing",)
    (directory / "SUMMARY.md").symlink_to(root / "elsewhere.md")
    assert not checked(root, run_id).holds


def test_a_run_under_another_name(run: tuple[Path, str]) -> None:
    root, run_id = run
    shutil.copytree(audit_dir(root) / run_id, audit_dir(root) / "20990101T000000000Z-000000000000")
    assert not checked(root, "20990101T000000000Z-000000000000").holds


def test_later_runs_do_not_disturb_earlier_ones_but_a_cut_ledger_does(run: tuple[Path, str]) -> None:
    root, first = run
    second = verdict(root).run_id
    assert checked(root, first).holds
    assert checked(root, second).holds
    ledger = audit_dir(root) / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().splitlines(keepends=True)[0])
    assert not checked(root, second).holds


def test_a_newest_run_that_was_removed_with_its_line_is_missed(run: tuple[Path, str]) -> None:
    root, first = run
    ledger = audit_dir(root) / "ledger.jsonl"
    before = ledger.read_bytes()
    shutil.rmtree(audit_dir(root) / verdict(root).run_id)
    ledger.write_bytes(before)
    (problem,) = checked(root, first).problems
    assert "1 lines are missing at the end" in problem


def test_another_key(run: tuple[Path, str]) -> None:
    root, run_id = run
    shutil.move(config_home() / "keys", config_home() / "old")
    (problem,) = checked(root, run_id).problems
    assert "unknown key" in problem


def test_the_kept_tree(run: tuple[Path, str]) -> None:
    root, run_id = run
    ref = f"refs/ralph/audit/{run_id}"
    git(root, "update-ref", ref, "HEAD")
    assert checked(root, run_id).problems == ("the kept tree is not the judged one",)
    git(root, "update-ref", "-d", ref)
    assert not checked(root, run_id).holds


def test_no_such_run(run: tuple[Path, str]) -> None:
    with pytest.raises(EvidenceError, match="ralph audit list"):
        checked(run[0], "nope")
