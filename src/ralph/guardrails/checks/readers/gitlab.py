"""The checks of GitLab CI: jobs with their scripts, `extends` followed inside the file.

A script's lines are one text under `set -eo pipefail`; a failure in `after_script` fails nothing. A job whose name
begins with a dot runs only as a part of others.
"""

from __future__ import annotations

from ralph.guardrails.checks.failures.judged import LOST, Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers.people import refused
from ralph.guardrails.checks.readers.proposed import by_refs, by_rules
from ralph.guardrails.config.node import Node, canonical, merged
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

RESERVED = frozenset(
    ("default", "stages", "variables", "include", "workflow", "image", "services", "cache", "spec", "pages:deploy")
)
MANUAL = frozenset(("manual", "never", "delayed", "on_failure"))
STRICT = Shell(errexit=True, pipefail=True)
OPT_IN = later(
    r"\$(?!CI_)\w+|CI_COMMIT_(?:MESSAGE|TITLE)|^\$CI_COMMIT_TAG$"
    r"|^\$CI_PIPELINE_SOURCE\s*==\s*[\"'](?:schedule|web|api|trigger|pipeline|chat)[\"']$"
)
OF_REQUESTS = later(r"merge_request_event|CI_MERGE_REQUEST")
"""A condition on a merge request."""
PROSE = later(r"^\.?/?docs?/|\.(?:md|rst|txt)$")
MAX_EXTENDS = 6
OF_SIGNALS = 126
"""The first exit status that a shell gives to what did not run or was ended by the system."""
OF_DEFAULT = ("before_script", "retry")


KEEPS_OUT = later(
    r"\$(?:CI_COMMIT_(?:BRANCH|REF_NAME|REF_SLUG|MESSAGE|TITLE|DESCRIPTION|AUTHOR)|GITLAB_USER_\w+"
    r"|CI_MERGE_REQUEST_(?:SOURCE_BRANCH_NAME|LABELS|TITLE|ASSIGNEES))"
    r"\s*(?:==|=~)\s*[\"'/]"
)
MINOR_BRANCH = later(
    r"(?i)main|master|trunk|develop|docs?\b|pages|release|renovate|dependabot|deps?-?bot|(?:skip|no)[-_ ]?ci"
    r"|ci[-_ ]?skip|draft|wip:|stable|tag|prod|staging|\|\||&&"
)
"""Branches that are checked before or elsewhere; what is said together with other things is not judged."""


def pipeline(collector: Collector, node: Node) -> None:
    variables(collector, node)
    rules = node.at("workflow", "rules")
    told = {**_rules(rules), **by_rules(rules, of_job=False)} if rules else {}
    never: dict[Flaw, str] = {"off": "no pipeline is ever made"} if "off" in told else {}
    if "run-if" in told:
        never["run-if"] = f"of pipelines, {told['run-if'].removeprefix('it ')}"
    used = {canonical(base) for job in node.mapping.values() for base in _bases(job)}
    for name, job in node.mapping.items():
        if name in RESERVED or not job.mapping:
            continue
        if name.startswith("."):
            if name not in used and not _referenced(node, name):
                _job(collector, name, job, {"off": "the dot before its name hides the job"})
            continue
        _job(collector, name, with_default(node, whole(node, job)), never)


def variables(collector: Collector, node: Node) -> None:
    for key in ("variables", "env", "environment"):
        found = node.at(key)
        for name, value in found.mapping.items() if found else ():
            collector.variable(name, canonical(value.at("value") or value), value.line)


def _bases(job: Node) -> list[Node]:
    extends = job.at("extends")
    return extends.items if extends else []


def whole(node: Node, job: Node, depth: int = 0) -> Node:
    below = job.with_value({})
    for base in _bases(job) if depth < MAX_EXTENDS else ():
        found = node.at(canonical(base))
        if found is not None:
            below = merged(below, whole(node, found, depth + 1))
    return merged(below, job)


def with_default(node: Node, job: Node) -> Node:
    """What `default` says of every job that does not say it itself, nor takes nothing from it."""
    default = node.at("default")
    inherits = canonical(job.at("inherit", "default") or job.with_value(True)).lower()
    if default is None or inherits == "false":
        return job
    given = {key: value for key, value in default.mapping.items() if key in OF_DEFAULT and job.at(key) is None}
    return merged(job.with_value(given), job) if given else job


def _referenced(node: Node, name: str) -> bool:
    """Another job takes parts of this one by `!reference`; anchors are resolved by the reader already."""
    return any("!reference" in canonical(job) and name in canonical(job) for job in node.mapping.values())


def _job(collector: Collector, name: str, job: Node, outer: dict[Flaw, str]) -> None:
    variables(collector, job)
    flaws = {**outer, **switches(job)}
    lines = [line for key in ("before_script", "script") for line in _lines(job.at(key))]
    script(collector, lines, name, STRICT, flaws)
    for item in _lines(job.at("after_script")):
        collector.text(item.text, item.line, name, STRICT, {**flaws, "lost": LOST})


