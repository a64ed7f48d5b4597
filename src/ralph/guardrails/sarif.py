"""Findings as SARIF 2.1.0, for code hosts and editors.

- The fingerprint of a result is made of what was found and not of where: an edit above it does not make it new.
  Equal findings of a file are counted, so that no two share a fingerprint. The document has no time in it.
- GitHub's code scanning wants a location with a line for every result: what has no line is told at the first one.
- A finding that a person's exception excuses is a suppressed result. The others say that nothing suppresses them: in
  a run either all results have `suppressions` or none has.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import ralph
from ralph.policy import handbook
from ralph.policy.classes import CLASSES
from ralph.policy.model import PolicySet, Rule
from ralph.results import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "ralph/v1"
_LEVELS = {"block": "error", "review": "warning"}
_MOST_TEXT = 1000
"""Characters of a message, as code hosts show at most so many."""


def sarif(findings: Sequence[Finding], policy: PolicySet) -> dict[str, Any]:
    """The log with one run; its rules are those that were found, in the order of their ids."""
    rules = sorted({finding.rule for finding in findings})
    seen: Counter[tuple[str, str, str]] = Counter()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ralph",
                        "semanticVersion": ralph.__version__,
                        "rules": [_rule(policy.rules[rule]) for rule in rules],
                    }
                },
                "automationDetails": {"id": f"ralph/{policy.version}/"},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, rules.index(finding.rule), seen) for finding in findings],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    """Everything that GitHub shows of a rule, in text and in Markdown."""
    entry = handbook.entry(rule.id)
    told = {"Why": rule.reason, "Fix": rule.fix, **({"Legitimate": entry.legitimate} if entry else {})}
    return {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": rule.reason},
        "fullDescription": {"text": f"{rule.reason} ({rule.class_}: {CLASSES[rule.class_]})."},
        "help": {
            "text": "\n".join(f"{name}: {text}" for name, text in told.items()),
            "markdown": "\n\n".join(f"**{name}.** {text}" for name, text in told.items()),
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": [rule.class_, "security" if rule.class_ == "S01" else "governance"],
            "precision": "high" if rule.severity == "block" else "medium",
            "problem.severity": _LEVELS[rule.severity],
            "severity": rule.severity,
        },
    }


def _result(finding: Finding, index: int, seen: Counter[tuple[str, str, str]]) -> dict[str, Any]:
    what = (finding.rule, finding.path, " ".join(finding.snippet.split()))
    seen[what] += 1
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _clean(finding.reason)[:_MOST_TEXT]},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}, "region": _region(finding)}}
        ],
        "partialFingerprints": {FINGERPRINT: _digest(*what, str(seen[what]))},
        "suppressions": [_suppression(finding)] if finding.excused else [],
    }


def _region(finding: Finding) -> dict[str, Any]:
    if not finding.line:
        return {"startLine": 1}
    region: dict[str, Any] = {"startLine": finding.line, "startColumn": max(finding.column, 1)}
    return {**region, "snippet": {"text": _clean(finding.snippet)}}


def _suppression(finding: Finding) -> dict[str, Any]:
    sentence = finding.exception.sentence if finding.exception else ""
    return {"kind": "external", "status": "accepted", "justification": _clean(sentence)}


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _clean(text: str) -> str:
    """JSON readers refuse lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
