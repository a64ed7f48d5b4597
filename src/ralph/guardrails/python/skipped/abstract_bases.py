"""Base classes of tests that skip where they are run by themselves (policy set v2, class G02).

Rule: `if cls is CartCases: raise SkipTest` in the class `CartCases` itself, from which at least two others of the file
are derived, is for a person: those run all that it has. `type(self) is CartCases` says the same in a `setUp`.
"""

from __future__ import annotations

import ast

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.trees import parsed_expression
from ralph.guardrails.python.words import Node

CLASS = "(class_definition superclasses: (argument_list [(identifier) (attribute)] @found))"
ITSELF = frozenset({"cls", "type(self)", "self.__class__"})
LEAST = 2


def is_base_itself(names: Names, node: Node) -> bool:
    """A statement only runs where a class that others are derived from is run by itself."""
    around, asked = node.parent, ""
    while around is not None and around.type != "class_definition":
        condition = around.child_by_field_name("condition") if around.type == "if_statement" else None
        branch = around.child_by_field_name("consequence") if condition is not None else None
        if condition is not None and branch is not None and branch.start_byte <= node.start_byte < branch.end_byte:
            asked = asked or _itself(names.source.text(condition))
        around = around.parent
    name = around.child_by_field_name("name") if around is not None else None
    if name is None or not asked or asked != names.source.text(name):
        return False
    return sum(names.source.text(each) == asked for each in names.source.captures(CLASS)) >= LEAST


def _itself(condition: str) -> str:
    """The class that the own one is compared with."""
    match parsed_expression(condition):
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Name(id=name)]):
            return name if source_of(left) in ITSELF else ""
    return ""