def script(collector: Collector, lines: list[Node], name: str, shell: Shell, flaws: dict[Flaw, str]) -> None:
    """The items of a script are one text for the shell; its rows are those of the items."""
    text, before = "", len(collector.gates)
    rows: list[int] = []
    for item in lines:
        first = item.line + (1 if "\n" in item.text else 0)
        parts = item.text.rstrip("\n").split("\n")
        rows += [first + index for index in range(len(parts))]
        text += "\n".join(parts) + "\n"
    collector.text(text, 0, name, shell, flaws)
    collector.relocate(before, rows)


def _lines(node: Node | None) -> list[Node]:
    """Scripts may be lists of lists."""
    found: list[Node] = []
    for item in node.items if node else ():
        found += _lines(item) if isinstance(item.value, list) else [] if item.mapping else [item]
    return found


def switches(job: Node) -> dict[Flaw, str]:
    """What a job says of when it runs, and of what becomes of its failure."""
    found: dict[Flaw, str] = {}
    allowed = job.at("allow_failure")
    if allowed is not None:
        if allowed.value is True or canonical(allowed).lower() == "true":
            found["allowed"] = "allow_failure lets it fail"
        elif "1" in {canonical(code) for code in (allowed.at("exit_codes") or allowed.with_value([])).items}:
            found["allowed"] = "allow_failure lets it end with 1, as checks that fail do"
        elif allowed.mapping:
            found["allowed-partly"] = "allow_failure lets it end with some exit codes"
    when = job.at("when")
    if when is not None and canonical(when) in MANUAL:
        found["off"] = f"it runs only when: {canonical(when)}"
    retry = job.at("retry")
    count = retry.at("max") if retry is not None and retry.mapping else retry
    if count is not None and canonical(count) not in ("0", "false") and not _infrastructure(retry):
        found["retried"] = "the job is run again when it fails"
    rules = job.at("rules")
    if rules is not None:
        found.update({**_rules(rules), **by_rules(rules, of_job=True)})
    found.update(by_refs(job))
    only = job.at("only")
    if only is not None and any(
        map(OPT_IN.search, map(canonical, (only.at("variables") or only.with_value([])).items))
    ):
        found["run-if"] = "it runs only if a variable asks for it"
    elif only is not None and not only.items and not only.mapping:
        found["off"] = "only: [] keeps it from running"
    return found


def _infrastructure(retry: Node | None) -> bool:
    """A retry when the runner failed, not when the script did."""
    when = retry.at("when") if retry is not None else None
    codes = retry.at("exit_codes") if retry is not None else None
    if codes is not None and any(
        canonical(code).isdigit() and 0 < int(canonical(code)) < OF_SIGNALS for code in codes.items
    ):
        return False
    return when is not None and not {"always", "script_failure", "unknown_failure"} & {canonical(x) for x in when.items}


def _of_prose(changes: Node | None) -> bool:
    patterns = [canonical(item) for item in (changes.at("paths") or changes).items] if changes is not None else []
    return bool(patterns) and all(map(PROSE.search, patterns))


def _keeps_out(way: tuple[str, Node]) -> str:
    """The condition of a rule that keeps the job away from some branches or people."""
    when, rule = way
    condition = canonical(rule.at("if") or rule.with_value(""))
    return condition if when == "never" and KEEPS_OUT.search(condition) and not MINOR_BRANCH.search(condition) else ""


def _lets_fail(rule: Node) -> bool:
    return canonical(rule.at("allow_failure") or rule.with_value(False)) == "true"


def _of_requests(rule: Node) -> bool:
    return OF_REQUESTS.search(canonical(rule.at("if") or rule.with_value(""))) is not None


def _rules(rules: Node) -> dict[Flaw, str]:
    ways = [(canonical(rule.at("when") or rule.with_value("on_success")), rule) for rule in rules.items if rule.mapping]
    running = [rule for when, rule in ways if when not in MANUAL]
    if ways and not running:
        return {"off": "its rules keep it from running by itself"}
    found: dict[Flaw, str] = {}
    if running and all(map(_lets_fail, running)):
        found["allowed"] = "its rules let it fail"
    elif any(_lets_fail(rule) and _of_requests(rule) for rule in running):
        found["allowed"] = "a rule lets it fail for merge requests"
    elif any(map(_lets_fail, running)):
        found["allowed-partly"] = "a rule lets it fail"
    if any(_of_prose(rule.at("changes")) and _of_requests(rule) for rule in running):
        return {**found, "off": "for merge requests it runs only for changes of texts"}
    conditions = [canonical(rule.at("if") or rule.with_value("")) for rule in running]
    if running and all(conditions):
        opted = all(map(OPT_IN.search, conditions)) or all(map(refused, conditions))
        found["run-if" if opted else "run-maybe"] = f"it runs only if {cut(conditions[0], 100)}"
    elif running and (kept := next(filter(None, map(_keeps_out, ways)), "")):
        found["run-if"] = f"it does not run if {cut(kept, 100)}"
    elif running and all(_of_prose(rule.at("changes")) for rule in running):
        found["off"] = "it runs only for changes of texts"
    elif running and all(rule.at("changes") or rule.at("exists") or rule.at("if") for rule in running):
        found["run-maybe"] = "it runs only if some files changed"
    return found
