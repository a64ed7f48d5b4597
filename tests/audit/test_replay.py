"""Replay: the same tree and policy set give the same verdict again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.audit.check import check
from ralph.audit.keys import trusted_keys
from ralph.audit.replay import Replay, replay
from ralph.audit.store import AuditStore
from ralph.system.git import open_repository
from ralph.system.places import audit_dir
from tests.audit.evidence import verdict, words
from tests.project import commit


def replayed(root: Path, run_id: str) -> Replay:
    store, keys, repo = AuditStore(audit_dir(root)), trusted_keys(), open_repository(root)
    return replay(store, check(store, run_id, keys, repo), keys, repo)


@pytest.mark.parametrize(
    "change",
    [{"a_md": "two\n"}, {"b_py": "x = 1  # noqa\n"}, {"c_md": "line\n" * 101}],
    ids=["PASS", "BLOCKED", "FAIL"],
)
def test_the_same(tmp_path: Path, change: dict[str, str]) -> None:
    root = words(tmp_path, **change)
    recorded = verdict(root)
    commit(root, {"a.md": "the working tree has moved on\n"})
    again = replayed(root, recorded.run_id)
    assert (again.outcome, again.details) == ("same", ())
    assert again.recorded == recorded


def test_evidence_that_does_not_hold_is_not_replayable(tmp_path: Path) -> None:
    root = words(tmp_path, a_md="two\n")
    run_id = verdict(root).run_id
    (audit_dir(root) / run_id / "diff.patch").write_bytes(b"")
    assert replayed(root, run_id).outcome == "not replayable"
