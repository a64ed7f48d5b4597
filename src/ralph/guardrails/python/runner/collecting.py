"""What a hook of pytest does to the collection of tests (policy set v2, class G08).

Rules: taking tests out of the list (`lists`), refusing a file or a name, and giving the runner options that do the same
block; under an option of the command line, on a platform or a Python version they are for a person, and so is leaving
out what holds no tests by its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.config.node import names
from ralph.guardrails.python.claims import constant_value, source_of
from ralph.guardrails.python.runner.given import LENGTHENED, dropped, lengthened, without_values
from ralph.guardrails.python.runner.lists import thinned
from ralph.guardrails.python.runner.options import option_around
from ralph.guardrails.python.runner.trees import Code, Write, calls, name_of, results, writes, yields
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

EMPTYING = frozenset(
    f"pytest_{name}" for name in names("pycollect_makeitem collect_file pycollect_makemodule collect_directory")
)
ARGUMENTS = later(r"(?:^|\.)(?:args|argv|sys\.argv|invocation_params)$")
NO_TESTS = later(
    r"(?i)(?:^|[/\\.*_-])(?:setup\.py|docs?|examples?|node_modules|build|dist|venv|\.?venv|env|vendor|third_party|scripts"
    r"|migrations|benchmarks?|data|testdata|fixtures|templates?|__pycache__|conftest\.py)(?:$|[/\\.*_-])"
)
NARROWING = later(
    r"--(?:collect-only|co|deselect|ignore|ignore-glob|lf|last-failed|sw|stepwise|no-cov|setup-plan|setup-only|reruns)\b"
    r"|^-[km](?:$|[ =\w])|^-p\s*no|^no:|^--assert=plain"
)
OPTIONS = frozenset(
    names(
        "collectonly keyword markexpr deselect ignore ignore_glob lf last_failed setupplan setuponly assertmode "
        "file_or_dir reruns no_cov stepwise args"
    )
)
CONFIGURED = frozenset(names("python_files python_functions python_classes testpaths norecursedirs addopts"))
ENVIRONMENT = frozenset({"PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONOPTIMIZE"})
"""What later runs of Python and pytest take their options from."""

CONFIG = later(r"(?:^|\.)(?:option|config|known_args_namespace|early_config)$")


def collection(hook: str, code: Code) -> Iterator[tuple[str, ast.AST, str | None]]:
    """Why and where a hook keeps tests from being collected or run, and under which option, if any."""
    for why, place in _narrowed(hook, code):
        yield why, place, option_around(code, place)


def _narrowed(hook: str, code: Code) -> Iterator[tuple[str, ast.AST]]:
    for place in thinned(code):
        yield "takes tests out of the list", place
    yield from told_to_leave_out(code)
    for name, call in calls(code):
        if name in ("unregister", "set_blocked") and "pluginmanager" in name_of(call.func):
            yield "takes a plugin of the runner out", call
    if hook == "pytest_ignore_collect":
        yield from _refused(code)
    if hook in EMPTYING:
        for value in results(code):
            if isinstance(value, ast.List | ast.Tuple) and not value.elts and not yields(code):
                yield "answers that there is no test", value
        yield from (("answers that there is no test", each) for each in dropped(code) if not _names_no_tests(code))
    if hook == "pytest_generate_tests":
        yield from (("gives tests no values to run with", each) for each in without_values(code))


def told_to_leave_out(code: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Options, arguments and variables by which the runner is told to leave tests out."""
    for write in writes(code):
        if _sets_option(write):
            yield f"sets {write.name.strip('[]') or 'the arguments'}", write.node
    for name, call in calls(code):
        owner = name_of(call.func).rpartition(".")[0]
        if name in ("append", "extend", "insert") and ARGUMENTS.search(owner) and _narrows(call):
            yield "gives the runner options that leave tests out", call
    for name, place in lengthened(code):
        if not _names_no_tests(place):
            yield f"adds to {name}", place


def _sets_option(write: Write) -> bool:
    value = write.value
    if write.name in ENVIRONMENT or (write.name in CONFIGURED and re.search(r"_?ini(?:cache|cfg)$", write.owner)):
        return value is not None
    if write.name in OPTIONS and CONFIG.search(write.owner):
        return not (isinstance(value, ast.Constant) and value.value in (None, False, ""))
    if value is None:
        return False
    if write.name == "[]" and write.owner.endswith("config.args"):
        return "args" not in source_of(value)
    arguments = (write.name == "[]" and ARGUMENTS.search(write.owner)) or (
        write.name == "argv" and write.owner == "sys"
    )
    return bool(arguments) and _narrows(value)


def _narrows(tree: ast.AST) -> bool:
    texts = (node.value for node in walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return any(NARROWING.search(text) for text in texts)


def _refused(code: Code) -> Iterator[tuple[str, ast.AST]]:
    """What `pytest_ignore_collect` says True to: block, unless only names that hold no tests are in play."""
    for value in results(code):
        known = constant_value(value)
        if known is not None and not known[0]:
            continue
        if not _names_no_tests(code):
            yield "refuses files with tests", value


def _names_no_tests(code: ast.AST) -> bool:
    """It has names in it, and all of them are of what holds no tests."""
    words = [node.value for node in walk(code) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = [word for word in words if word not in LENGTHENED and not word.isspace() and 0 < len(word) < 100]
    return bool(named) and all(NO_TESTS.search(word) for word in named)
