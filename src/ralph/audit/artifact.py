"""The audit artifact: everything a verdict rests on, written as one directory of files.

Spec: governance engine 1.6; design decision 10. The ten files of the spec are always there; a step that did not
run has a log that says so. Logs and reports that the steps left under `steps/` stay where they are.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ralph.audit import report
from ralph.audit.report import FileStat
from ralph.record import record
from ralph.system.clock import rfc3339
from ralph.system.text import visible
from ralph.verdict import Finding, StepResult, Verdict, VerdictType

STEP_LOGS = {
    "guardrail": "guardrail.log",
    "lint": "lint.log",
    "typecheck": "typecheck.log",
    "tests": "test.log",
    "coverage": "coverage.log",
}


@record(kw_only=True)
class AuditArtifact:
    """Complete audit trail of one run. Snapshots and inputs are JSON-ready mappings; `diff` is git's bytes."""

    verdict: Verdict
    branch: str | None
    commit_before: str
    commit_after: str | None
    pre_snapshot: Mapping[str, Any]
    post_snapshot: Mapping[str, Any]
    inputs: Mapping[str, Any]
    diff: bytes
    files: Sequence[FileStat]
    commits: Sequence[str]
    created_at: datetime

    def to_markdown(self) -> str:
        """The human-readable summary."""
        return report.summary(self.verdict, self.files)

    def to_json(self) -> str:
        """The machine-readable artifact, without the diff and the logs, which are files of their own."""
        return _json(
            {
                "run_id": self.verdict.run_id,
                "project": self.verdict.project,
                "branch": self.branch,
                "commit_before": self.commit_before,
                "commit_after": self.commit_after,
                "pre_snapshot": dict(self.pre_snapshot),
                "post_snapshot": dict(self.post_snapshot),
                "inputs": dict(self.inputs),
                "verdict": self.verdict.to_dict(),
                "created_at": rfc3339(self.created_at),
            }
        )

    def save(self, directory: Path) -> None:
        """Write every file into `directory`, which may already hold what the steps left under `steps/`."""
        texts = {
            "SUMMARY.md": self.to_markdown(),
            "verdict.json": _json(self.verdict.to_dict()),
            "PRE-snapshot.json": _json(dict(self.pre_snapshot)),
            "POST-snapshot.json": _json(dict(self.post_snapshot)),
            "artifact.json": self.to_json(),
        }
        if self.verdict.type is VerdictType.BLOCKED:
            texts["BLOCKED_REPORT.md"] = report.blocked(self.verdict)
        if self.verdict.type is VerdictType.PASS:
            texts["REVIEW.md"] = report.review(self.verdict, self.files, self.commits)
        for name, text in texts.items():
            (directory / name).write_bytes(text.encode("utf-8", "replace"))
        (directory / "diff.patch").write_bytes(self.diff)
        for step, name in STEP_LOGS.items():
            self._save_log(directory, self.verdict.step(step), name)

    def _save_log(self, directory: Path, step: StepResult | None, name: str) -> None:
        recorded = directory / step.log if step and step.log else None
        if recorded and recorded.is_file():
            shutil.copyfile(recorded, directory / name)
            return
        lines = [f"{step.status}: {step.reason or 'no output'}" if step else "not run"]
        if step and step.name == "guardrail":
            lines = [f"{step.status}: {len(self.verdict.findings)} findings"]
            lines += [f"[{_kind(finding)}] {finding.describe()}" for finding in self.verdict.findings]
        (directory / name).write_text(visible("\n".join(lines), keep="\n") + "\n")


def _kind(finding: Finding) -> str:
    return f"excused: {finding.exception.sentence}" if finding.exception and finding.excused else finding.severity


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
