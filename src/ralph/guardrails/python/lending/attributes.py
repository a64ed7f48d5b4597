"""What the attributes of a test's class are (policy set v2, classes G04 and G06).

Rules:

- A test that reads `self.storage_class`, where its class says `storage_class = OrderedDict`, is about `OrderedDict` as
  if it named it. Only what the class itself gives a plain name to counts: one that stands for many things says little.
- What a test takes from `self`, and its class defines as a method or a class, is the test's own: it is nothing of the
  product that a function of that name could take the place of.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.python.words import enclosing
from ralph.guardrails.source import Source
from ralph.system.patterns import later

READ = later(r"\b(?:self|cls)\.(\w+)")
PLAIN = later(r"(?:\w+\.)*(\w+)")


def stood_for(source: Source, definition: tree_sitter.Node) -> frozenset[str]:
    """The names that the attributes which a test reads stand for."""
    around = _class(definition)
    read = set(READ.findall(source.text(definition))) if around is not None else set()
    return frozenset(name for attribute, name in _given(source, around) if attribute in read) if read else frozenset()


def own_of(source: Source, definition: tree_sitter.Node) -> frozenset[str]:
    """What a test takes from itself, and its class defines."""
    around = _class(definition)
    read = set(READ.findall(source.text(definition))) if around is not None else set()
    return frozenset(read & set(_defined(source, around))) if read else frozenset()


def _class(definition: tree_sitter.Node) -> tree_sitter.Node | None:
    around = enclosing(definition.parent, "class_definition", "function_definition")
    return around if around is not None and around.type == "class_definition" else None


def _defined(source: Source, around: tree_sitter.Node | None) -> Iterator[str]:
    body = around.child_by_field_name("body") if around is not None else None
    for statement in body.named_children if body is not None else ():
        definition = statement.child_by_field_name("definition") or statement
        name = definition.child_by_field_name("name")
        if name is not None and definition.type in ("function_definition", "class_definition"):
            yield source.text(name)


def _given(source: Source, around: tree_sitter.Node | None) -> Iterator[tuple[str, str]]:
    body = around.child_by_field_name("body") if around is not None else None
    for statement in body.named_children if body is not None else ():
        assignment = statement.named_children[0] if statement.named_children else statement
        left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        if assignment.type != "assignment" or left is None or right is None or left.type != "identifier":
            continue
        if (plain := PLAIN.fullmatch(source.text(right))) is not None:
            yield source.text(left), plain[1]
