"""What matchers inside of a value leave of an exact comparison: `expect.any(Number)` (test inventory, class G05)."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.calls import arguments
from ralph.guardrails.javascript.checks.matchers import LOOSE
from ralph.guardrails.javascript.checks.truth import Said, near
from ralph.guardrails.javascript.checks.vague import is_made_here
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.record import replace

EXISTS, CLOSE = Grade.EXISTS, Grade.CLOSE


class Loose:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing

    def slack(self, digits: Sequence[tree_sitter.Node]) -> float | None:
        """What so many digits after the point leave open."""
        number = self._writing.number(digits[0]) if digits else 2.0
        return None if number is None else 0.5 * 10.0 ** min(-number, 300.0)

    def left_of(self, said: Said) -> Said:
        """`toEqual(expect.anything())`, `toEqual({id: expect.any(Number)})`."""
        node = self._writing.value(said.wanted_node)
        if node is None:
            return said
        if (grade := self._loose(node)) is not None:
            return replace(said, relation="~=", grade=min(grade, said.grade))
        if (whole := self._all_loose(node)) is not None and is_made_here(said.subject):
            return replace(said, relation="~=", grade=min(whole, said.grade))
        inside = [grade for part in self._code.source.walk(node) if (grade := self._loose(part)) is not None]
        return replace(said, grade=min(said.grade, CLOSE)) if inside else said

    def _all_loose(self, node: tree_sitter.Node) -> Grade | None:
        """Of a literal that holds nothing but such matchers, as much as the strictest wants."""
        if node.type not in ("object", "array") or not node.named_children:
            return self._loose(node)
        values = (child.child_by_field_name("value") or child for child in node.named_children)
        grades = [self._all_loose(value) for value in values if "comment" not in value.type]
        found = [grade for grade in grades if grade is not None]
        return max(found) if found and len(found) == len(grades) else None

    def _loose(self, node: tree_sitter.Node) -> Grade | None:
        if node.type != "call_expression":
            return None
        path = self._code.origins.of(node.child_by_field_name("function"))
        if not path or path[0] not in ("expect", "jasmine", "sinon", "match") or path[-1] not in LOOSE:
            return None
        given = arguments(node)
        if path[-1] == "closeTo":
            return near(None, None, self.slack(given[1:2]), self._writing.number(given[0]) if given else None).grade
        inner = next(iter(given), None)
        empty = inner is not None and inner.type in ("object", "array") and not inner.named_children
        return EXISTS if "not" in path or empty else LOOSE[path[-1]]
