"""Where audit directories live, and how one comes to be: all of it or none.

A run is written into `.pending-<run_id>`, signed, entered in the ledger, and only then renamed to its own name, which
is what `runs` lists. An error, an interruption or a kill in between leaves a pending directory: one that the ledger
knows is finished, any other is removed together with its ref; at once, or after a kill by the next `recover`. Each run
in progress holds its mark, and all of this happens under the store's lock, so that it is left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ralph.audit import attestation, dsse, manifest
from ralph.audit.artifact import AuditArtifact
from ralph.audit.keys import SigningKey
from ralph.errors import StorageError
from ralph.guardrails.secrets.redact import redact_folder
from ralph.record import record
from ralph.system import files, ledger
from ralph.system.git import Repository
from ralph.system.hold import SUFFIX, hold, take_over
from ralph.system.places import checkpoint_file

PENDING = ".pending-"
LEDGER = "ledger.jsonl"
SIGNED_AS_THEY_ARE = frozenset({"verdict.json", "artifact.json", "PRE-snapshot.json", "POST-snapshot.json"})
"""Files that must say what the signed statement says; the texts in them are without secrets from the start."""


@record
class AuditStore:
    """The audit directories of one repository, under `directory` (`.ralph/audit`)."""

    directory: Path

    @property
    def ledger(self) -> Path:
        return self.directory / LEDGER

    def runs(self) -> list[str]:
        """The ids of finished runs, oldest first."""
        if not self.directory.is_dir():
            return []
        return sorted(path.name for path in self.directory.iterdir() if path.is_dir() and path.name[0] != ".")

    def path(self, run_id: str) -> Path:
        return self.directory / run_id

    @contextlib.contextmanager
    def begin(self, run_id: str, key: SigningKey, repo: Repository) -> Iterator[tuple[str, Path]]:
        """A fresh run id (with `-2`, ... on collision) and its pending directory, held by this process.

        Raises StorageError when the directory cannot be written.
        """
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with files.lock(self.directory / "store"):
                free = self._free(run_id)
                pending = self._pending(free)
                held = hold(pending)
                pending.mkdir()
        except OSError as error:
            raise StorageError(
                f"{self.directory} cannot be written: {files.reason(error)}; make room for a folder there."
            ) from None
        try:
            yield free, pending
        except OSError as error:
            place = error.filename or pending
            raise StorageError(f"{place} cannot be written, so nothing is judged: {files.reason(error)}.") from error
        finally:
            if pending.exists():
                with files.lock(self.directory / "store"):
                    self._settle(free, key, repo)
            held.release()

    def publish(
        self, artifact: AuditArtifact, pending: Path, key: SigningKey, repo: Repository, moment: datetime
    ) -> Path:
        """Take secrets out of what stands in `pending`, sign it, enter it in the ledger and give it its name.

        Raises StorageError."""
        verdict = artifact.verdict
        with files.writing(pending):
            artifact.save(pending)
            redact_folder(pending, but=SIGNED_AS_THEY_ARE)
            listed = manifest.build(pending)
            (pending / manifest.MANIFEST).write_bytes(listed)
        with files.lock(self.directory / "store"), files.writing(pending):
            size, root = ledger.head(self.ledger)
            statement = attestation.statement(
                verdict, manifest=listed, inputs=artifact.inputs, ledger_size=size, ledger_root=root
            )
            envelope = dsse.seal(statement, dsse.IN_TOTO, key)
            summary = dsse.seal(attestation.summary(verdict, envelope=envelope), dsse.IN_TOTO, key)
            (pending / attestation.ATTESTATION_FILE).write_bytes(envelope)
            (pending / "vsa.json").write_bytes(summary)
            files.sync_tree(pending)
            repo.keep(
                _ref(verdict.run_id),
                verdict.tree_hash,
                f"Judged: {verdict.type}",
                _parents(verdict.base_commit),
                moment,
            )
            ledger.append(self.ledger, _entry(artifact, envelope, summary), time=moment)
            self._finish(pending, verdict.run_id, key)
        return self.path(verdict.run_id)

    def recover(self, key: SigningKey, repo: Repository) -> None:
        """Finish or remove what killed runs left behind."""
        if not self.directory.is_dir():
            return
        with files.lock(self.directory / "store"):
            for run_id in sorted({path.name.removeprefix(PENDING).removesuffix(SUFFIX) for path in self._left()}):
                held = take_over(self._pending(run_id))
                if held is None:
                    continue
                try:
                    self._settle(run_id, key, repo)
                finally:
                    held.release()

    def _left(self) -> Iterator[Path]:
        """Pending directories and their marks; either may stand alone after a kill."""
        return self.directory.glob(f"{PENDING}*")

    def _pending(self, run_id: str) -> Path:
        return self.directory / f"{PENDING}{run_id}"

    def _settle(self, run_id: str, key: SigningKey, repo: Repository) -> None:
        """Finish a run that did not come to its end if the ledger knows it, else remove it."""
        pending = self._pending(run_id)
        if any(entry.record["run_id"] == run_id for entry in ledger.read(self.ledger)):
            if pending.exists():
                self._finish(pending, run_id, key)
        elif not self.path(run_id).exists():
            shutil.rmtree(pending, ignore_errors=True)
            repo.drop(_ref(run_id))

    def _finish(self, pending: Path, run_id: str, key: SigningKey) -> None:
        for torn in pending.glob(".*.tmp"):  # a checkpoint that a kill cut short
            torn.unlink()
        size, root = ledger.head(self.ledger)
        point = attestation.checkpoint(size=size, root=root, run_id=run_id)
        sealed = dsse.seal(point, attestation.CHECKPOINT_TYPE, key)
        files.atomic_write(pending / "checkpoint.json", sealed)
        pending.rename(self.path(run_id))
        files.sync_directory(self.directory)
        files.atomic_write(checkpoint_file(self.directory.parent.parent), sealed)

    def _free(self, run_id: str) -> str:
        number, candidate = 1, run_id
        while self.path(candidate).exists() or self._pending(candidate).exists():
            number += 1
            candidate = f"{run_id}-{number}"
        return candidate


def _entry(artifact: AuditArtifact, envelope: bytes, summary: bytes) -> Mapping[str, Any]:
    verdict = artifact.verdict
    return {
        "run_id": verdict.run_id,
        "verdict": verdict.type.value,
        "tree": verdict.tree_hash,
        "inputs": verdict.inputs_digest,
        "attestation": hashlib.sha256(envelope).hexdigest(),
        "vsa": hashlib.sha256(summary).hexdigest(),
    }


def _ref(run_id: str) -> str:
    return f"refs/ralph/audit/{run_id}"


def _parents(base: str) -> tuple[str, ...]:
    return (base,) if base else ()
