"""unittest's own hooks: assertions, results and loaders that a subclass makes harmless (policy set v2, class G08).

Rules: a method of unittest's name that can neither fail nor pass anything on, or only prints, blocks where it overrides
an assertion, a way to record a failure or the running itself; so does a `failureException` that is no failure,
`wasSuccessful` that always is, or that asks for errors and not for failures (Django's `suite_result` likewise), and a
`load_tests` that leaves out what was loaded. What calls `super`, raises or asserts extends.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.runner.loading import leaves_out
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.runner.trees import Code, always, code_of, is_trivial, name_of
from ralph.guardrails.python.trees import walk
from ralph.guardrails.python.words import Node, enclosing
from ralph.system.patterns import later

ASSERTIONS = frozenset(
    f"assert{name}"
    for name in [
        "Equal",
        "NotEqual",
        "True",
        "False",
        "Is",
        "IsNot",
        "IsNone",
        "IsNotNone",
        "In",
        "NotIn",
        "IsInstance",
        "NotIsInstance",
        "Raises",
        "RaisesRegex",
        "Warns",
        "WarnsRegex",
        "Logs",
        "NoLogs",
        "AlmostEqual",
        "NotAlmostEqual",
        "Greater",
        "GreaterEqual",
        "Less",
        "LessEqual",
        "Regex",
        "NotRegex",
        "CountEqual",
        "MultiLineEqual",
        "SequenceEqual",
        "ListEqual",
        "TupleEqual",
        "SetEqual",
        "DictEqual",
    ]
) | {"fail"}
TELLS = later(r"^(?:print|repr|str|len|type|(?:\w+\.)*(?:debug|info|warn|warning|error|exception|log|format))$")
RECORDS = frozenset({"addFailure", "addError", "addSubTest", "addUnexpectedSuccess"})
ENDING = frozenset({"suite_result", "run_tests", "run_suite"})
RUNNING = frozenset({"run", "runtest", "debug", "__call__", "_callTestMethod", "_callSetUp", "subTest"})
NAMES = (*ASSERTIONS, *RECORDS, "wasSuccessful", "load_tests", "failureException")
CASE = later(r"(?:^|\.)\w*Test(?:Case|s)?\b|TestCase")
CATCHES_END = later(r"except\s*:|except\b[^\n]*(?:SystemExit|BaseException)")
ENDS = later(r"\braise\b|exit\(")
CHOSEN = later(
    r"\bdefaultTest\s*=[\s\[(]*([\"'])(?P<name>(?:\w+\.)*[A-Z]\w*(?:\.\w+)*)\1"
    r"|\bargv\s*=\s*\[[^\]]*,\s*([\"'])(?P<named>(?!-)[\w.]+|-k[^\"']*)\3"
)
"""`defaultTest="OneTests.test_it"` or the same in `argv`; a function that makes a suite is none of them."""
MAINS = frozenset({"unittest.main", "unittest.TestProgram"})
RESULT = later(r"Result\b")


def unittest_hits(module: Module) -> Iterator[Hit]:
    for name in (*NAMES, *RUNNING, *ENDING):
        for node in module.names.words.identifiers(name):
            if why := _why(module, name, node):
                yield module.source.hit(
                    "py.runner-patched", node, f"{name} {why} {_class(module, node)[0]}", detail=f"{name} {why}"
                )
    yield from _without_status(module)


def _without_status(module: Module) -> Iterator[Hit]:
    """`unittest.main()` whose answer ends nothing: with `exit=False` as a statement, or in a `try` that catches it.

    One that is told which of the tests to run is a filter.
    """
    for node in module.names.references(frozenset({"main"})):
        call = node.parent
        if call is None or call.type != "call" or not module.names.paths(node) & MAINS:
            continue
        alone = call.parent is not None and call.parent.type == "expression_statement"
        stays = re.search(r"\bexit\s*=\s*False\b", module.source.text(call)) is not None
        if alone and (stays or _is_caught(module, call)):
            yield module.source.hit("py.runner-patched", call, "unittest.main", detail="its status is lost")
        if chosen := CHOSEN.search(module.source.text(call)):
            yield module.source.hit(
                "cfg.test.filtered", call, "unittest.main", detail=f"only {chosen['name'] or chosen['named']} runs"
            )


def _is_caught(module: Module, call: Node) -> bool:
    outer = enclosing(call, "try_statement")
    clauses = [each for each in outer.named_children if each.type == "except_clause"] if outer is not None else []
    return any(CATCHES_END.match(text) and not ENDS.search(text) for text in map(module.source.text, clauses))


def _why(module: Module, name: str, node: Node) -> str | None:
    above = node.parent
    if above is None:
        return None
    if above.type == "function_definition" and above.child_by_field_name("name") == node:
        code = code_of(module.source, above)
        return _of_function(module, name, node, code) if isinstance(code, Code) else None
    attribute = above if above.type == "attribute" and above.child_by_field_name("attribute") == node else None
    target = attribute or node
    holder = target.parent
    if holder is None or holder.type != "assignment" or holder.child_by_field_name("left") != target:
        return None
    if attribute is not None and not re.match(r"(?:self|cls)\.", module.source.text(attribute)):
        return None  # `patches` knows what else it may be
    if attribute is None and not _class(module, node)[0]:
        return None
    return _of_value(module, name, holder.child_by_field_name("right"))


def _of_function(module: Module, name: str, node: Node, code: Code) -> str | None:
    owner, bases = _class(module, node)
    if name == "load_tests":
        if owner or not isinstance(code, ast.FunctionDef):
            return None
        return "leaves out what was loaded" if leaves_out(code, module.source.data) else None
    if not owner:
        return None
    if name == "wasSuccessful":
        return "is always true" if always(code, True) else _of_a_part(code) if RESULT.search(bases) else None
    if name in ENDING:
        if not re.search(r"Runner\b", bases):
            return None
        return "tells of no failure" if always(code, False) else _of_a_part(code) if name == "suite_result" else None
    if name == "runtest":
        return "runs nothing" if re.search(r"\b(?:Function|Item)\b", bases) and is_trivial(code) else None
    if name in RUNNING:
        return "runs nothing" if CASE.search(bases) and _does_nothing(code) and name != "subTest" else None
    if name in RECORDS:
        return "records nothing" if RESULT.search(bases) and _does_nothing(code) else None
    if name in ASSERTIONS and (module.part is not Part.PRODUCT or CASE.search(bases)):
        return "cannot fail" if is_trivial(code) or _only_tells(code) else None
    return None


def _of_a_part(code: Code) -> str | None:
    """It reads the errors of a run and not its failures, or the other way round, and asks nobody else."""
    nodes = walk(code)
    read = {each.attr for each in nodes if isinstance(each, ast.Attribute)}
    names = {each.arg for each in (*code.args.args, *code.args.kwonlyargs)}
    given = [given for each in nodes if isinstance(each, ast.Call) for given in each.args]
    handed = any(isinstance(each, ast.Name) and each.id in names for each in given)
    if handed or not read.isdisjoint({"wasSuccessful", "suite_result", "all_errors_and_failures"}):
        return None
    kinds = read & {"failures", "errors"}
    return f"tells of {kinds.pop()} alone" if len(kinds) == 1 else None


def _of_value(module: Module, name: str, value: Node | None) -> str | None:
    if value is None:
        return None
    if name == "failureException":
        text = module.source.text(value)
        return (
            None if re.search(r"Assertion|Error$|Failure|Exception$", text) and "Skip" not in text else "is no failure"
        )
    if name not in ASSERTIONS and not (name in RECORDS and RESULT.search(_class(module, value)[1])):
        return None
    code = code_of(module.source, value)
    if isinstance(code, Code):
        return "cannot fail" if is_trivial(code) else None
    code = code.value if isinstance(code, ast.Expr) else code
    return (
        "cannot fail"
        if name_of(code).rpartition(".")[2] in ("Mock", "MagicMock", "id", "repr", "print", "bool")
        else None
    )


def _only_tells(code: Code) -> bool:
    """It prints what is wrong, and goes on."""
    nodes = walk(code)
    fails = any(isinstance(each, ast.Raise | ast.Assert) for each in nodes)
    return not fails and all(TELLS.search(name_of(each)) for each in nodes if isinstance(each, ast.Call))


def _does_nothing(code: Code) -> bool:
    """Neither its base class nor its own records are told."""
    text = source_of(code)
    passed_on = re.search(
        r"super\(|\.(?:failures|errors|addFailure|addError|run|append|_\w+)\b|\braise\b|\w+Test\w*\.\w+\(", text
    )
    return passed_on is None


def _class(module: Module, node: Node) -> tuple[str, str]:
    """The name of the class that a definition is a direct part of, and its bases; empty outside of one."""
    function = node.parent if node.parent is not None and node.parent.type == "function_definition" else node
    above = enclosing(function.parent, "class_definition", "function_definition")
    if above is None or above.type != "class_definition":
        return "", ""
    name, bases = above.child_by_field_name("name"), above.child_by_field_name("superclasses")
    return (
        module.source.text(name) if name is not None else "",
        module.source.text(bases) if bases is not None else "",
    )
