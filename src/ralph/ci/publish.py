"""Gives a verdict back to the pipeline: files for its later steps, its summary, its outputs.

Rules: only evidence that holds is published, checked here to the last byte; nothing of the change runs any more when
this does, so that a token may be near. Whatever could not be judged is published as that, and never as a PASS.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from ralph.audit.check import Checked
from ralph.audit.store import AuditStore
from ralph.ci import page
from ralph.ci.job import Job
from ralph.errors import EvidenceError
from ralph.guardrails.sarif import sarif
from ralph.policy import registry
from ralph.record import record
from ralph.system import files
from ralph.verdict import Verdict

EVIDENCE = "evidence"


@record(kw_only=True)
class Page:
    """What the host is told; `state` is success, failure or error. `verdict` None: nothing could be judged."""

    comment: str
    state: str
    line: str
    verdict: Verdict | None = None


def judged(job: Job, store: AuditStore, checked: Checked, folder: Path) -> Page:
    """Write the files of a verdict to `folder`: the evidence, SARIF, GitLab's code quality, the comment. Raises
    EvidenceError if it does not hold, and StorageError."""
    if checked.verdict is None or not checked.holds:
        raise EvidenceError(f"The evidence of {checked.run_id} does not hold: {checked.problems[0]}.")
    verdict, kept = checked.verdict, store.path(checked.run_id)
    text = page.comment(files.read_bytes(kept / "SUMMARY.md").decode("utf-8", "replace"), job.head, job.link)
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(kept, folder / EVIDENCE, dirs_exist_ok=True)
        _write(folder / "results.sarif", sarif(verdict.findings, registry.load(verdict.policy_version)))
        _write(folder / "code-quality.json", page.quality(verdict.findings))
        _told(job, folder, text, verdict)
    return Page(comment=text, state=page.NAMED[verdict.type], line=page.status(verdict), verdict=verdict)


def unjudged(job: Job, folder: Path) -> Page:
    """Say that there is no verdict. Raises StorageError."""
    text = page.unjudged(job.link)
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _told(job, folder, text, None)
    return Page(comment=text, state="error", line="Ralph could not judge this change")


def _told(job: Job, folder: Path, text: str, verdict: Verdict | None) -> None:
    (folder / "comment.md").write_text(text, "utf-8")
    if job.summary:
        with job.summary.open("a", encoding="utf-8") as summary:
            summary.write(f"{text}\n")
    if job.outputs:
        named = {
            "verdict": verdict.type.value if verdict else "",
            "run-id": verdict.run_id if verdict else "",
            "folder": str(folder),
        }
        with job.outputs.open("a", encoding="utf-8") as outputs:
            outputs.writelines(f"{name}={value}\n" for name, value in named.items())


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", "utf-8")
