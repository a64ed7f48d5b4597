"""What Ralph signs about a verdict: an in-toto Statement of its own, and a SLSA summary derived from it.

The statement's subjects are the judged tree and the manifest of all evidence, so that one signature covers
every file of the audit directory. The summary (SLSA verification_summary/v1) names the statement's envelope by
digest; it knows only PASSED and FAILED, so BLOCKED is FAILED there and stands in an extension field.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from ralph.system.clock import rfc3339
from ralph.verdict import Verdict, VerdictType

STATEMENT = "https://in-toto.io/Statement/v1"
VERDICT_PREDICATE = "urn:ralph-governance:predicate:verdict:v1"
SUMMARY_PREDICATE = "https://slsa.dev/verification_summary/v1"
CHECKPOINT_TYPE = "application/vnd.ralph.ledger-checkpoint+json"
VERIFIER_ID = "urn:ralph-governance:engine"
ATTESTATION_FILE = "attestation.json"


def statement(
    verdict: Verdict, *, manifest: bytes, inputs: Mapping[str, Any], ledger_size: int, ledger_root: str
) -> dict[str, Any]:
    """The statement about a verdict. `ledger_*` link it to all that was recorded before it."""
    return {
        "_type": STATEMENT,
        "subject": [
            {"name": "tree", "digest": {"gitTree": verdict.tree_hash}},
            {"name": "manifest.json", "digest": {"sha256": hashlib.sha256(manifest).hexdigest()}},
        ],
        "predicateType": VERDICT_PREDICATE,
        "predicate": {
            "verdict": verdict.to_dict(),
            "inputs": dict(inputs),
            "signer_exposed": verdict.sandbox_level == "none",
            "ledger": {"size": ledger_size, "root": ledger_root},
        },
    }


def summary(verdict: Verdict, *, envelope: bytes) -> dict[str, Any]:
    """The SLSA verification summary that points at the statement's envelope."""
    passed = verdict.type is VerdictType.PASS
    return {
        "_type": STATEMENT,
        "subject": [{"name": "tree", "digest": {"gitTree": verdict.tree_hash}}],
        "predicateType": SUMMARY_PREDICATE,
        "predicate": {
            "verifier": {"id": VERIFIER_ID, "version": {"ralph": verdict.ralph_version}},
            "timeVerified": rfc3339(verdict.completed_at),
            "resourceUri": f"urn:ralph-governance:project:{verdict.project}",
            "policy": {
                "uri": f"urn:ralph-governance:policy:{verdict.policy_version}",
                "digest": {"sha256": verdict.policy_digest},
            },
            "inputAttestations": [
                {"uri": ATTESTATION_FILE, "digest": {"sha256": hashlib.sha256(envelope).hexdigest()}}
            ],
            "verificationResult": "PASSED" if passed else "FAILED",
            "verifiedLevels": ["RALPH_VERIFIED"] if passed else ["FAILED"],
            "slsaVersion": "1.1",
            "urn:ralph-governance:verdict": verdict.type.value,
        },
    }


def checkpoint(*, size: int, root: str, run_id: str) -> dict[str, Any]:
    """What is signed about the ledger after a verdict was entered: that it had this size and root."""
    return {"ledger_size": size, "ledger_root": root, "run_id": run_id}
