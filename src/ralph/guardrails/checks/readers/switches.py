"""What stands beside a command in other CI systems and keeps its failure, or its run, away (see `pipelines`)."""

from __future__ import annotations

import re

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.readers.actions import conditional
from ralph.guardrails.checks.readers.branches import CHANGES, MERGED_INTO, kept_off
from ralph.guardrails.checks.readers.people import refused
from ralph.guardrails.checks.shell.conditions import doubt
from ralph.guardrails.commas import between_commas
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

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
    "onError": "continue",
    "allowFailure": "true",
}
APART = frozenset(("background", "detach"))
LEAVES_ERRORS = {"errorActionPreference": "silentlycontinue", "ignoreLASTEXITCODE": "true"}
SWITCHED_OFF = {"enabled": "false", "skip": "true", "disabled": "true", "trigger": "manual", "auto_run": "false"} | {
    "trigger_type": "manual"
}
OCCASION = later(
    r"type\s*(?:=|is)\s*(?:cron|api)|type\s+in\s*\((?:\s*(?:cron|api)\s*,?)+\)|tag\s+is\s+present|tag\s*=~.*"
)
"""Conditions of Travis that hold for no proposed change."""
BY_CLOCK = later(r"eq\(\s*variables(?:\['build\.reason'\]|\.build\.reason),\s*'(?:schedule|manual)'\s*\)")
OPTED = later(
    r"build\.env\(|build\.source\s*==\s*[\"'](?:schedule|api|trigger_job)|build\.tag\s*!=|\$(?!cirrus_)\w+\s*==|\$cirrus_tag\s*!="
    r"|\$cirrus_cron\s*!="
)
"""What Buildkite and Cirrus ask of a variable, or of an occasion that is no proposed change."""
UNCHANGED = later(r"!\s*changesinclude(?:only)?\(([^()]*)\)")
PROSE = later(r"(?i)^\.?/?docs?/|\.(?:md|rst|txt)$")
MINOR = later(r"(?i)docs?\b|pages|release|renovate|dependabot|tag")
CALL = later(r"(?P<name>and|or|eq|ne)\((?P<arguments>.*)\)")
STRING = later(r"'[^']*'")
LITERAL = later(r"'[^']*'|\d+|true|false")


def switches(node: Node) -> dict[Flaw, str]:
    found = kept_off(node)
    for key, value in node.mapping.items():
        word = canonical(value).strip().lower()
        if _tolerates(key, value, word):
            found["allowed"] = f"{key} lets it fail"
        elif SWITCHED_OFF.get(key) == word or (key == "type" and word == "manual"):
            found["off"] = f"{key}: {word} keeps it from running"
        elif key in APART and word == "true" and (node.at("command") or node.at("commands")):
            found["lost"] = "nobody waits for it"
        elif key in LEAVES_ERRORS and word == LEAVES_ERRORS[key]:
            found["lost"] = f"{key}: {word} drops its failure"
        elif _repeats(key, value, word):
            found["retried"] = "it is run again when it fails"
        else:
            found.update(_asks(node, key, value, word))
    return found


def _asks(node: Node, key: str, value: Node, word: str) -> dict[Flaw, str]:
    """What a condition makes of the run."""
    if key in ("skip", "only") and isinstance(value.value, list):
        return _for_some_refs(key, value)
    if key == "skip" and _is_a_reason(node, word):
        return {"off": f"skip: {cut(word, 60)} keeps it from running"}
    if key == "skip" and word not in ("false", "null", ""):
        return _unless_changed(word)
    if key in ("condition", "if", "only_if") and isinstance(value.value, str | bool):
        return _condition(word)
    if key == "condition" and value.at("changesets", "includePaths") is not None:
        return _only_for(value.at("changesets", "includePaths"))
    return _when(value, word) if key == "when" else {}


def _tolerates(key: str, value: Node, word: str) -> bool:
    if key == "soft_fail":
        return word not in ("false", "null")
    if key == "allowExitCodes":
        return "1" in {canonical(code) for code in value.items}
    if key in ("continueOn", "on-fail"):
        ignored = canonical(value.at("strategy") or value.at("failed") or value.with_value("")).lower()
        return ignored in ("ignore", "true")
    return TOLERANT.get(key) == word


def _is_a_reason(node: Node, word: str) -> bool:
    """Buildkite takes any text for the reason of a step that is always skipped; Cirrus reads an expression."""
    return ("label" in node.mapping or "key" in node.mapping) and word not in ("false", "null", "")


