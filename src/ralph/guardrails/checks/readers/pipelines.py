"""The checks of other CI systems, which differ in words only: Azure, Travis, CircleCI, Bitbucket, Buildkite, Drone,
Woodpecker, AppVeyor, Cirrus, Taskfile, lefthook, buildspec.

Commands stand under a few keys at any depth; switches beside them or above them count for them.
"""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.checks.conditions import doubt
from ralph.guardrails.checks.judged import LOST, Shell, judged
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs import is_named
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers.actions import conditional
from ralph.guardrails.checks.readers.branches import MERGED_INTO, kept_off
from ralph.guardrails.checks.readers.gitlab import script, variables
from ralph.guardrails.checks.readers.people import refused
from ralph.guardrails.commas import between_commas
from ralph.guardrails.config.azure import task_command
from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

COMMANDS = (
    "before_script",
    "before_install",
    "install",
    "script",
    "scripts",
    "commands",
    "command",
    "cmds",
    "cmd",
    "run",
    "bash",
    "test_script",
    "build_script",
    "pre_build",
    "build",
    "post_build",
    "sh",
)
TOLERANT = {
    "continueOnError": "true",
    "continue-on-error": "true",
    "allow_failure": "true",
    "soft_fail": "true",
    "ignore_error": "true",
    "ignore_failure": "true",
    "allow_failures": "true",
    "failure": "ignore",
    "on-failure": "continue",
    "no_fail": "true",
}
SWITCHED_OFF = {"enabled": "false", "skip": "true", "disabled": "true", "trigger": "manual", "auto_run": "false"}
OCCASION = later(
    r"type\s*(?:=|is)\s*(?:cron|api)|type\s+in\s*\((?:\s*(?:cron|api)\s*,?)+\)|tag\s+is\s+present|tag\s*=~.*"
)
"""Conditions of Travis that hold for no proposed change."""
MINOR = later(r"(?i)docs?\b|pages|release|renovate|dependabot|tag")
HALT = later(r"\bcircleci(?:-agent)? step halt\b")
CALL = later(r"(?P<name>and|or|eq|ne)\((?P<arguments>.*)\)")
STRING = later(r"'[^']*'")
LITERAL = later(r"'[^']*'|\d+|true|false")
LOOSE = frozenset(("taskfile", "azure-pipelines", "appveyor"))
"""Their shells go on after a failure inside one text."""


def pipeline(collector: Collector, node: Node) -> None:
    name = (
        posixpath.basename(collector.path)
        .lower()
        .split(".")[0 if not posixpath.basename(collector.path).startswith(".") else 1]
    )
    loose = any(word in name for word in LOOSE)
    for key in ("matrix", "jobs"):
        if node.at(key, "allow_failures"):
            _part(collector, node, "", Shell(errexit=not loose), {"allowed": "allow_failures lets it fail"})
            return
    trigger, proposed = (canonical(node.at(key) or node.with_value("")) for key in ("trigger", "pr"))
    if proposed == "none" and trigger and "*" not in trigger:
        nothing = "nothing" if trigger == "none" else "no proposed change"
        _part(collector, node, "", Shell(errexit=not loose), {"off": f"{nothing} starts the pipeline"})
    elif name == "bitbucket-pipelines" and (pipelines := node.at("pipelines")) is not None:
        _bitbucket(collector, pipelines, Shell(errexit=True))
    elif ".circleci/" in collector.path:
        _circle(collector, node, Shell(errexit=True, pipefail=True))
    else:
        _part(collector, node, "", Shell(errexit=not loose), {})


def _bitbucket(collector: Collector, node: Node, shell: Shell) -> None:
    """Only `default` and `pull-requests` run for proposed changes; branches by their names, the rest by hand."""
    for kind, found in node.mapping.items():
        if kind in ("default", "pull-requests"):
            _part(collector, found, f"/{kind}", shell, {})
            continue
        for name, steps in found.mapping.items():
            branch = found.with_value({"branches": found.with_value(name)})
            by_hand: dict[Flaw, str] = {"off": f"it runs for {kind} {name} only"}
            only = kept_off(branch) if kind == "branches" else by_hand
            _part(collector, steps, f"/{kind}/{name}", shell, only)


def _circle(collector: Collector, node: Node, shell: Shell) -> None:
    """With workflows, only the jobs run that one of them names."""
    workflows = [found for found in (node.at("workflows") or node.with_value({})).mapping.values() if found.mapping]
    running = [found for found in workflows if canonical(found.at("when") or found.with_value("")) != "false"]
    listed = [item for found in running for item in (found.at("jobs") or found.with_value([])).items]
    named = {name for item in listed for name in item.mapping or (canonical(item),)}
    jobs = node.at("jobs")
    for name, job in jobs.mapping.items() if jobs else ():
        runs = [item.at(name) or item for item in listed if name in (item.mapping or (canonical(item),))]
        unused: dict[Flaw, str] = {"off": "no workflow runs it"} if workflows and name not in named else {}
        filtered = [kept_off(run, of_push=True) for run in runs] or [kept_off(job, of_push=True)]
        flaws = {**unused, **(filtered[0] if all(filtered) else {})}
        _part(collector, job, f"/jobs/{name}", shell, flaws)
    rest = {key: value for key, value in node.mapping.items() if key != "jobs"}
    _part(collector, node.with_value(rest), "", shell, {})


