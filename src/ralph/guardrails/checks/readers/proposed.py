"""Whether a job of GitLab runs for a change that somebody proposes: by its rules, or by `only` and `except`.

Rules: a proposed change comes as a merge request or as a push to a branch of its own. A job whose rules let it run for
neither runs when it is too late; so does one that is told not to run for merge requests. Rules are read in their order,
and what cannot be known may be true or false.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.readers.expressions import Value, truth
from ralph.guardrails.checks.readers.people import is_odd
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NOT_RUN = frozenset(("manual", "never", "delayed", "on_failure"))
BRANCH = "topic"
MERGE_REQUEST: Mapping[str, Value] = {
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_ID": "7",
    "CI_MERGE_REQUEST_IID": "7",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": BRANCH,
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    "CI_COMMIT_BRANCH": "",
}
PUSH: Mapping[str, Value] = {
    "CI_PIPELINE_SOURCE": "push",
    "CI_MERGE_REQUEST_ID": "",
    "CI_MERGE_REQUEST_IID": "",
    "CI_COMMIT_BRANCH": BRANCH,
    "CI_OPEN_MERGE_REQUESTS": "",
}
BOTH: Mapping[str, Value] = {
    "CI_COMMIT_TAG": "",
    "CI_COMMIT_REF_NAME": BRANCH,
    "CI_COMMIT_REF_SLUG": BRANCH,
    "CI_COMMIT_REF_PROTECTED": "false",
    "CI_DEFAULT_BRANCH": "main",
    "CI": "true",
    "GITLAB_CI": "true",
}
CODE = later(r"^(?:\*\*/)?\*(?:\*?/\*)?(?:\.\w+)?$|^(?:src|lib|app|tests?)/\*\*")
"""Patterns of changed files that hold for any code of a project."""
REFS = later(r"^/(?P<pattern>.*)/\w*$")
OCCASIONS = frozenset(
    names(
        "api branches chat external external_pull_requests merge_requests pipelines pushes schedules tags triggers web"
    )
)
TRIES = (BRANCH, "feature/topic", "feat/topic", "fix/topic", "feature-topic")


def by_rules(rules: Node, *, of_job: bool) -> dict[Flaw, str]:
    """`of_job`: a whole pipeline may well be made for the branch instead of the merge request."""
    listed = [rule for rule in rules.items if rule.mapping]
    if not listed:
        return {}
    proposed, pushed = _ends(listed, MERGE_REQUEST), _ends(listed, PUSH)
    if True not in proposed | pushed:
        return {"run-if": "it runs for no proposed change"}
    if of_job and proposed == {False} and _is_told(listed):
        return {"off": "it is told not to run for merge requests"}
    return {}


def _ends(rules: Sequence[Node], known: Mapping[str, Value]) -> set[bool]:
    """Whether the job runs: True, False, or both if only running could tell."""
    found: set[bool] = set()
    for rule in rules:
        holds = _rule_holds(rule, known)
        if holds is not False:
            found.add(canonical(rule.at("when") or rule.with_value("on_success")) not in NOT_RUN)
        if holds:
            return found
    return found | {False}


def _rule_holds(rule: Node, known: Mapping[str, Value]) -> bool | None:
    condition = rule.at("if")
    changes = rule.at("changes")
    said = True if condition is None else truth(canonical(condition), lambda name: _value(name, known), _nothing)
    if changes is not None and said:
        patterns = [canonical(item) for item in (changes.at("paths") or changes).items]
        said = True if any(map(CODE.search, patterns)) else None
    return None if said and rule.at("exists") is not None else said


def _value(name: str, known: Mapping[str, Value]) -> Value:
    plain = name.strip("${}")
    return known[plain] if plain in known else BOTH.get(plain)


def _nothing(_name: str, _arguments: Sequence[Value]) -> Value:
    return None


def _is_told(rules: Sequence[Node]) -> bool:
    """A rule that says `never` and speaks of merge requests, or of any code; or one that leaves them out."""
    conditions = (canonical(rule.at("if") or rule.with_value("")) for rule in rules)
    if any(re.search(r"!=\s*[\"']merge_request_event", condition) for condition in conditions):
        return True
    never = (rule for rule in rules if canonical(rule.at("when") or rule.with_value("")) == "never")
    return any(re.search(r"MERGE_REQUEST|merge_request", canonical(rule)) or rule.at("changes") for rule in never)


def by_refs(job: Node) -> dict[Flaw, str]:
    """`only` and `except`, as a list or as a table with `refs`."""
    only, left_out = _refs(job.at("only")), _refs(job.at("except"))
    if {"branches", "merge_requests", "pushes"} & set(left_out):
        return {"off": "except keeps it from running for changes"}
    if (odd := next((ref for ref in left_out if _is_somebodys(ref)), "")) != "":
        return {"run-if": f"it does not run for {cut(odd, 80)}"}
    excepted = job.at("except")
    changes = excepted.at("changes") if excepted is not None and excepted.mapping else None
    if changes is not None and any(CODE.search(canonical(item)) for item in changes.items):
        return {"off": "except keeps it from running for changes of code"}
    if only and not any(map(_is_proposed, only)):
        return {"run-if": f"it runs only for {cut(', '.join(only), 80)}"}
    return {}


def _refs(node: Node | None) -> list[str]:
    listed = node.at("refs") if node is not None and node.mapping else node
    return [canonical(item) for item in listed.items] if listed is not None and not listed.mapping else []


def _is_somebodys(ref: str) -> bool:
    """The name of a branch, or a pattern of names, that speaks of somebody's changes."""
    return ref not in OCCASIONS and "$" not in ref.rstrip("/$") and is_odd(ref.partition("@")[0])


def _is_proposed(ref: str) -> bool:
    name = ref.partition("@")[0]
    if name in ("branches", "merge_requests", "pushes", "external_pull_requests", "external"):
        return True
    if match := REFS.match(name):
        try:
            return any(re.search(match["pattern"], each) for each in TRIES)
        except re.error:
            return True
    return "$" in name  # any other is one branch by its name, or an occasion that is no proposed change
