"""What a run leaves behind."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.system.places import audit_dir, config_home
from ralph.verdict import Verdict, VerdictType
from tests.audit.evidence import verdict, words
from tests.project import git

ALWAYS = {
    "SUMMARY.md",
    "verdict.json",
    "PRE-snapshot.json",
    "POST-snapshot.json",
    "diff.patch",
    "guardrail.log",
    "lint.log",
    "typecheck.log",
    "test.log",
    "coverage.log",
    "artifact.json",
    "manifest.json",
    "attestation.json",
    "vsa.json",
    "checkpoint.json",
}


@pytest.mark.parametrize(
    ("change", "kind", "extra"),
    [
        ({"a_md": "two\n"}, VerdictType.PASS, {"REVIEW.md"}),
        ({"b_py": "x = 1  # type: ignore\n"}, VerdictType.BLOCKED, {"BLOCKED_REPORT.md"}),
        ({"c_md": "line\n" * 101}, VerdictType.FAIL, set()),
    ],
    ids=["PASS", "BLOCKED", "FAIL"],
)
def test_files_of_a_run(tmp_path: Path, change: dict[str, str], kind: VerdictType, extra: set[str]) -> None:
    root = words(tmp_path, **change)
    found = verdict(root)
    assert found.type is kind
    directory = root / found.artifact_path
    assert {path.name for path in directory.iterdir()} == ALWAYS | extra
    assert Verdict.from_dict(json.loads((directory / "verdict.json").read_text())) == found
    assert found.run_id == directory.name


def test_the_judged_tree_and_its_base_are_kept(tmp_path: Path) -> None:
    root = words(tmp_path, a_md="two\n")
    found = verdict(root)
    ref = f"refs/ralph/audit/{found.run_id}"
    assert git(root, "rev-parse", f"{ref}^{{tree}}") == found.tree_hash
    assert git(root, "rev-parse", f"{ref}^") == found.base_commit == git(root, "rev-parse", "HEAD")
    assert git(root, "show", f"{ref}:a.md") == "two"


def test_nothing_of_the_users_is_touched(tmp_path: Path) -> None:
    root = words(tmp_path, a_md="two\n", c_txt="new\n")
    git(root, "add", "a.md")
    before = {
        "index": (root / ".git/index").read_bytes(),
        "head": git(root, "rev-parse", "HEAD"),
        "heads": git(root, "for-each-ref", "refs/heads", "refs/tags"),
        "status": git(root, "status", "--porcelain"),
        "files": {
            path: path.stat().st_mtime_ns for path in root.rglob("*") if ".git" not in path.parts and path.is_file()
        },
    }
    verdict(root)
    assert (root / ".git/index").read_bytes() == before["index"]
    assert git(root, "rev-parse", "HEAD") == before["head"]
    assert git(root, "for-each-ref", "refs/heads", "refs/tags") == before["heads"]
    assert git(root, "status", "--porcelain") == before["status"]
    files = before["files"]
    assert isinstance(files, dict)
    assert {path: path.stat().st_mtime_ns for path in files} == files


def test_run_ids_do_not_collide(tmp_path: Path) -> None:
    root = words(tmp_path)
    first = verdict(root)
    (root / first.artifact_path).rename(audit_dir(root) / "kept")
    ids = {verdict(root).run_id for _ in range(3)}
    assert len(ids) == 3


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    root = words(tmp_path)
    verdict(root)
    path = config_home() / "keys" / "ed25519.pem"
    made = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    verdict(root)
    assert path.read_bytes() == made


def test_a_key_inside_the_repository_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = words(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "config"))
    with pytest.raises(StorageError, match="set XDG_CONFIG_HOME"):
        verdict(root)
    assert not (root / "config").exists()


def test_what_the_agent_wrote_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    root = words(tmp_path, b_py='x = "\x1b[2J\u202e` | </code>"  # type: ignore\n')
    found = verdict(root)
    for name in ("BLOCKED_REPORT.md", "SUMMARY.md", "guardrail.log"):
        text = (root / found.artifact_path / name).read_text()
        assert "\x1b" not in text
        assert "\u202e" not in text
