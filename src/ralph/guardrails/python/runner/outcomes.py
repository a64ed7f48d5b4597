"""What a hook of pytest does to the outcome of tests, of the session or of the collection (policy set v2, class G08).

Rules:

- It blocks when a hook gives a report, an exception or the session another outcome, keeps a failure to itself, answers
  in place of the test or of the runner without running anything, or empties or thins out what was collected.
- What only happens on a platform or a version of Python is for a person; so is what thins out the collection under an
  option of the command line that was there before.
- An outcome that gets worse (failed, a nonzero status) games nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.claims import constant_value, source_of
from ralph.guardrails.python.runner.collecting import collection
from ralph.guardrails.python.runner.options import PLATFORM_ONLY, option_around
from ralph.guardrails.python.runner.trees import (
    Code,
    Write,
    all_nodes,
    calls,
    name_of,
    own_nodes,
    results,
    swallowed,
    writes,
    yields,
)
from ralph.record import record
from ralph.system.patterns import later

RUNS = frozenset(
    f"pytest_{name}"
    for name in [
        "runtest_protocol",
        "runtest_setup",
        "runtest_call",
        "runtest_teardown",
        "pyfunc_call",
        "runtestloop",
        "fixture_setup",
        "collection",
        "make_collect_report",
        "runtest_makereport",
        "cmdline_main",
        "sessionfinish",
        "runtest_logreport",
    ]
)
"""Hooks around what can fail."""

ANSWERS = {
    "pytest_runtest_protocol": r"runtestprotocol|call_and_report|runtest_protocol|super",
    "pytest_runtestloop": r"runtest_protocol|runtestloop|runtestprotocol|super",
    "pytest_collection": r"perform_collect|super",
    "pytest_cmdline_main": r"\w\(",
    "pytest_pyfunc_call": r"\.obj\b|\.function\b|testfunction|\.runtest|funcargs|getfixturevalue|super",
    "pytest_make_collect_report": r"\.collect\b|CallInfo|super",
}
"""Hooks whose answer stands for the runner's own, and what shows that the work is done all the same."""

GIVEN = frozenset(
    {"__class__", "outcome", "wasxfail", "excinfo", "exitstatus", "testsfailed", "_result", "_excinfo", "_exception"}
)
REPLACED = frozenset({"obj", "_obj", "runtest", "_testfunc", "call"})
"""What runs when a test runs."""

WORSE = later(r"(?:failed|error\w*|[1-9]\d*|True)$|(?:_FAILED|_ERROR|FAILED|INTERRUPTED)$", re.IGNORECASE)
HARMLESS = ("passed", "skipped", "", "xfailed", "warnings", "deselected")
ASKS_PASSED = later(r"\.passed\b|\.skipped\b|['\"](?:passed|skipped)['\"]\s*(?:==|in)|==\s*['\"](?:passed|skipped)")
SHOWS = later(r"\b(?:print|(?:sys\.)?std(?:out|err)\.write|[\w.]*\.(?:write_line|write_sep|section|line))\(")
STATS = later(r"(?:^|\.)stats$")


@record
class Verdict:
    rule: str
    why: str
    place: ast.AST
    option: str | None = None
    """The option of the command line on which it depends."""


def verdicts(hook: str, code: Code) -> Iterator[Verdict]:
    """What blocks in the hook of this name; the first of each kind."""
    seen: set[str] = set()
    for why, place in _outcome(hook, code):
        if why not in seen:
            seen.add(why)
            yield Verdict("py.runner-outcome", why, place)
    for why, place, option in collection(hook, code):
        if why not in seen and option != PLATFORM_ONLY:
            seen.add(why)
            yield Verdict("py.runner-collection", why, place, option)


def _outcome(hook: str, code: Code) -> Iterator[tuple[str, ast.AST]]:
    for write in writes(code):
        if why := changed(write, code):
            yield why, write.node
    for name, call in calls(code):
        if name == "force_result" and not _passes_on(code, call.args):
            yield "gives the hook's result itself", call
        if name == "force_exception" and any(isinstance(each, ast.Constant) for each in call.args):
            yield "gives the hook's result itself", call
        if name == "clear" and STATS.search(name_of(call.func).removesuffix(".clear")):
            yield "takes results out of the report", call
        if name == "pop" and STATS.search(name_of(call.func).removesuffix(".pop")):
            yield "takes results out of the report", call
    if hook in RUNS and (place := _keeps(hook, code)):
        yield "keeps a failure to itself", place
    if hook in ANSWERS and (place := _answers(hook, code)):
        yield "answers without running anything", place
    if hook == "pytest_runtest_makereport" and (place := _own_report(code)):
        yield "answers with a report of its own", place
    if hook == "pytest_report_teststatus" and (place := _calls_passed(code)):
        yield "calls every test passed", place


