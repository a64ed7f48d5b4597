"""What the base itself gives for a step, so that failures can be told to be new, old or gone (design decision 12).

A result is kept, signed, under the digest of all it depends on: it is measured once per base. A base that cannot be
measured attributes nothing.
"""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path

from ralph.audit import dsse
from ralph.audit.keys import SigningKey
from ralph.engine.case import Case
from ralph.engine.elsewhere import Measured, measure_elsewhere
from ralph.engine.unrun import Progress
from ralph.errors import EvidenceError, StorageError
from ralph.steps import outcomes
from ralph.system import files, records
from ralph.system.wardens import Leash
from ralph.verdict import step_from_dict

PAYLOAD = "application/vnd.ralph.base-result+json"


def base_result(
    case: Case, name: str, key: SigningKey, *, timeout_s: float, progress: Progress, leash: Leash | None = None
) -> Measured:
    """The base's result of a step, from the cache or measured now. One that was cut short is not kept."""
    path = case.repo.root / ".ralph" / "cache" / "base" / f"{_digest(case, name)}.json"
    kept = _kept(path, key)
    if kept:
        return kept
    found = measure_elsewhere(case, case.base_tree, [name], timeout_s=timeout_s, progress=progress, leash=leash)[name]
    if found.step.exit_code is not None and not (leash and leash.pulled):
        payload = {"step": dataclasses.asdict(found.step), "tests": outcomes.as_dict(found.tests)}
        with suppress(StorageError):  # what cannot be kept is measured again
            files.atomic_write(path, dsse.seal(payload, PAYLOAD, key))
    return found


def _digest(case: Case, name: str) -> str:
    keys = ("ralph", "policy", "context", "environment", "tools", "platform", "sandbox_level", "network")
    return records.digest({"step": name, "tree": case.base_tree, **{key: case.inputs[key] for key in keys}})


def _kept(path: Path, key: SigningKey) -> Measured | None:
    """A kept result; one that is missing or not signed by us is measured again."""
    try:
        payload = dsse.unseal(files.read_bytes(path), PAYLOAD, {key.public.keyid: key.public}, str(path))
        return Measured(step_from_dict(payload["step"]), outcomes.from_dict(payload["tests"]))
    except (OSError, EvidenceError, StorageError, KeyError, TypeError):
        return None
