"""The runner, its assertions or the clock get other code at run time (policy set v2, class G08).

Rules:

- Giving a part of `_pytest`, pytest, pluggy, unittest or coverage another value blocks, by assignment, `setattr`, a
  patch or in `sys.modules`; in a test of its own, which undoes it, a person looks (that is how plugins are tested).
- So does another clock (`time.perf_counter`), another `AssertionError`, another way out (`sys.exit`) where it lasts: at
  import, in a hook, in a fixture for all tests. Tests and fixtures may stop `time.sleep` and freeze `time.time`.
- A new attribute in these modules, and settings such as `TestCase.maxDiff`, replace nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.kinds import calls, deleted, written
from ralph.guardrails.python.names import positional
from ralph.guardrails.python.runner.module import Module, Part, Place
from ralph.guardrails.python.words import Node
from ralph.system.patterns import later

RUNNER = later(
    r"_pytest\.\w|pluggy\.\w|xdist\.\w|pytest_cov\.\w|coverage\.\w|nose2?\.\w"
    r"|pytest\.(?:fail|raises|warns|approx|main|exit|skip|xfail|mark|fixture|importorskip|deprecated_call|Item"
    r"|Function|Module"
    r"|Class|Session|TestReport|CollectReport|ExitCode|hookimpl|param|RaisesGroup|console_main)\b"
    r"|unittest(?:\.\w+)*\.(?:assert\w*|fail\w*|run|debug|__call__|skipTest|setUp|tearDown|doCleanups|_\w+|add\w+"
    r"|wasSuccessful"
    r"|runTests|parseArgs|load\w+|discover|TestCase|TestResult|TextTestResult|TextTestRunner|TestProgram|TestLoader"
    r"|TestSuite"
    r"|main|shouldStop|result|case|loader|runner|suite)$"
)
SETTING = later(
    r"\.(?:maxDiff|longMessage|_diffThreshold|_MAX_LENGTH|_PLACEHOLDER_LEN|__doc__|__name__|__module__|__test__)$"
)
CLOCK = later(
    r"(?:time\.(?:time|time_ns|perf_counter|perf_counter_ns|monotonic|monotonic_ns|process_time|thread_time"
    r"|clock_gettime)"
    r"|timeit\.default_timer|datetime\.datetime|datetime\.datetime\.(?:now|utcnow)|resource\.getrusage"
    r"|tracemalloc\.get_traced_memory)$"
)
WAYS_OUT = later(
    r"(?:sys\.exit|os\._exit|sys\.settrace|builtins\.(?:AssertionError|BaseException|Exception|isinstance|len|all"
    r"|any|abs|round|print|__import__)|math\.isclose|operator\.eq)$"
)
TESTING = later(
    r"(?:numpy\.testing|pandas\.testing|torch\.testing|django\.test\.(?:\w+\.)*\w+|rest_framework\.test)\.\w"
)
PATCHES = later(r"(?:^|\.)(?:setattr|delattr|patch|object|setitem|multiple|replace|stub\w*)$")


def patch_hits(module: Module) -> Iterator[Hit]:
    for node in (*written(module.source), *deleted(module.source)):
        for path in _targets(module, node):
            if rule := _rule(module, node, path, undone=False):
                yield module.source.hit(rule, node, f"{path} {_where(module, node)}", detail=path)
    for call in calls(module.source):
        function = call.child_by_field_name("function")
        if function is None or not PATCHES.search(module.source.text(function)):
            continue
        undone = module.source.text(function) not in ("setattr", "delattr", "builtins.setattr", "object.__setattr__")
        for path in _patched(module, call):
            if rule := _rule(module, call, path, undone=undone):
                yield module.source.hit(rule, call, f"{path} {_where(module, call)}", detail=path)


def _targets(module: Module, node: Node) -> frozenset[str]:
    """The dotted paths that are written to; `sys.modules["x"]` is x."""
    if node.type == "subscript":
        owner = node.child_by_field_name("value")
        if owner is None or not module.names.paths(owner) & {"sys.modules"}:
            return module.names.paths(node)
        key = node.child_by_field_name("subscript")
        name = module.names.constant(key) if key is not None else None
        return frozenset({f"modules:{name}"}) if isinstance(name, str) else frozenset()
    return module.names.paths(node)


def _patched(module: Module, call: Node) -> Iterator[str]:
    arguments = positional(call)
    if not arguments:
        return
    first = module.names.constant(arguments[0])
    if isinstance(first, str):
        yield first
        return
    name = module.names.constant(arguments[1]) if len(arguments) > 1 else None
    for owner in sorted(module.names.paths(arguments[0])):
        if isinstance(name, str):
            yield f"modules:{name}" if owner == "sys.modules" else f"{owner}.{name}"


def _rule(module: Module, node: Node, path: str, *, undone: bool) -> str | None:
    """`undone`: by something that takes the patch back at the end of the test."""
    place = module.place(node)
    lasting = place in (Place.IMPORT, Place.HOOK, Place.PROGRAM) or not undone
    in_test = place is Place.TEST or (place is Place.FIXTURE and undone and not _is_for_all(module, node))
    if path.startswith("modules:"):
        if re.fullmatch(r"_?pytest(?:\..*)?|pluggy|unittest(?:\..*)?|coverage", path.removeprefix("modules:")):
            return "py.runner-patched-in-test" if in_test else "py.runner-patched"
        return None
    if (RUNNER.match(path) or TESTING.match(path)) and not SETTING.search(path):
        if module.part is Part.PRODUCT and not path.startswith(("_pytest", "pytest", "unittest", "pluggy")):
            return None
        return "py.runner-patched-in-test" if in_test else "py.runner-patched"
    if CLOCK.match(path) or WAYS_OUT.match(path):
        if not lasting:
            return None
        return (
            "py.runner-patched-in-test"
            if in_test or (place is Place.FUNCTION and module.part is not Part.PRODUCT)
            else "py.runner-patched"
        )
    return None


def _is_for_all(module: Module, node: Node) -> bool:
    function = module.function_of(node)
    return function is not None and "autouse" in module.decorators(function)


def _where(module: Module, node: Node) -> str:
    function = module.function_of(node)
    return module.name(function) if function is not None else "module"
