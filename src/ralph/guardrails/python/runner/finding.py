"""Where a Python file has hooks: functions, and everything else that is given a hook's name.

A hook is a function of a hook's name (in a class, too), one that a decorator's `specname` names, and what an
assignment, a keyword, a dictionary, `setattr` or `globals()` puts under such a name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.bindings import scope_of
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.kinds import functions as functions_of
from ralph.guardrails.python.kinds import given, imported
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.runner.trees import Code, code_of, name_of
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

HOOK = later(r"pytest_[a-z]\w*")
KNOWN = later(
    r"pytest_(?:cmdline_\w+|load_initial_conftests|addoption|configure|unconfigure|sessionstart|sessionfinish"
    r"|plugin_registered|addhooks|collection\w*|ignore_collect|collect_\w+|pycollect_\w+|generate_tests|make_\w+|collectstart"
    r"|itemcollected|collectreport|deselected|runtest\w*|pyfunc_call|fixture_\w+|report_\w+|assert\w+|terminal_summary"
    r"|warning_recorded|internalerror|keyboard_interrupt|exception_interact|enter_pdb|leave_pdb|markeval_namespace)"
)
"""The names that pytest itself calls; plugins add others, which are known as functions only."""


@record
class Hook:
    name: str
    node: Node
    code: Code | None
    """None if it is not in sight, or if this Python cannot read it."""

    written: str = ""
    """The decorators, as written."""


def hooks_in(names: Names) -> Iterator[Hook]:
    source = names.source
    functions = {}
    for node in functions_of(source):
        decorators = decorators_of(source, node)
        specified = re.search(r"specname\s*=\s*[\"'](pytest_\w+)[\"']", decorators)
        own = name_in(names, node)
        functions[own] = node
        name = specified[1] if specified else own
        if HOOK.fullmatch(name) and "fixture" not in decorators:
            yield Hook(name, node, _code(source, node), decorators)
    for node, name, value in _given(names):
        if KNOWN.fullmatch(name) and not (node.type == "assignment" and scope_of(node).type == "function_definition"):
            code = functions.get(names.identifier(value)) if value.type == "identifier" else value
            yield Hook(name, node, _code(source, code) if code is not None else None)
    for node in imported(source):
        name = source.text(node.child_by_field_name("alias") or node)
        if KNOWN.fullmatch(name):
            yield Hook(name, node, None)


def _given(names: Names) -> Iterator[tuple[Node, str, Node]]:
    """What is put under a name: the place, the name and the value."""
    for node in given(names.source):
        if node.type == "assignment":
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        elif node.type == "pair":
            target, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        else:
            target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None or value is None:
            continue
        if target.type == "subscript":
            target = target.child_by_field_name("subscript") or target
        if target.type == "identifier":
            yield node, names.identifier(target), value
        elif isinstance(name := names.constant(target), str):
            yield node, name, value
    for node in names.words.identifiers("setattr"):
        call = node.parent
        arguments = call.child_by_field_name("arguments") if call is not None and call.type == "call" else None
        parts = arguments.named_children if arguments is not None else []
        if len(parts) == 3 and isinstance(name := names.constant(parts[1]), str):
            yield node, name, parts[2]


def name_in(names: Names, function: Node) -> str:
    name = function.child_by_field_name("name")
    return names.identifier(name) if name is not None else ""


def decorators_of(source: Source, definition: Node) -> str:
    above = definition.parent
    if above is None or above.type != "decorated_definition":
        return ""
    return "\n".join(source.text(each) for each in above.children if each.type == "decorator")


def _code(source: Source, node: Node) -> Code | None:
    """A function, a lambda, or the function that a decorator called by hand is given (`hookimpl(...)(f)`)."""
    code = code_of(source, node)
    if isinstance(code, ast.Call):
        inner = [each for each in code.args if isinstance(each, ast.Lambda)]
        return inner[0] if inner and "hookimpl" in name_of(code) + source_of(code) else None
    return code if isinstance(code, Code) else None


def decorated_by(node: Node) -> Node | None:
    """The definition that a node is part of a decorator of."""
    decorator = enclosing(node, "decorator")
    above = decorator.parent if decorator is not None else None
    return above.child_by_field_name("definition") if above is not None else None
