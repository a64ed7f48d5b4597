"""Helpers that a file has for tests, besides its functions: methods, commands and matchers (test inventory, class G05).

What has the name of an assertion is one even if it asserts nothing: it may have asserted something.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.checks.commands import Additions
from ralph.guardrails.javascript.checks.lending import Helper
from ralph.guardrails.javascript.checks.modules import CLASSES, Modules, Value
from ralph.guardrails.javascript.checks.owners import the_owner
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped


class Held(NamedTuple):
    parts: tuple[str, ...]
    helper: Helper


def held(code: Code, paths: Paths) -> Iterator[Held]:
    modules = Modules(paths)
    for name, node in _owners(code):
        for fixed in (False, True) if node.type in CLASSES else (False,):
            owner = the_owner(Value(code, node), modules, fixed=fixed)
            for method, function in owner.methods.items():
                yield Held((name, method), Helper(Value(code, function), owner))
    additions = Additions(code, paths, modules)
    for word, kind in ((b"Commands", "commands"), (b"extend", "matchers")):
        for each in additions.all(kind) if word in code.source.data else ():
            if each.value is not None and each.value.code is code:
                yield Held((kind, each.name), Helper(each.value, judges=kind == "matchers"))


def _owners(code: Code) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Classes, and objects that have a name or are what the file exports."""
    for node in code.names.of_types(*CLASSES):
        if not code.cases.inside_test(node):
            yield code.text(node.child_by_field_name("name")), node
    for node in code.names.of_types("variable_declarator", "export_statement", "assignment_expression"):
        value = unwrapped(node.child_by_field_name("value") or node.child_by_field_name("right"))
        named = node.child_by_field_name("name") or node.child_by_field_name("left")
        if value is not None and value.type == "object" and not code.cases.inside_test(node):
            yield code.text(named), value
