"""Findings as SARIF 2.1.0, for code hosts and editors.

The fingerprint of a result is made of what was found and not of where: an edit above it does not make it new.
Equal findings of a file are counted, so that no two share a fingerprint. The document has no time in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import ralph
from ralph.policy.model import PolicySet, Rule
from ralph.verdict import Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"block": "error", "review": "warning"}


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
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.reason},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.class_], "severity": rule.severity},
    }


def _result(finding: Finding, index: int, seen: Counter[tuple[str, str, str]]) -> dict[str, Any]:
    what = (finding.rule, finding.path, " ".join(finding.snippet.split()))
    seen[what] += 1
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.path)}}
    if finding.line:
        location["region"] = {"startLine": finding.line, "startColumn": max(finding.column, 1)}
        location["region"]["snippet"] = {"text": _clean(finding.snippet)}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _clean(finding.reason)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"ralph/v1": _digest(*what, str(seen[what]))},
    }


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _clean(text: str) -> str:
    """JSON readers refuse lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
