"""Java: members of its types that the product no longer has, and tests of them (see `product_changes.context`).

Rules:

- A method, a field, a constant or a component of a record is gone if a changed product file declared it, not as a
  private one, and no product file names it any more. What anybody in the package may use says nothing in front of it.
  What is only called something else is not gone.
- A test is about it that calls it, or takes it from an object or a type.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.product_changes.unnamed import unnamed
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.jvm.inventory import is_test_file
from ralph.guardrails.model import Change
from ralph.guardrails.source import Source
from ralph.system.patterns import later

DECLARED = (
    "[(method_declaration name: (_) @found) (annotation_type_element_declaration name: (_) @found)"
    " (enum_constant name: (_) @found)"
    " (field_declaration declarator: (variable_declarator name: (_) @found))"
    " (constant_declaration declarator: (variable_declarator name: (_) @found))"
    " (record_declaration parameters: (formal_parameters (formal_parameter name: (_) @found)))]"
)
PRIVATE = later(r"\bprivate\b")
TAKEN = later(r"(?:\.|::)\s*([A-Za-z_]\w+)\b|(?<![\w.])([A-Za-z_]\w+)\(")
LANGUAGES = (".java", ".kt")
"""Those of tests that may use what is written in Java."""


class GoneMembers:
    """`files` are the product's changed files: their paths and both sides."""

    def __init__(self, change: Change, files: Iterable[tuple[str, bytes, bytes]]) -> None:
        self._change = change
        self._files = files

    def are_named_by(self, test: Test) -> bool:
        if not test.path.endswith(LANGUAGES):
            return False
        taken = (name for match in TAKEN.finditer(test.facts().body) for name in match.groups() if name)
        return not self._names.isdisjoint(taken)

    @cached_property
    def _names(self) -> frozenset[str]:
        listed = [(path, old, new) for path, old, new in self._files if path.endswith(LANGUAGES)]
        sources = [Source(path, "java", old) for path, old, _ in listed if old and path.endswith(".java")]
        declared = {text_of(node) for source in sources for node in source.captures(DECLARED) if not _is_private(node)}
        return unnamed(declared, [(old, new) for _, old, new in listed], self._change, _is_product)


def _is_product(path: str) -> bool:
    return path.endswith(LANGUAGES) and not is_support(path) and not is_test_file(path)


def _is_private(name: tree_sitter.Node) -> bool:
    """The declaration says so in front of the name."""
    node = name.parent
    if node is not None and node.type == "variable_declarator":
        node = node.parent
    children = node.named_children if node is not None else []
    return any(child.type == "modifiers" and PRIVATE.search(text_of(child)) for child in children)
