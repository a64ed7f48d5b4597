"""What matchers inside of a value leave of an exact comparison: `expect.any(Number)` (test inventory, class G05).

Rules:

- A value of which something is still wanted as it is, is CLOSE.
- One whose parts are all left open (`{r: expect.anything(), g: expect.any(Number)}`) wants no more than the strictest
  of them. Parts that are new each time (an id, a date, a token) may be; where there are only such, it is CLOSE.
- `objectContaining` and its kind want as much as what they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.wanted.values import VOLATILE
from ralph.guardrails.javascript.checks.matchers import LOOSE, MATCHERS, SINON
from ralph.guardrails.javascript.checks.truth import Said, near
from ralph.guardrails.javascript.checks.vague import matches_all
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import replace

EXISTS, SHAPE, CLOSE = Grade.EXISTS, Grade.SHAPE, Grade.CLOSE
MAX_DEPTH = 12
_HOLDING = frozenset({"objectContaining", "arrayContaining", "arrayOf"})


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
        if (whole := self._all_loose(node)) is not None:
            return replace(said, relation="~=", grade=min(whole, said.grade))
        if said.relation != "==":
            return said
        inside = [part for part in self._code.source.walk(node) if self._loose(part) is not None]
        if any(map(self._gives_up, inside)):
            return replace(said, grade=min(said.grade, SHAPE))
        return replace(said, grade=min(said.grade, CLOSE)) if inside else said

    def _gives_up(self, matcher: tree_sitter.Node) -> bool:
        """`level: expect.any(Number)`: nothing but a kind is left of a value that is the same each time."""
        pair = self._code.names.parent(matcher)
        key = pair.child_by_field_name("key") if pair is not None and pair.type == "pair" else None
        named = key is not None and not self._is_volatile(key)
        return named and (self._loose(matcher) or EXISTS) <= SHAPE

    def _is_volatile(self, key: tree_sitter.Node) -> bool:
        return VOLATILE.fullmatch(self._code.text(key).strip("\"'")) is not None

    def left_of_call(self, said: Said, given: Sequence[tree_sitter.Node]) -> Said:
        """`toHaveBeenCalledWith(1, expect.anything())`."""
        whole = [grade for each in given if (grade := self._all_loose(each)) is not None]
        if given and len(whole) == len(given):
            return replace(said, grade=min(said.grade, max(whole)))
        parts = (part for each in given for part in self._code.source.walk(each))
        inside = bool(whole) or any(self._loose(part) is not None for part in parts)
        return replace(said, grade=min(said.grade, CLOSE)) if inside else said

    def _all_loose(self, node: tree_sitter.Node, depth: int = 0) -> Grade | None:
        """Of a literal that holds nothing but such matchers, as much as the strictest wants."""
        node = self._standing_for(node)
        if node.type not in ("object", "array") or not node.named_children or depth > MAX_DEPTH:
            return self._loose(node)
        grades: list[Grade] = []
        volatile = 0
        for child in (child for child in node.named_children if "comment" not in child.type):
            grade = self._all_loose(child.child_by_field_name("value") or child, depth + 1)
            if grade is None:
                return None
            if self._is_volatile(child.child_by_field_name("key") or child):
                volatile += 1
            else:
                grades.append(grade)
        return max(grades) if grades else CLOSE if volatile else None

    def _standing_for(self, node: tree_sitter.Node) -> tree_sitter.Node:
        binding = self._code.names.binding(node) if node.type == "shorthand_property_identifier" else None
        if binding is not None and binding.kind == "value" and not binding.path and not binding.assigned:
            return unwrapped(binding.value) or node
        return self._writing.value(node) or node

    def _loose(self, node: tree_sitter.Node) -> Grade | None:
        if node.type == "member_expression":
            path = self._code.origins.of(node)
            return SINON.get(path[-1]) if path and len(path) > 1 and path[-2] == "match" else None
        if node.type != "call_expression":
            return None
        path = self._code.origins.of(node.child_by_field_name("function"))
        grade = LOOSE.get(path[-1]) or _checked(path[-1]) if path else None
        if not path or grade is None or path[0] not in ("expect", "jasmine", "sinon", "match"):
            return None
        given = arguments(node)
        if path[-1] == "closeTo":
            return near(None, None, self.slack(given[1:2]), self._writing.number(given[0]) if given else None).grade
        if "not" in path:
            return EXISTS
        inner = self._writing.value(next(iter(given), None))
        if inner is None or inner.type not in ("object", "array", "regex"):
            return grade
        if matches_all(inner) if inner.type == "regex" else not inner.named_children:
            return EXISTS
        held = self._all_loose(inner) if path[-1] in _HOLDING else None
        return grade if held is None else min(held, grade)


def _checked(name: str) -> Grade | None:
    """Matchers that other matchers may hold: `expect.toBeNumber()`."""
    known = MATCHERS.get(name)
    return known.grade if known is not None and known.relation in ("type", "exists") else None
