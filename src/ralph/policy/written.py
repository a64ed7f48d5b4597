"""A policy set from its file, as people write it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from ralph.errors import PolicyTamperedError
from ralph.policy.engine_rules import ENGINE_RULES
from ralph.policy.model import Pattern, PolicySet, Rule
from ralph.policy.schema import Guardrails, PolicyFile, parse

REINSTALL = "install Ralph anew"
V1_CLASSES = {"typescript": "G01", "javascript": "G01", "python": "G01", "testing": "G02"}
V1_TAMPERING = {
    "v1.config_tampering.coverage_threshold": "Lowering the coverage threshold hides untested code",
    "v1.config_tampering.typescript_strict": "Turning off strict bypasses type safety",
}


def written(data: bytes, source: str, version: str, *, locked: bool) -> PolicySet:
    """The set in a file with these bytes. `locked`: it was released. Raises ConfigError or PolicyTamperedError."""
    file = parse(data.decode("utf-8", "replace"), source)
    _check_claims(file, version, locked)
    return _policy_set(file, hashlib.sha256(data).hexdigest(), locked)


def _check_claims(file: PolicyFile, version: str, locked: bool) -> None:
    header = file.policy
    if header.version != version:
        raise PolicyTamperedError(f"{version}.yaml calls itself {header.version}; {REINSTALL}")
    if (header.immutable or header.released_at is not None) and not locked:
        raise PolicyTamperedError(
            f"policy set {version} claims to be released, but the lock does not name it; {REINSTALL}"
        )
    if locked and not (header.immutable and header.released_at):
        raise PolicyTamperedError(f"the lock names policy set {version}, which calls itself a draft; {REINSTALL}")


def _policy_set(file: PolicyFile, digest: str, locked: bool) -> PolicySet:
    steps = {name: getattr(file.steps, name) for name in ("lint", "typecheck", "tests", "coverage")}
    own, patterns = (
        _v1_rules(file.guardrails, file.verdicts.BLOCKED.agent_action) if file.guardrails else (_rules(file), ())
    )
    return PolicySet(
        version=file.policy.version,
        released=locked,
        released_at=file.policy.released_at,
        digest=digest,
        steps=steps,
        thresholds=file.thresholds,
        min_coverage=file.steps.coverage.min_percent or 0,
        rules={rule.id: rule for rule in (*ENGINE_RULES, *own)},
        patterns=patterns,
        meanings={kind: getattr(file.verdicts, kind) for kind in ("PASS", "FAIL", "BLOCKED")},
    )


def _rules(file: PolicyFile) -> Iterable[Rule]:
    return [
        Rule(name, entry.class_, entry.severity, entry.reason, entry.fix) for name, entry in (file.rules or {}).items()
    ]


def _v1_rules(guardrails: Guardrails, fix: str) -> tuple[list[Rule], tuple[Pattern, ...]]:
    """v1 names no rules, so its ids are made: `v1.<group>.<the pattern's letters, digits and dashes>`."""
    rules, patterns = [], []
    for group, entries in guardrails.forbidden_patterns.items():
        for entry in entries:
            rule = f"v1.{group}.{_slug(entry.pattern)}"
            class_ = "G02" if "skip" in rule else V1_CLASSES[group]
            rules.append(Rule(rule, class_, "block", entry.reason, fix))
            patterns.append(Pattern(rule, group, entry.pattern))
    rules += [Rule(rule, "G11", "block", reason, fix) for rule, reason in V1_TAMPERING.items()]
    return rules, tuple(patterns)


def _slug(pattern: str) -> str:
    return "-".join(re.findall(r"[A-Za-z0-9]+", re.sub(r"\\[A-Za-z]", "", pattern)))
