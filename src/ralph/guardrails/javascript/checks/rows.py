"""What the table of a test goes through (test inventory, class G05).

`each([[1, 2], [3, 4]])` has two rows; so does a loop, or a `describe.each`, around a test. Of two tables between which
a condition decides, the shorter one counts. What is known only at run time has none that anybody could tell.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped


class Rows:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing

    def of(self, table: tree_sitter.Node | None) -> tuple[str, ...] | None:
        """The rows of `each([[1, 2], [3, 4]])`; None where they are known only at run time."""
        node = self._writing.value(table)
        if node is not None and node.type == "call_expression":
            return self._some_of(node)
        if node is not None and node.type == "template_string":
            return tuple(
                line.strip() for line in self._code.source.text(node).strip("`").splitlines()[1:] if line.strip()
            )
        if node is not None and node.type == "ternary_expression":
            return self._fewest(node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
        if node is None or node.type != "array":
            return None
        rows: list[str] = []
        for item in (child for child in node.named_children if "comment" not in child.type):
            spread = self.of(item.named_children[0]) if item.type == "spread_element" else (self._row(item),)
            if spread is None:
                return None
            rows += spread
        return tuple(rows)

    def _fewest(self, *tables: tree_sitter.Node | None) -> tuple[str, ...] | None:
        """Of several that there may be: what is always gone through."""
        known = [rows for rows in map(self.of, tables) if rows is not None]
        return min(known, key=len) if len(known) == len(tables) else None

    def _some_of(self, call: tree_sitter.Node) -> tuple[str, ...] | None:
        """What is left of known rows: `[...].slice(0, 1)`. A filter is taken to leave one."""
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("property") if function is not None else None
        if function is None or name is None or self._code.text(name) not in ("slice", "filter"):
            return None
        rows, given = self.of(function.child_by_field_name("object")), arguments(call)
        if rows is None or self._code.text(name) == "filter":
            return None if rows is None else rows[:1]
        bounds = [self._writing.number(each) for each in given]
        return rows[slice(*(int(each) for each in bounds if each is not None))] if None not in bounds else rows[:1]

    def _row(self, item: tree_sitter.Node) -> str:
        node = self._writing.value(item)
        if node is None or node.type not in ("array", "object"):
            return self._writing.of(item)
        parts = [child for child in node.named_children if "comment" not in child.type]
        return ROW.join(self._writing.of(child) for child in parts)

    def around(self, call: tree_sitter.Node) -> Iterator[tree_sitter.Node | None]:
        """What `describe.each` and loops around a test go through; None where nobody can tell."""
        for above in self._code.names.above(call):
            defined = self._code.cases.defined.get(above.id)
            for modifier in defined[1].modifiers if defined is not None else ():
                if modifier.name in ("each", "for"):
                    yield modifier.argument
            if above.type == "for_in_statement":
                yield above.child_by_field_name("right")
            elif above.type in ("for_statement", "while_statement"):
                yield None
            elif above.type == "call_expression":
                function = unwrapped(above.child_by_field_name("function"))
                accessed = function if function is not None and function.type in ACCESSES else None
                if accessed is not None and self._code.constants.member(accessed) in ("forEach", "map"):
                    yield accessed.child_by_field_name("object")
