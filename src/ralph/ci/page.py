"""The verdict as a pull request shows it: one comment, a status of one line, and GitLab's list of code quality. Pure.

Whatever an agent wrote stands as code, as on every page of Ralph's; `@names` notify nobody there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ralph.audit import report
from ralph.verdict import Finding, Verdict, VerdictType

MARK = "<!-- ralph: verdict -->"
"""By it the comment is found again, and written anew."""
LONGEST_COMMENT = 60_000
LONGEST_STATUS = 140
NAMED = {VerdictType.PASS: "success", VerdictType.FAIL: "failure", VerdictType.BLOCKED: "failure"}
_SEVERITY = {"block": "blocker", "review": "minor"}


def comment(summary: str, head: str, link: str) -> str:
    """The comment: SUMMARY.md, and which commit it is about. Cut at a line if it is longer than hosts take."""
    about = f"About {report.code(head[:12])}" + (f", [the job]({link})." if link else ".")
    end = f"\n\n{about}\n"
    room = LONGEST_COMMENT - len(MARK) - len(end)
    if len(summary) > room:
        note = "\n\n… the rest is in the evidence of the job."
        summary = summary[: room - len(note)].rpartition("\n")[0] + note
    return f"{MARK}\n{summary.strip()}{end}"


def unjudged(link: str) -> str:
    """The comment where there is no verdict."""
    where = f"[the job]({link})" if link else "the job"
    said = f"Ralph could not judge this change, so it is no PASS. Why stands in the log of {where}."
    return f"{MARK}\n# Not judged\n\n{said}\n"


def status(verdict: Verdict) -> str:
    """One line for a commit's status."""
    if verdict.is_terminal_pass():
        text = "PASS: everything is measured and holds"
    else:
        text = f"{verdict.type.value}: {verdict.failed_step}: {verdict.failure_reason}"
    return text if len(text) <= LONGEST_STATUS else f"{text[: LONGEST_STATUS - 1]}…"


def quality(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """GitLab's code quality report. A fingerprint is made of what was found, not of where, and no two are the same."""
    seen: Counter[str] = Counter()
    rows = []
    for finding in findings:
        what = "\0".join((finding.rule, finding.path, finding.snippet.strip()))
        seen[what] += 1
        rows.append(
            {
                "description": f"{finding.rule}: {finding.reason}",
                "check_name": finding.rule,
                "fingerprint": hashlib.sha256(f"{what}\0{seen[what]}".encode("utf-8", "surrogatepass")).hexdigest(),
                "severity": _SEVERITY[finding.severity],
                "location": {"path": finding.path, "lines": {"begin": max(finding.line or 1, 1)}},
            }
        )
    return rows
