"""What the base itself gives for a step, so that failures can be told to be new, old or gone (design decision 12).

A result is kept, signed, under the digest of all it depends on: it is measured once per base. A base that cannot be
measured attributes nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ralph.audit import dsse
from ralph.audit.keys import SigningKey
from ralph.engine.case import Case
from ralph.engine.elsewhere import measure_elsewhere
from ralph.engine.unrun import Progress
from ralph.errors import EvidenceError, StorageError
from ralph.system import files, records
from ralph.verdict import StepResult, step_from_dict

PAYLOAD = "application/vnd.ralph.base-result+json"


def base_results(
    case: Case, names: Sequence[str], key: SigningKey, *, timeout_s: float, progress: Progress
) -> dict[str, StepResult]:
    """The base's results of these steps, from the cache or measured now."""
    cache = case.repo.root / ".ralph" / "cache" / "base"
    found: dict[str, StepResult] = {}
    for name in names:
        kept = _kept(cache / f"{_digest(case, name)}.json", key)
        if kept:
            found[name] = kept
    missing = [name for name in names if name not in found]
    if missing:
        measured = measure_elsewhere(case, case.base_tree, missing, timeout_s=timeout_s, progress=progress)
        for name, result in measured.items():
            payload = {"step": dataclasses.asdict(result)}
            with suppress(StorageError):  # what cannot be kept is measured again
                files.atomic_write(cache / f"{_digest(case, name)}.json", dsse.seal(payload, PAYLOAD, key))
            found[name] = result
    return found


def _digest(case: Case, name: str) -> str:
    keys = ("ralph", "policy", "context", "environment", "tools", "platform", "sandbox_level", "network")
    return records.digest({"step": name, "tree": case.base_tree, **{key: case.inputs[key] for key in keys}})


def _kept(path: Path, key: SigningKey) -> StepResult | None:
    """A kept result; one that is missing or not signed by us is measured again."""
    try:
        payload = dsse.unseal(files.read_bytes(path), PAYLOAD, {key.public.keyid: key.public}, str(path))
        return step_from_dict(payload["step"])
    except (OSError, EvidenceError, StorageError, KeyError, TypeError):
        return None