def _repeats(key: str, value: Node, word: str) -> bool:
    if key in ("max_auto_reruns", "retryCountOnTaskFailure"):
        return word != "0"
    if key == "retryStrategy":
        return canonical(value.at("retryPolicy") or value.with_value("")) != "OnError"
    if key != "retry" or re.fullmatch(r"false|0|null|\[\]|\{\}", word):
        return False
    automatic = value.at("automatic")
    if automatic is not None and isinstance(automatic.value, list):
        return any(_of_failures(canonical(rule.at("exit_status") or rule.with_value("*"))) for rule in automatic.items)
    return not (value.at("manual") and automatic is None)


def _of_failures(status: str) -> bool:
    """Agents that are lost end with -1, those that are stopped with 128 and more."""
    return not re.fullmatch(r"-1|1[2-9]\d|2\d\d", status)


def _when(value: Node, word: str) -> dict[Flaw, str]:
    if word in ("manual", "never", "on_fail", "false"):
        return {"off": f"it runs only when: {word}"}
    ways = [item for item in value.items if item.mapping] if isinstance(value.value, list) else [value]
    found = [_way(way) for way in ways if way.mapping]
    return found[0] if found and all(found) else {}


def _way(way: Node) -> dict[Flaw, str]:
    """What one entry of Drone's or Woodpecker's `when` asks for, beside branches and events; Tekton's compares."""
    status = {canonical(item).lower() for item in (way.at("status") or way.with_value([])).items}
    evaluated = canonical(way.at("evaluate") or way.with_value("")).strip().lower()
    paths = way.at("path", "include") or way.at("path")
    if (status and "success" not in status) or evaluated == "false":
        return {"off": "it runs only where others failed, or never"}
    if evaluated:
        return {"run-maybe": f"it runs only if {cut(evaluated, 80)}"}
    if paths is not None and not paths.mapping:
        return _only_for(paths)
    if way.at("operator") is not None:
        return {"run-maybe": f"it runs only if {cut(canonical(way), 80)}"}
    event = way.at("event")
    kinds = [canonical(item) for item in event.items] if event is not None and not event.mapping else []
    if kinds and not any(CHANGES.search(kind) for kind in kinds):
        return {"off": f"only {cut(', '.join(kinds), 80)} starts it"}
    return {}


def _only_for(paths: Node | None) -> dict[Flaw, str]:
    patterns = [canonical(item) for item in paths.items] if paths is not None else []
    if patterns and all(map(PROSE.search, patterns)):
        return {"off": "it runs only for changes of texts"}
    return {"run-maybe": "it runs only if some files changed"}


def _unless_changed(word: str) -> dict[Flaw, str]:
    """Cirrus: `skip: "!changesInclude('docs/**')"`."""
    match = UNCHANGED.fullmatch(word)
    patterns = re.findall(r"'([^']*)'", match[1]) if match is not None else []
    if patterns and all(map(PROSE.search, patterns)):
        return {"off": "it runs only for changes of texts"}
    return {"run-maybe": f"it does not run if {cut(word, 80)}"}


def _for_some_refs(key: str, value: Node) -> dict[Flaw, str]:
    """Lefthook's lists of branches: a hook must not be left out on all but the usual ones, nor for somebody."""
    refs = [canonical(ref) for item in value.items if item.mapping and (ref := item.at("ref")) is not None]
    asked = [canonical(run) for item in value.items if item.mapping and (run := item.at("run")) is not None]
    if told := next((text for text in asked if doubt(text) == "variable"), ""):
        return {"run-if": f"{key}: {cut(told, 80)} decides whether it runs"}
    odd = [ref for ref in refs if not (MERGED_INTO.fullmatch(ref) or MINOR.search(ref)) or key == "only"]
    return {"run-if": f"{key}: {cut(odd[0], 80)} decides whether it runs"} if odd and "*" not in refs[:1] else {}


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
    if OCCASION.fullmatch(word) or _never(word) or BY_CLOCK.fullmatch(word):
        return {"off": f"it runs only if {cut(word, 100)}"}
    if re.search(r"eq\(\s*(?:variables\[|variables\.|parameters)", word) and "build." not in word:
        return {"run-if": f"it runs only if {cut(word, 100)}"}
    if OPTED.search(word) and "||" not in word:
        return {"run-if": f"it runs only if {cut(word, 100)}"}
    if kept := refused(word):
        return {"run-if": f"it does not run for {cut(kept, 100)}"}
    return conditional(word)
