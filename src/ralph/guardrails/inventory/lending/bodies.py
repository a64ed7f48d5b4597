"""What is asked of the body of a test, or of a block in it, for each of its assertions: found once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import ClassVar

import tree_sitter

from ralph.guardrails.inventory.lending.helped import Helped
from ralph.guardrails.inventory.writing import Writing
from ralph.guardrails.source import Source


class Bodies(Helped):
    """Those of one side of one file. The class attributes are node types of the grammar."""

    NAMES: ClassVar[frozenset[str]]
    LITERALS: ClassVar[frozenset[str]]
    BRANCHES: ClassVar[frozenset[str]]
    SPEAKING: ClassVar[frozenset[str]]
    """What may be an assertion or the call of a function."""
    ASSIGNING: ClassVar[frozenset[str]] = frozenset()
    """What may give a variable a value, where that is told by a node's type."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._nodes: dict[int, list[tree_sitter.Node]] = {}
        self._types: dict[int, list[str]] = {}
        self._writings: dict[int, Writing] = {}
        self._ends: dict[int, int | None] = {}
        self._branching: dict[int, list[tuple[tree_sitter.Node, tree_sitter.Node]]] = {}

    @abstractmethod
    def assigned(self, node: tree_sitter.Node) -> Iterable[tuple[str, tree_sitter.Node]]:
        """Variables that a node gives a value."""

    @abstractmethod
    def ends(self, statement: tree_sitter.Node) -> bool:
        """After this statement nothing of its block is reached."""

    def may_leave(self, statement: tree_sitter.Node) -> bool:
        """The statement leaves the test where something is not there (`let Some(x) = f() else { return }`)."""
        return False

    def nodes(self, body: tree_sitter.Node) -> list[tree_sitter.Node]:
        """Every node of a test, walked once: each of its facts asks for them."""
        if body.id not in self._nodes:
            self._nodes[body.id] = list(self.source.walk(body))
        return self._nodes[body.id]

    def of_types(self, body: tree_sitter.Node, types: AbstractSet[str]) -> list[tree_sitter.Node]:
        """Those of a test that are of these types: to ask each node for its own takes most of a walk's time."""
        nodes = self.nodes(body)
        if body.id not in self._types:
            self._types[body.id] = [node.type for node in nodes]
        return [node for node, kind in zip(nodes, self._types[body.id], strict=True) if kind in types]

    def speaking(self, body: tree_sitter.Node) -> list[tree_sitter.Node]:
        """Those that may say something: most nodes of a tree are names and signs."""
        return self.of_types(body, self.SPEAKING)

    def writing(self, body: tree_sitter.Node) -> Writing:
        if body.id not in self._writings:
            self._writings[body.id] = self.written(body)
        return self._writings[body.id]

    def written(self, body: tree_sitter.Node) -> Writing:
        """How its expressions are written: with what its variables hold that are given one value."""
        given: dict[str, list[tree_sitter.Node]] = {}
        for node in self.assigning(body):
            for name, value in self.assigned(node):
                given.setdefault(name, []).append(value)
        return Writing(
            self.NAMES, self.LITERALS, {name: values[0] for name, values in given.items() if len(values) == 1}
        )

    def assigning(self, body: tree_sitter.Node) -> list[tree_sitter.Node]:
        return self.of_types(body, self.ASSIGNING) if self.ASSIGNING else self.nodes(body)

    def end_of(self, block: tree_sitter.Node) -> int | None:
        """Where the first statement of a block begins that ends it."""
        if block.id not in self._ends:
            ending = (each.start_byte for each in block.named_children if self.ends(each))
            self._ends[block.id] = next(ending, None)
        return self._ends[block.id]

    def branching(self, block: tree_sitter.Node) -> list[tuple[tree_sitter.Node, tree_sitter.Node]]:
        """The statements of a block after which not all may be reached, each with the branch that it is."""
        if block.id not in self._branching:
            each_with_branch = ((each, _branch_of(each)) for each in block.named_children)
            self._branching[block.id] = [
                (each, branch)
                for each, branch in each_with_branch
                if branch.type in self.BRANCHES or self.may_leave(each)
            ]
        return self._branching[block.id]


def _branch_of(statement: tree_sitter.Node) -> tree_sitter.Node:
    inner = statement.named_children if statement.type == "expression_statement" else []
    return inner[0] if inner else statement
