"""Jobs that gather the results of others, and no longer fail where one of those failed (policy set v2, class G10).

Rules: such a job runs although another failed (`if: always()`), asks for the results of those that it waits for, and
fails. A branch is often protected by it alone, so that a failure which it does not hear is lost:

- No step asks any more, or none that asks can fail: it prints the results, tolerates its own failure, or runs under a
  condition that does not hold where the other job failed.
- It is skipped where the other job failed, as its own condition is gone: a check that is skipped counts as passed.
- What it asks is answered as if nothing had failed: `contains(needs.*.result, 'cancelled')` (`answers_in_shell`).

What an action, a script or another program makes of the results is not known: it may fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.checks.merging.answers_in_shell import expression_of, with_answers
from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.merging.results_in_shell import is_unreached
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.expressions import Value, truth
from ralph.guardrails.checks.shell.conditions import truth as true_of
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

BY_NAME = later(r"\[\s*'([^'\]]*)'\s*\]")
ASKED = later(r"\bneeds\.(?P<job>[\w-]+|\*)|(?i:\btoJSON\(\s*needs\b)")
RESULT = later(r"\$\{\{\s*needs\.(?P<job>[\w-]+)\.result\s*\}\}")
RESULTS = later(r"join\(\s*needs\.\*\.result\s*(?:,\s*'(?P<between>[ ,]*)'\s*)?\)|needs\.(?P<job>[\w-]+)\.result")
INDIRECT = later(r"\b(?:steps|env)\.|\$\{?\w+")
STATUS = later(r"(?:always|cancelled|failure|success)\(\)")
TELLS = later(r"(?i)slack|notif|comment|summary|upload|discord|teams|mail|telegram|badge|github-script|label|status")
FAILS_IN_SCRIPT = later(r"\bsetFailed\b|\bthrow\b|\bprocess\.exit(?:Code)?\b|\bassert\b")
SAYS = frozenset(
    names(
        "echo printf cat true : tee set export local declare readonly jq sort tr cut sed awk head tail column date "
        "sleep continue break shift read env shopt trap wc uniq paste"
    )
)
"""What only tells or prepares, and ends well."""
TESTED = frozenset(("if_statement", "elif_clause", "while_statement"))
ALL = "*"


def deafened(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None or "needs" not in (before.side.text(path) or ""):
        return
    had, has = jobs_of(old), jobs_of(new)
    checking = {gate.slot.removeprefix("jobs/") for gate in before.of_file(path)}
    for name, job in had.items():
        if name not in has or not (was_heard := heard(old, job) & checking):
            continue
        lost = (was_heard & has.keys() & _waited(has[name])) - heard(new, has[name])
        if lost:
            detail = f"{name} no longer fails where {', '.join(sorted(lost))} failed"
            yield hit_at("check.result-lost", path, has[name].line, detail)


def _waited(job: Node) -> set[str]:
    needs = job.at("needs")
    return {canonical(item) for item in needs.items} if needs is not None else set()


def heard(workflow: Node, job: Node) -> set[str]:
    """Of the jobs that one waits for, those whose failure makes it fail."""
    if canonical(job.at("continue-on-error") or job.with_value(False)).lower() == "true":
        return set()
    steps = job.at("steps")
    listed = steps.items if steps is not None and isinstance(steps.value, list) else []
    outer = [env for env in (workflow.at("env"), job.at("env")) if env is not None]
    variables = {name: canonical(value) for env in outer for name, value in env.mapping.items()}
    return {need for need in _waited(job) if _fails(job, listed, need, variables)}


def _fails(job: Node, steps: Sequence[Node], need: str, variables: Mapping[str, str]) -> bool:
    condition = job.at("if")
    text = canonical(condition) if condition is not None else ""
    if not STATUS.search(text) or _holds(text, need) is False:
        return False
    by_job = _holds(text, None) is False
    mentioned = any(_mentions(step, need, variables) for step in steps)
    return any(
        (by_job or _mentions(step, need, variables) or (mentioned and INDIRECT.search(canonical(step))))
        and _step_fails(step, need, variables)
        for step in steps
    )


def _step_fails(step: Node, need: str, variables: Mapping[str, str]) -> bool:
    if canonical(step.at("continue-on-error") or step.with_value(False)).lower() == "true":
        return False
    condition = step.at("if")
    if condition is not None and _holds(canonical(condition), need, of_step=True) is False:
        return False
    run, uses = step.at("run"), step.at("uses")
    if run is not None:
        own = step.at("env")
        known = {**variables, **{name: canonical(value) for name, value in (own.mapping if own else {}).items()}}
        text = RESULT.sub(lambda match: "failure" if match["job"] == need else "success", run.text)
        told = with_answers(
            text, known, lambda asked: _holds(asked, need, of_step=True), lambda asked: _results(asked, need)
        )
        return _may_fail(told)
    if uses is None:
        return False
    allowed = canonical(step.at("with", "allowed-failures") or step.with_value(""))
    if need in re.split(r"[\s,\"'\[\]]+", allowed) or "needs" in allowed:
        return False
    script = step.at("with", "script")
    if script is not None and "github-script" in canonical(uses):
        return FAILS_IN_SCRIPT.search(canonical(script)) is not None
    return TELLS.search(canonical(uses)) is None


def _mentions(step: Node, need: str, variables: Mapping[str, str]) -> bool:
    text = canonical(step)
    named = (value for name, value in variables.items() if re.search(rf"\b{re.escape(name)}\b", text))
    own = _asked(text).union(*map(_asked, named))
    return bool(own & {need, ALL})


def _asked(text: str) -> frozenset[str]:
    return frozenset(match["job"] or ALL for match in ASKED.finditer(BY_NAME.sub(r".\1", text)))


def _holds(text: str, failed: str | None, *, of_step: bool = False) -> bool | None:
    """Whether a condition holds where one job failed, or none. Steps only hear of the steps before them."""

    def look(name: str) -> Value:
        name = BY_NAME.sub(r".\1", name)
        if match := re.fullmatch(r"needs(?:\.(?P<job>[\w*-]+)(?:\.result)?)?", name):
            job = match["job"] or ALL
            if job == ALL:
                return ("success", "failure" if failed is not None else "success")
            return "failure" if job == failed else "success"
        return None

    def ask(name: str, arguments: Sequence[Value]) -> Value:
        if name in ("tojson", "join") and arguments:
            first = arguments[0]
            return " ".join(f'"{each}"' if name == "tojson" else each for each in first) if first is not None else None
        if name in ("contains", "startswith", "endswith"):
            whole, part = arguments[0], arguments[1]
            return None if whole is None or part is None else part in whole
        if name == "failure" and of_step:
            return None
        known = {
            "always": True,
            "cancelled": False,
            "failure": failed is not None,
            "success": of_step or failed is None,
        }
        return known.get(name)

    return truth(expression_of(text), look, ask)


def _results(asked: str, need: str) -> str | None:
    """The results that an expression is, where one job failed."""
    match = RESULTS.fullmatch(BY_NAME.sub(r".\1", asked.strip()))
    if match is None:
        return None
    if match["job"]:
        return "failure" if match["job"] == need else "success"
    return (match["between"] if match["between"] is not None else ",").join(("success", "failure"))


def _may_fail(text: str) -> bool:
    """A script in which something ends with another status than zero, which nothing around it drops."""
    script = Script(text)
    for node in script.walk():
        if _holds_anyway(script, node) or is_unreached(script, node):
            continue
        if node.type == "test_command" or (node.type == "command" and _ends_badly(script.words(node, {}))):
            if node.type == "command" and script.words(node, {})[:1] == ["exit"]:
                return True
            if not _is_dropped(script, node):
                return True
    return False


def _holds_anyway(script: Script, node: tree_sitter.Node) -> bool:
    """A test that is true, as far as it can be told, where the other job failed."""
    if node.type == "test_command":
        return true_of(script, node, {}) is True and "$" not in script.of(node)
    words = script.words(node, {}) if node.type == "command" else []
    if words[:1] != ["test"] or "$" in script.of(node):
        return False
    inner = Script(f"[ {' '.join(words[1:])} ]")
    tests = [each for each in inner.walk() if each.type == "test_command"]
    return len(tests) == 1 and true_of(inner, tests[0], {}) is True


def _ends_badly(words: Sequence[str]) -> bool:
    name = words[0] if words else ":"
    if name in ("exit", "return"):
        return len(words) > 1 and words[1] != "0"
    if name == "jq":
        return any(re.fullmatch(r"-\w*e\w*|--exit-status", word) or "error" in word for word in words[1:])
    return name not in SAYS or any("exit" in word for word in words[1:] if name == "awk")


def _is_dropped(script: Script, node: tree_sitter.Node) -> bool:
    """It is asked by an `if`, or another command stands behind a `||`."""
    child, above = node, node.parent
    while above is not None:
        first = above.named_children[0] if above.type == "elif_clause" else above.child_by_field_name("condition")
        if above.type in TESTED and first == child:
            return True
        others = above.children[1:] if above.type == "list" and above.children[0] == child else []
        if "||" in [other.type for other in others] and not _may_fail(script.of(others[-1])):
            return True
        child, above = above, above.parent
    return False
