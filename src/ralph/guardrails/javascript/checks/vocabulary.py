"""The names and constants of a JavaScript test, as the inventory compares them (test inventory, class G05)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.failures.before import standing_before
from ralph.guardrails.javascript.checks.inline import inline_literal
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE
from ralph.system.patterns import later

_WORD = later(r"[\w$-]+")
_OWN_NAMES = later(
    r"expect|to[A-Z]\w*|not|resolves|rejects|mock\w*|jest|vi|fn|spyOn|it|test|describe|assert\w*|equal|strictEqual|deepEqual"
    r"|deepStrictEqual|length|push|map|forEach|toString|Promise|Array|Object|JSON|console|Error|undefined|async|await|any"
    r"|string|number|boolean|unknown|cy|screen|getByText|getByRole|render|page|t|resolve|then|catch|should|be|have|to|eq"
)
"""What the language and its test frameworks call their own."""
_IDENTIFIERS = ("identifier", "property_identifier", "shorthand_property_identifier", "type_identifier")
_TELLING = frozenset(_IDENTIFIERS) | {"number", "string", "template_string"}


class Vocabulary:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing

    @cached_property
    def _all_telling(self) -> Sequence[tree_sitter.Node]:
        return self._code.names.of_types(*_TELLING)

    def telling(self, body: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
        """The names and literals in a body; those of the whole file are looked up once."""
        first, last = (bisect_left(self._all_telling, at, key=_start) for at in (body.start_byte, body.end_byte))
        return self._all_telling[first:last]

    def literals(self, place: tree_sitter.Node) -> frozenset[str]:
        return frozenset(self.literal(node) for node in self.telling(place) if node.type not in _IDENTIFIERS)

    def literal(self, node: tree_sitter.Node) -> str:
        """As an assertion that wants it has it."""
        return inline_literal(self._code, node) or self._writing.of(node)

    def before(self, line: int, root: tree_sitter.Node, body: tree_sitter.Node) -> frozenset[str]:
        """The names and constants up to a line."""
        nodes = standing_before(self.telling(body), body, self._code.source, line)
        return frozenset().union(*self.of(root, nodes))

    def of(self, root: tree_sitter.Node, nodes: Iterable[tree_sitter.Node]) -> tuple[frozenset[str], frozenset[str]]:
        """The names that a function uses, and its constants."""
        words: set[str] = set()
        literals: set[str] = set()
        for node in nodes:
            if node.type in _IDENTIFIERS:
                name = self._code.names.name(node)
                own = _OWN_NAMES.fullmatch(name) and not self._is_of_the_project(node)
                if not own and not self._is_local(node, root):
                    words.add(name)
            else:
                literal = self.literal(node)
                literals.add(literal)
                if _WORD.fullmatch(literal.strip("'\"")) and node.type == "string":
                    words.add(literal.strip("'\""))
        return frozenset(words), frozenset(literals)

    def _is_local(self, node: tree_sitter.Node, root: tree_sitter.Node) -> bool:
        """A variable of the test itself; what a script requires of the project is none."""
        binding = self._code.names.binding(node) if node.type == "identifier" else None
        if binding is None or binding.kind == "import" or (root.type == "program" and self._is_of_the_project(node)):
            return False
        place = binding.value or binding.function
        return place is not None and root.start_byte <= place.start_byte < root.end_byte

    def _is_of_the_project(self, node: tree_sitter.Node) -> bool:
        """An imported function that is called as a matcher could be: `toInteger`."""
        path = self._code.origins.of(node) if node.type == "identifier" else None
        return path is not None and LOCAL_MODULE.match(path[0]) is not None


def _start(node: tree_sitter.Node) -> int:
    return node.start_byte
