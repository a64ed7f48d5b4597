"""Findings that a person's exception excuses (design decision 27): they are shown, and hold nothing up.

Rules:

- An exception is for all findings of one rule in one file, as they stand: what it is bound to is a digest of the rule,
  the path, the file's content on both sides, and what was found. An edit of the file needs a new one.
- Where the finding stands does not count, and what other files hold neither.
- What may never be excused (`Rule.excusable`) is not, whatever was signed.
- An exception that names the finding and does not count is told with it.

Who signed what is known to whoever calls: here an exception is a function's answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import groupby

from ralph.guardrails.model import Change
from ralph.policy.model import PolicySet
from ralph.record import replace
from ralph.results import Excuse, Finding

Excuses = Callable[[str, str], Excuse | None]
"""What the exceptions say to (what is covered, the digest of what stands behind it); None: none names it."""


def nobody(covers: str, subject: str) -> Excuse | None:
    """Exceptions where there are none."""
    return None


def covers(rule: str, path: str) -> str:
    """How an exception names the findings of a rule in a file."""
    return f"finding:{rule} {path}"


def subject(findings: Sequence[Finding], change: Change) -> str:
    """The digest of findings of one rule in one file, and of the content that they stand on."""
    rule, path = findings[0].rule, findings[0].path
    sides = (change.blobs.before(path), change.blobs.after(path))
    contents = ["" if side is None else hashlib.sha256(side).hexdigest() for side in sides]
    found = sorted(f"{finding.reason}\0{' '.join(finding.snippet.split())}" for finding in findings)
    text = "\0\0".join((rule, path, *contents, *found))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def excused(findings: Sequence[Finding], change: Change, policy: PolicySet, ask: Excuses) -> tuple[Finding, ...]:
    """The findings, each with what an exception says to it."""
    told: list[Finding] = []
    for (rule, path), group in groupby(sorted(findings, key=_place), _place):
        same = list(group)
        excuse = ask(covers(rule, path), subject(same, change))
        if excuse and excuse.holds and not policy.rules[rule].excusable:
            excuse = Excuse(holds=False, sentence=f"no exception excuses {rule}: {excuse.sentence}")
        told += [replace(finding, exception=excuse) for finding in same]
    return tuple(sorted(told, key=Finding.sort_key))


def as_recorded(findings: Sequence[Finding], recorded: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, with what was recorded of exceptions for the very same."""
    known = {replace(finding, exception=None): finding.exception for finding in recorded}
    return tuple(replace(finding, exception=known.get(finding)) for finding in findings)


def _place(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.path
