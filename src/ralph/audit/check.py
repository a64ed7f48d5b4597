"""Checks recorded evidence: every byte of a run, its signatures, the ledger that it stands in, the tree it judged.

One changed byte anywhere is found: files by the manifest, the manifest and the verdict by the signed statement,
envelopes by their only encoding and by the ledger, the ledger by its chain and by the signed checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ralph.audit import attestation, dsse, manifest
from ralph.audit.keys import PublicKey
from ralph.audit.store import AuditStore
from ralph.errors import EvidenceError, RepositoryError, StorageError
from ralph.record import record
from ralph.system import files, ledger
from ralph.system.git import Repository
from ralph.system.places import checkpoint_file
from ralph.verdict import Verdict


@record
class Checked:
    """What a check found: `problems` is empty when the evidence holds. `verdict` is the signed one, if any."""

    run_id: str
    problems: tuple[str, ...]
    verdict: Verdict | None

    @property
    def holds(self) -> bool:
        return not self.problems and self.verdict is not None


def check(store: AuditStore, run_id: str, keys: Mapping[str, PublicKey], repo: Repository) -> Checked:
    """Check one run. Raises EvidenceError only when there is no such run."""
    directory = store.path(run_id)
    if run_id not in store.runs():
        raise EvidenceError(f"There is no run {run_id} in {store.directory}; `ralph audit list` shows those there are.")
    try:
        verdict, listed = _statement(store, run_id, keys)
    except (EvidenceError, OSError) as error:
        return Checked(run_id, (_sentence(error),), None)
    checks: tuple[Callable[[], list[str]], ...] = (
        lambda: manifest.differences(directory, listed),
        lambda: _recorded_verdict(store, run_id, verdict),
        lambda: _ledger(store, run_id, keys),
        lambda: _summary(store, run_id, keys),
        lambda: _kept_tree(repo, verdict),
    )
    problems: list[str] = []
    for each in checks:
        try:
            problems += each()
        except (EvidenceError, StorageError, OSError) as error:
            problems.append(_sentence(error))
    return Checked(run_id, tuple(problems), verdict)


def signed_statement(store: AuditStore, run_id: str, keys: Mapping[str, PublicKey]) -> dict[str, Any]:
    """The signed statement of a run. Raises EvidenceError when it is missing, changed or not signed by a known key."""
    path = store.path(run_id) / attestation.ATTESTATION_FILE
    return dsse.unseal(_read(path), dsse.IN_TOTO, keys, str(path))


def _statement(store: AuditStore, run_id: str, keys: Mapping[str, PublicKey]) -> tuple[Verdict, bytes]:
    """The signed verdict and the manifest that was signed with it."""
    statement = signed_statement(store, run_id, keys)
    listed = _read(store.path(run_id) / manifest.MANIFEST)
    try:
        verdict = Verdict.from_dict(statement["predicate"]["verdict"])
        subjects = {subject["name"]: subject["digest"] for subject in statement["subject"]}
        signed_digest, tree = subjects["manifest.json"]["sha256"], subjects["tree"]["gitTree"]
    except (KeyError, TypeError, ValueError):
        raise EvidenceError(f"The signed statement of {run_id} is not a verdict of Ralph.") from None
    if verdict.run_id != run_id or verdict.tree_hash != tree:
        raise EvidenceError(f"The signed statement in {run_id} belongs to another run ({verdict.run_id}).")
    if hashlib.sha256(listed).hexdigest() != signed_digest:
        raise EvidenceError(f"{manifest.MANIFEST} was changed after it was signed.")
    return verdict, listed


def _recorded_verdict(store: AuditStore, run_id: str, verdict: Verdict) -> list[str]:
    try:
        recorded = files.parse_json(_read(store.path(run_id) / "verdict.json"))
    except ValueError:
        return ["verdict.json is not readable"]
    return [] if recorded == verdict.to_dict() else ["verdict.json is not the signed verdict"]


def _ledger(store: AuditStore, run_id: str, keys: Mapping[str, PublicKey]) -> list[str]:
    path = store.path(run_id) / "checkpoint.json"
    point = dsse.unseal(_read(path), attestation.CHECKPOINT_TYPE, keys, str(path))
    if point.get("run_id") != run_id:
        return ["checkpoint.json belongs to another run"]
    newest = checkpoint_file(store.directory.parent.parent)
    report = ledger.verify(store.ledger, checkpoint=_vouched(point))
    if not report.ok:
        return [f"the ledger does not hold: {report.reason} (line {report.line})"]
    if newest.exists():
        last = dsse.unseal(newest.read_bytes(), attestation.CHECKPOINT_TYPE, keys, str(newest))
        report = ledger.verify(store.ledger, checkpoint=_vouched(last))
        if not report.ok:
            hint = f"if you removed {store.directory} yourself, remove {newest} too"
            return [f"the ledger is not the one of the newest run: {report.reason}; {hint}"]
    entries = [entry.record for entry in ledger.read(store.ledger) if entry.record.get("run_id") == run_id]
    if len(entries) != 1:
        return [f"the ledger has {len(entries)} entries for this run instead of one"]
    wrong = []
    for name, field in ((attestation.ATTESTATION_FILE, "attestation"), ("vsa.json", "vsa")):
        data = _read(store.path(run_id) / name)
        if hashlib.sha256(data).hexdigest() != entries[0][field]:
            wrong.append(f"{name} is not the one that the ledger names")
    return wrong


def _vouched(point: Mapping[str, Any]) -> tuple[int, str]:
    return int(point["ledger_size"]), str(point["ledger_root"])


def _summary(store: AuditStore, run_id: str, keys: Mapping[str, PublicKey]) -> list[str]:
    path = store.path(run_id) / "vsa.json"
    summary = dsse.unseal(_read(path), dsse.IN_TOTO, keys, str(path))
    envelope = _read(store.path(run_id) / attestation.ATTESTATION_FILE)
    named = summary["predicate"]["inputAttestations"][0]["digest"]["sha256"]
    return [] if named == hashlib.sha256(envelope).hexdigest() else ["vsa.json points at another statement"]


def _kept_tree(repo: Repository, verdict: Verdict) -> list[str]:
    try:
        kept = repo.tree_of(repo.resolve(f"refs/ralph/audit/{verdict.run_id}"))
    except RepositoryError:
        return [f"refs/ralph/audit/{verdict.run_id} is gone: the judged tree is not kept any more"]
    return [] if kept == verdict.tree_hash else ["the kept tree is not the judged one"]


def _read(path: Path) -> bytes:
    """A file of the evidence. Raises EvidenceError."""
    try:
        return files.read_bytes(path)
    except FileNotFoundError:
        raise EvidenceError(f"{path} is missing.") from None
    except StorageError as error:
        raise EvidenceError(str(error)) from None


def _sentence(error: Exception) -> str:
    return f"{error.filename} cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
