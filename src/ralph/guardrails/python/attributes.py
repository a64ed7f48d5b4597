"""What the attributes of a test's class stand for (policy set v2, class G04).

Rule: a test that reads `self.storage_class`, where its class says `storage_class = OrderedDict`, is about `OrderedDict`
as if it named it. Only what the class itself gives a plain name to counts: one that stands for many things says little.
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
    around = enclosing(definition.parent, "class_definition", "function_definition")
    if around is None or around.type != "class_definition":
        return frozenset()
    read = set(READ.findall(source.text(definition)))
    return frozenset(name for attribute, name in _given(source, around) if attribute in read)


def _given(source: Source, around: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    body = around.child_by_field_name("body")
    for statement in body.named_children if body is not None else ():
        assignment = statement.named_children[0] if statement.named_children else statement
        left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        if assignment.type != "assignment" or left is None or right is None or left.type != "identifier":
            continue
        if (plain := PLAIN.fullmatch(source.text(right))) is not None:
            yield source.text(left), plain[1]
