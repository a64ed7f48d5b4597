"""A released policy set as JSON: what its file comes to, made when it is released and read in its place.

Nothing is checked here but what it was made from: whoever calls holds its bytes against the lock.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from ralph.errors import PolicyTamperedError
from ralph.policy.engine_rules import ENGINE_RULES
from ralph.policy.model import Meaning, Pattern, PolicySet, Rule, StepRule, Thresholds


def dumped(policy: PolicySet) -> str:
    own = [rule for rule in policy.rules.values() if rule not in ENGINE_RULES]
    data = {
        "made_from_sha256": policy.digest,
        "version": policy.version,
        "released_at": policy.released_at,
        "steps": {name: asdict(step) for name, step in policy.steps.items()},
        "thresholds": asdict(policy.thresholds),
        "min_coverage": policy.min_coverage,
        "rules": [[rule.id, rule.class_, rule.severity, rule.reason, rule.fix] for rule in own],
        "patterns": [[each.rule, each.group, each.expression] for each in policy.patterns],
        "meanings": {kind: asdict(meaning) for kind, meaning in policy.meanings.items()},
    }
    return json.dumps(data, indent=0, ensure_ascii=False) + "\n"


def loaded(text: bytes, *, made_from: str, source: str) -> PolicySet:
    """The set whose file has the sha256 `made_from`. Raises PolicyTamperedError for one made from another."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("made_from_sha256") != made_from:
        raise PolicyTamperedError(f"{source} was made from another policy set; install Ralph anew")
    rules = (*ENGINE_RULES, *(Rule(*row) for row in data["rules"]))
    return PolicySet(
        version=data["version"],
        released=True,
        released_at=data["released_at"],
        digest=made_from,
        steps={name: StepRule(**step) for name, step in data["steps"].items()},
        thresholds=Thresholds(**data["thresholds"]),
        min_coverage=data["min_coverage"],
        rules={rule.id: rule for rule in rules},
        patterns=tuple(Pattern(*row) for row in data["patterns"]),
        meanings={kind: Meaning(**meaning) for kind, meaning in data["meanings"].items()},
    )
