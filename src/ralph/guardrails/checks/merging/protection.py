"""What has to hold before a change is merged, where that is kept as code (class G16).

The settings app's and safe-settings' `.github/settings.yml`, rulesets as JSON, Terraform's branch protection and
rulesets, the conditions of Mergify and other bots that merge, `bors.toml`, Renovate's `ignoreTests`. Rules: a check
that was required is required no longer; a number of reviews falls; owners are no longer asked; administrators are no
longer bound; a ruleset is no longer active. A check that another one of the same name replaces in another list is the
same, and nobody waits for one that CI has no longer.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.checks.merging.queues import BORS, is_handed_over
from ralph.guardrails.checks.merging.reported import Reported
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.record import field, record
from ralph.system.patterns import later

SETTINGS = later(
    r"(?:^|/)\.github/(?:settings|safe-settings|branch[-_]protection[\w.-]*|(?:suborgs|repos|rulesets?)/[^/]+)\.(?:ya?ml|json)$"
)
BOTS = later(
    r"(?:^|/)(?:\.?(?:bulldozer|policy|pullapprove|approve)\.ya?ml|\.kodiak\.toml|\.aviator/[^/]+\.ya?ml"
    r"|\.github/(?:\.kodiak\.toml|auto-merge\.ya?ml))$"
)
"""Kodiak, Bulldozer, Policy Bot, PullApprove, Aviator."""
MERGIFY = later(r"(?:^|/)\.?mergify(?:/config)?\.ya?ml$")
RENOVATE = later(r"(?:^|/)(?:\.?renovate(?:rc)?(?:\.json5?)?)$")
TERRAFORM = later(r"\bgithub_(?:branch_protection(?:_v3)?|repository_ruleset|organization_ruleset)\b")
FLAGS = {
    "enforce_admins": "ci.needs-dropped",
    "require_code_owner_reviews": "ci.owner-removed",
    "require_code_owner_review": "ci.owner-removed",
    "require_last_push_approval": "ci.owner-changed",
    "dismiss_stale_reviews": "ci.owner-changed",
    "dismiss_stale_reviews_on_push": "ci.owner-changed",
    "strict": "ci.trigger-changed",
    "block_on_reviews_requested": "ci.owner-removed",
    "require_automerge_label": "ci.owner-changed",
}
COUNTS = ("required_approving_review_count", "required_approvals", "number_of_approvals", "minApprovals")
OF_BOTS = ("count", "required")
"""How many people have to approve, as Policy Bot and PullApprove say."""
LISTS = (
    *("contexts", "checks", "required_status_checks", "required_check", "status", "required_statuses"),
    *("required_checks", "blocking_labels"),
)
MERGES = later(r"^(?:-?check-success|status-success|check-success-or-neutral|check-neutral)\s*~?=\s*(?P<name>.+)$")
APPROVED = later(r"^#(?:approved-reviews-by|review-approved)\s*>=?\s*(?P<count>\d+)$")
TEXT_LIST = later(r"(?m)^\s*(?:contexts|checks|status)\s*=\s*(?P<names>\[[^\]]*\])")
TEXT_CHECK = later(r"(?m)^\s*context\s*=\s*\"(?P<name>[^\"]+)\"")
TEXT_SET = later(r"(?m)^\s*(?P<name>\w+)\s*=\s*\"?(?P<value>true|false|\d+|active|disabled|evaluate)\"?\s*$")
MOST_DEEP = 12


@record
class Asked:
    """What has to hold."""

    checks: dict[str, int] = field(default_factory=dict)
    """The line of each that is required."""
    flags: dict[str, bool] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    ignores: bool = False
    """Merges whatever the checks say."""


def protection_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    old = _asked(path, before) if path in before.paths else None
    new = _asked(path, after) if path in after.paths else Asked() if old is not None else None
    if old is None or new is None:
        return
    if path not in after.paths and BORS.search(path) and is_handed_over(before, after):
        yield _hit(
            "ci.trigger-changed", path, "a merge queue starts what had to pass, its settings say what it waits for"
        )
        return
    reported = Reported(before, after, new.checks.keys())
    for name in sorted(old.checks.keys() - new.checks.keys()):
        if reported.is_gone(name):
            continue
        yield _hit("ci.needs-dropped", path, f"{name} is no longer required before a merge")
    for name, on in old.flags.items():
        if on and not new.flags.get(name, False):
            yield _hit(FLAGS.get(name, "ci.needs-dropped"), path, f"{name} is off")
    for name, count in old.counts.items():
        if new.counts.get(name, 0) < count:
            yield _hit("ci.owner-removed", path, f"{name} falls from {count} to {new.counts.get(name, 0)}")
    if new.ignores and not old.ignores:
        yield _hit("ci.needs-dropped", path, "updates are merged whatever the checks say")


def _asked(path: str, side: Side) -> Asked | None:
    text = side.text(path) or ""
    if path.endswith(".tf"):
        return _of_terraform(text) if TERRAFORM.search(text) else None
    if not (
        SETTINGS.search(path)
        or BOTS.search(path)
        or MERGIFY.search(path)
        or RENOVATE.search(path)
        or path.endswith("bors.toml")
    ):
        return None
    if path.endswith("bors.toml"):
        return _of_terraform(text)
    if RENOVATE.search(path):
        return Asked(ignores=re.search(r"[\"']?ignoreTests[\"']?\s*:\s*true", text) is not None)
    node = side.node(path)
    if node is None:
        return None
    found = Asked()
    if MERGIFY.search(path):
        _of_mergify(found, node)
    else:
        _of_settings(found, node, 0)
    if path.endswith(".kodiak.toml"):
        found.flags.setdefault("require_automerge_label", True)
    return found


def _of_settings(found: Asked, node: Node, depth: int) -> None:
    """All settings of a file together, wherever they stand."""
    if depth > MOST_DEEP:
        return
    for key, value in node.mapping.items():
        if key in LISTS and isinstance(value.value, list):
            for item in value.items:
                name = item.at("context") or (item if not item.mapping else None)
                found.checks.update({canonical(name): name.line} if name is not None else {})
        elif key == "enforcement":
            found.flags["enforcement"] = found.flags.get("enforcement", True) and canonical(value) == "active"
        else:
            _said(found, key, canonical(value).lower())
        _of_settings(found, value, depth + 1)
    for item in node.value if isinstance(node.value, list) else ():
        _of_settings(found, item, depth + 1)


def _said(found: Asked, name: str, value: str) -> None:
    if name in FLAGS:
        found.flags[name] = found.flags.get(name, True) and value == "true"
    elif name in (*COUNTS, *OF_BOTS) and value.isdigit():
        found.counts[name] = min(found.counts.get(name, int(value)), int(value))


def _of_terraform(text: str) -> Asked:
    found = Asked()
    for match in TEXT_LIST.finditer(text):
        found.checks.update(dict.fromkeys(re.findall(r"[\"']([^\"']+)[\"']", match["names"]), 0))
    found.checks.update({match["name"]: 0 for match in TEXT_CHECK.finditer(text)})
    for match in TEXT_SET.finditer(text):
        if match["name"] == "enforcement":
            found.flags["enforcement"] = found.flags.get("enforcement", True) and match["value"] == "active"
        else:
            _said(found, match["name"], match["value"])
    return found


def _of_mergify(found: Asked, node: Node) -> None:
    """The conditions of queues, of protections and of rules that merge or queue."""
    for key in ("queue_rules", "merge_protections", "pull_request_rules"):
        for rule in (node.at(key) or node.with_value([])).items:
            actions: Mapping[str, Node] = (rule.at("actions") or rule.with_value({})).mapping
            if key == "pull_request_rules" and not {"merge", "queue"} & actions.keys():
                continue
            for name, value in rule.mapping.items():
                if name == "conditions" or name.endswith("_conditions"):
                    _of_conditions(found, value.items)


def _of_conditions(found: Asked, conditions: Sequence[Node]) -> None:
    for item in conditions:
        if item.mapping:
            _of_conditions(found, [each for value in item.mapping.values() for each in value.items])
            continue
        text = canonical(item).strip()
        if (match := MERGES.match(text)) is not None:
            found.checks[match["name"]] = item.line
        elif (match := APPROVED.match(text)) is not None:
            found.counts["approved reviews"] = max(found.counts.get("approved reviews", 0), int(match["count"]))


def _hit(rule: str, path: str, detail: str) -> Hit:
    return hit_at(rule, path, 1, detail, posixpath.basename(path))
