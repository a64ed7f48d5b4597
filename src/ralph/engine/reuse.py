"""Finds a verdict again by its inputs (design decision 14).

An index in `.ralph/cache/verdicts/` names the run for a digest of inputs. The index is only a hint: what counts is the
run's own signed statement, which must be a PASS by this very key, for these very inputs.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from ralph.audit.check import signed_statement
from ralph.audit.keys import SigningKey
from ralph.audit.store import AuditStore
from ralph.engine.case import Case
from ralph.errors import EvidenceError, StorageError
from ralph.record import record
from ralph.system import files, records
from ralph.verdict import StepResult, Verdict, VerdictType


@record
class Found:
    run_id: str
    steps: tuple[StepResult, ...]


def find(case: Case, store: AuditStore, key: SigningKey) -> Found | None:
    """The measured steps of an earlier PASS with the same inputs."""
    digest = records.digest(dict(case.inputs))
    try:
        run_id = files.parse_json(files.read_bytes(_index(case.repo.root, digest)))["run_id"]
        if run_id not in store.runs():
            return None
        statement = signed_statement(store, run_id, {key.public.keyid: key.public})
        verdict = Verdict.from_dict(statement["predicate"]["verdict"])
    except (OSError, ValueError, KeyError, TypeError, EvidenceError, StorageError):
        return None
    if verdict.type is not VerdictType.PASS or verdict.inputs_digest != digest or verdict.run_id != run_id:
        return None
    if any(step.flaky for step in verdict.steps):
        return None
    return Found(run_id, tuple(step for step in verdict.steps if step.name in case.required))


def remember(root: Path, verdict: Verdict) -> None:
    """Index a measured PASS."""
    if verdict.type is VerdictType.PASS and verdict.reused_from is None:
        path = _index(root, verdict.inputs_digest)
        with suppress(StorageError):  # without the hint it is measured again
            files.atomic_write(path, json.dumps({"run_id": verdict.run_id}).encode())


def _index(root: Path, digest: str) -> Path:
    return root / ".ralph" / "cache" / "verdicts" / f"{digest}.json"