def _part(collector: Collector, node: Node, slot: str, shell: Shell, outer: dict[Flaw, str]) -> None:
    variables(collector, node)
    flaws = {**outer, **switches(node)}
    if (task := task_command(node)) is not None:
        collector.text(task.text, task.line, slot, shell, flaws)
    for key, value in node.mapping.items():
        if key in COMMANDS and task is None:
            how = Shell(shell.errexit, shell.pipefail, is_named(slot.rpartition("/")[2]))
            script(collector, _texts(value), slot, how, flaws)
    for need in (node.at("deps") or node.with_value([])).items:
        name = canonical(need.at("task") or need) if need.mapping else canonical(need)
        if is_named(name):
            collector.add(("task", name), "named", need.line, slot, flaws)
    for key, value in node.mapping.items():
        inner = {**flaws, "lost": LOST} if key in ("after_script", "after_failure") else flaws
        _part(collector, value, f"{slot}/{key}", shell, inner)
    for item in node.value if isinstance(node.value, list) else ():
        if item.at("task") and is_named(canonical(item.at("task") or item)):
            collector.add(
                ("task", canonical(item.at("task") or item)), "named", item.line, slot, {**flaws, **switches(item)}
            )
        _part(collector, item, slot, shell, flaws)
        flaws = {**flaws, **_halted(item)}


def _halted(step: Node) -> dict[Flaw, str]:
    """CircleCI's jobs end well where a step halts them: what stands behind it is not run, or under a condition."""
    run = step.at("run", "command") or step.at("run")
    if run is None or not isinstance(run.value, str) or not HALT.search(run.text):
        return {}
    *_, (_, flaws) = judged(f"{HALT.sub('exit 0', run.text)}\npytest", Shell(errexit=True, pipefail=True))
    kinds: dict[Flaw, Flaw] = {"not-run": "off", "run-if": "run-if", "run-maybe": "run-maybe"}
    return {kinds[flaw]: "a step before it halts the job" for flaw in flaws if flaw in kinds}


def _texts(node: Node) -> list[Node]:
    found: list[Node] = []
    for item in node.items:
        if isinstance(item.value, str):
            found.append(item)
        elif isinstance(item.value, list):
            found += _texts(item)
    return found


def switches(node: Node) -> dict[Flaw, str]:
    found = kept_off(node)
    for key, value in node.mapping.items():
        word = canonical(value).strip().lower()
        if key in TOLERANT and (word == TOLERANT[key] or (key == "soft_fail" and word not in ("false", "null"))):
            found["allowed"] = f"{key} lets it fail"
        elif SWITCHED_OFF.get(key) == word or (key == "type" and word == "manual"):
            found["off"] = f"{key}: {word} keeps it from running"
        elif key in ("skip", "only") and isinstance(value.value, list):
            found.update(_for_some_refs(key, value))
        elif key in ("condition", "if") and isinstance(value.value, str | bool):
            found.update(_condition(word))
        elif key == "when" and word in ("manual", "never", "on_fail"):
            found["off"] = f"it runs only when: {word}"
        elif (key == "retry" and not re.fullmatch(r"false|0|null|\[\]|\{\}", word) and not value.at("manual")) or (
            key == "retryCountOnTaskFailure" and word != "0"
        ):
            found["retried"] = "it is run again when it fails"
    return found


def _for_some_refs(key: str, value: Node) -> dict[Flaw, str]:
    """Lefthook's lists of branches: a hook must not be left out on all but the usual ones, nor for somebody."""
    refs = [canonical(ref) for item in value.items if item.mapping and (ref := item.at("ref")) is not None]
    asked = [canonical(run) for item in value.items if item.mapping and (run := item.at("run")) is not None]
    if told := next((text for text in asked if doubt(text) == "variable"), ""):
        return {"run-if": f"{key}: {told[:80]} decides whether it runs"}
    odd = [ref for ref in refs if not (MERGED_INTO.fullmatch(ref) or MINOR.search(ref)) or key == "only"]
    return {"run-if": f"{key}: {odd[0][:80]} decides whether it runs"} if odd and "*" not in refs[:1] else {}


def _never(word: str) -> bool:
    """True for a condition of Azure that holds on no run that went well so far."""
    if word in ("false", "failed()", "canceled()", "not(true)", "not(always())", "not(succeeded())"):
        return True
    call = CALL.fullmatch(word)
    if call is None:
        return False
    parts = between_commas(call["arguments"], STRING)
    if call["name"] in ("eq", "ne"):
        literal = all(LITERAL.fullmatch(part) for part in parts)
        return literal and len(parts) == 2 and (parts[0] == parts[1]) is (call["name"] == "ne")
    return any(map(_never, parts)) if call["name"] == "and" else all(map(_never, parts))


def _condition(word: str) -> dict[Flaw, str]:
    """Azure writes `succeeded()`, `and(...)` and `eq(...)`, Travis `type = cron`; others as GitHub does."""
    if word in ("succeeded()", "succeededorfailed()"):
        return {}
    if OCCASION.fullmatch(word) or _never(word):
        return {"off": f"it runs only if {word[:100]}"}
    if re.search(r"eq\(\s*(?:variables\[|variables\.|parameters)", word) and "build." not in word:
        return {"run-if": f"it runs only if {word[:100]}"}
    if kept := refused(word):
        return {"run-if": f"it does not run for {kept[:100]}"}
    return conditional(word)
