"""Methods that are there to be overridden (policy set v2, class G19).

Rules:

- A decorator or what the class is derived from says that a method, or its class, is abstract.
- A method that now raises NotImplementedError is one, too, if each class of the file that is derived from its class
  defines it, and in one of them the method is new or another one and calls all that this one called: the work went
  there.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.kinds import classes
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.trees import walk
from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source
from ralph.system.patterns import later

ABSTRACT = later(r"abstractmethod|abstractproperty|overload|abstractclassmethod|abstractstaticmethod")
ABSTRACT_CLASS = later(
    r"\b(?:ABC|ABCMeta|Protocol|Interface|TypedDict|NamedTuple|Enum)\b|(?:Base|Abstract|Interface|Mixin|Protocol)\w*\s*[(:]"
)


def is_abstract(function: Function, tree: Tree) -> bool:
    """It says so, or its class does."""
    if any(ABSTRACT.search(source_of(each)) for each in tree.decorator_list):
        return True
    above = _class_of(function)
    return above is not None and ABSTRACT_CLASS.search(function.source.text(above).partition("\n")[0]) is not None


class Below:
    """The classes that are derived from others of their file; `after` are the functions that are new or of another
    text."""

    def __init__(self, after: Sequence[Function]) -> None:
        self._after = after
        self._derived: dict[str, dict[str, list[Node]]] = {}

    def has_work_of(self, function: Function, earlier: Tree) -> bool:
        """What a method did is done by methods of its name in all classes that are derived from its class."""
        above, did = _class_of(function), _calls(earlier)
        if above is None or not did:
            return False
        source, name = function.source, function.parts[-1]
        derived = self._from(source).get(_name(source, above), [])
        if not derived or not all(_defines(source, each, name) for each in derived):
            return False
        named = {_name(source, each) for each in derived}
        theirs = (each for each in self._called.get((source.path, name), ()) if each.parts[-2] in named)
        return any(tree is not None and did <= _calls(tree) for tree in (each.tree() for each in theirs))

    def _from(self, source: Source) -> dict[str, list[Node]]:
        if source.path not in self._derived:
            found: dict[str, list[Node]] = defaultdict(list)
            for each in classes(source):
                bases = each.child_by_field_name("superclasses")
                for base in bases.named_children if bases is not None else ():
                    found[source.text(base)].append(each)
            self._derived[source.path] = found
        return self._derived[source.path]

    @cached_property
    def _called(self) -> dict[tuple[str, str], list[Function]]:
        found: dict[tuple[str, str], list[Function]] = defaultdict(list)
        for each in self._after:
            if len(each.parts) > 1:
                found[each.source.path, each.parts[-1]].append(each)
        return found


def _class_of(function: Function) -> Node | None:
    above = function.node.parent
    while above is not None and above.type != "class_definition":
        above = above.parent
    return above


def _defines(source: Source, found: Node, name: str) -> bool:
    body = found.child_by_field_name("body")
    inner = (each.child_by_field_name("definition") or each for each in (body.named_children if body else ()))
    return any(each.type == "function_definition" and _name(source, each) == name for each in inner)


def _name(source: Source, found: Node) -> str:
    name = found.child_by_field_name("name")
    return identifier(source, name) if name is not None else ""


def _calls(tree: Tree) -> set[str]:
    """The last names of all that is called."""
    called = (each.func for each in walk(tree) if isinstance(each, ast.Call))
    return {source_of(each).rpartition(".")[2] for each in called}