def changed(write: Write, code: Code) -> str | None:
    """Why it matters that a hook or another function of a plugin writes this; None if it does not."""
    value = write.value
    if write.name in GIVEN and not _is_worse(value):
        if write.owner.rpartition(".")[2] in ("self", "cls") or _notes_down(write, code):
            return None
        return f"changes {write.name}"
    if write.name == "longrepr" and isinstance(value, ast.Constant) and not value.value:
        return "takes the failure out of a report"
    if write.name in REPLACED and write.owner.rpartition(".")[2] in ("item", "pyfuncitem", "function", "self.item"):
        kept = value is not None and re.search(rf"\b{write.name}\b|getattr\(", source_of(value))
        return None if kept or _mentions_itself(write, code) else "replaces what a test runs"
    if write.name in ("failed", "passed", "skipped") and ("class" in write.owner or write.owner.endswith("Report")):
        return "changes what a report says of itself"
    if STATS.search(write.owner) and write.name in ("failed", "error", "passed"):
        return "takes results out of the report"
    return None


def _notes_down(write: Write, code: Code) -> bool:
    """`output["exitstatus"] = int(exitstatus)`: what the hook is told, under its own name in a table."""
    given = write.value
    if isinstance(given, ast.Call) and name_of(given) in ("int", "str") and len(given.args) == 1:
        given = given.args[0]
    if not isinstance(given, ast.Name) or given.id != write.name or not isinstance(write.node, ast.Assign):
        return False
    tables = [each.value for each in write.node.targets if isinstance(each, ast.Subscript)]
    if len(tables) < len(write.node.targets) or any(isinstance(each, ast.Call) for each in tables):
        return False
    known = [each for each in ast.walk(code) if isinstance(each, ast.arg) and each.arg == write.name]
    told = any(each in known for each in (*code.args.args, *code.args.kwonlyargs))
    again = (each for each in all_nodes(code) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return told and len(known) == 1 and not any(each.id == write.name for each in again)


def _mentions_itself(write: Write, code: Code) -> bool:
    """`original = item.obj` before `item.obj = wrapped`: the wrapper calls what it wraps."""
    read = (node for node in all_nodes(code) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
    return any(node.attr == write.name for node in read)


def _is_worse(value: ast.expr | None) -> bool:
    if value is None:
        return False
    text = source_of(value).strip("'\"")
    return WORSE.search(text) is not None


def _keeps(hook: str, code: Code) -> ast.AST | None:
    """A `try` around what runs, whose handler lets nothing out."""
    if yields(code):
        return swallowed(code, (ast.Yield, ast.YieldFrom))
    word = ANSWERS.get(hook)
    if word is None:
        return None
    for part in ("obj", "function", "runtest", "collect", "testfunction"):
        if re.search(word, f".{part}") and (place := swallowed(code, ast.Call, part)):
            return place
    return None


def _answers(hook: str, code: Code) -> ast.AST | None:
    """A result that takes the runner's place, where nothing shows that it did the runner's work."""
    if yields(code):
        return None
    given = [each for each in results(code) if not _is_false(each)]
    called = _called(code)
    if not any(isinstance(each, ast.If) for each in own_nodes(code)):  # an option may ask for what is only shown
        called = SHOWS.sub("", called)
    if not given or re.search(ANSWERS[hook], called):
        return None
    return given[0]


def _called(code: Code) -> str:
    body = [code.body] if isinstance(code, ast.Lambda) else code.body
    return "\n".join(map(source_of, body))


def _is_false(value: ast.expr) -> bool:
    """Nothing but `None` is no answer: 0 of `pytest_cmdline_main` ends the session well."""
    known = constant_value(value)
    return known is not None and known[0] is None


def _own_report(code: Code) -> ast.AST | None:
    passed_on = _results_of_yield(code)
    for value in results(code):
        if isinstance(value, ast.Yield | ast.Await) or (isinstance(value, ast.Name) and value.id in passed_on):
            continue
        if name_of(value).endswith(("get_result", "from_item_and_call")) and isinstance(value, ast.Call):
            continue
        return value
    return None


def _results_of_yield(code: Code) -> frozenset[str]:
    """Names that are given what the other hooks answered, or a report that pytest made."""
    names: set[str] = set()
    for node in own_nodes(code):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            made = isinstance(node.value, ast.Call) and name_of(node.value).endswith(
                ("get_result", "from_item_and_call")
            )
            if made or isinstance(node.value, ast.Yield):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(each.id for each in targets if isinstance(each, ast.Name))
    return frozenset(names)


def _passes_on(code: Code, given: list[ast.expr]) -> bool:
    known = _results_of_yield(code)
    return bool(given) and isinstance(given[0], ast.Name) and given[0].id in known


def _calls_passed(code: Code) -> ast.AST | None:
    """An answer that calls a test passed or skipped where nobody asked whether it is."""
    if ASKS_PASSED.search(_called(code)):
        return None
    for value in results(code):
        known = constant_value(value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value)
        if known is not None and known[0] in HARMLESS and option_around(code, value) is None:
            return value
    return None
