"""No secret stands in the evidence, and the evidence holds and can be judged again all the same."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

from ralph.audit.check import check
from ralph.audit.keys import trusted_keys
from ralph.audit.replay import replay
from ralph.audit.store import AuditStore
from ralph.context import Commands
from ralph.engine import RalphEngine
from ralph.system.git import open_repository
from ralph.system.places import audit_dir
from ralph.verdict import Verdict, VerdictType
from tests.audit.evidence import CONTEXT, CONTRACT, words
from tests.guardrails.secrets.fakes import KEYS, private_key
from tests.project import git, write

KEY = KEYS["GitHub token"]


def holding(folder: Path, secret: str) -> list[str]:
    """The files of the evidence in which a secret stands."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            text = gzip.decompress(data) if path.suffix == ".gz" else data
            if secret.encode() in text or json.dumps(secret).strip('"').encode() in text:
                found.append(path.name)
    return found


def outcome(root: Path, verdict: Verdict) -> str:
    store, keys, repo = AuditStore(audit_dir(root)), trusted_keys(), open_repository(root)
    checked = check(store, verdict.run_id, keys, repo)
    assert checked.problems == ()
    return replay(store, checked, keys, repo).outcome


def test_what_a_step_prints_and_what_changed(tmp_path: Path) -> None:
    root = words(tmp_path, key_txt=f"{KEY}\n{private_key()}\n")
    context = replace(
        CONTEXT, commands=Commands(build="cat key.txt; echo; echo the key is $(head -n1 key.txt); exit 1")
    )
    verdict = RalphEngine(repository=root).verify(context, CONTRACT)
    assert verdict.type is VerdictType.FAIL
    assert "[redacted: GitHub token]" in (verdict.failure_reason or "")
    folder = audit_dir(root) / verdict.run_id
    assert holding(folder, KEY) == []
    assert holding(folder, private_key().split("\n")[3]) == []
    assert "[redacted: GitHub token]" in (folder / "diff.patch").read_text()
    assert outcome(root, verdict) == "same"


def test_a_finding_does_not_show_what_it_found(tmp_path: Path) -> None:
    root = words(tmp_path, b_py=f'x = "{KEY}"\n')
    verdict = RalphEngine(repository=root, policy="v2").verify(CONTEXT, CONTRACT)
    assert [finding.rule for finding in verdict.findings] == ["secret.key"]
    assert KEY not in json.dumps(verdict.to_dict())
    assert holding(audit_dir(root) / verdict.run_id, KEY) == []
    assert outcome(root, verdict) == "same"


def test_what_stood_beside_the_tree_is_judged_again_as_it_was(tmp_path: Path) -> None:
    root = words(tmp_path)
    git(root, "update-index", "--skip-worktree", "b.py")
    write(root, {"b.py": "x = 2\n"})
    verdict = RalphEngine(repository=root).verify(CONTEXT, CONTRACT)
    assert [finding.rule for finding in verdict.findings] == ["tree.unwatched"]
    git(root, "update-index", "--no-skip-worktree", "b.py")
    assert outcome(root, verdict) == "same"
