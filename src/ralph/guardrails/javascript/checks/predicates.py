"""What an assertion demands that hands on a predicate: `expect(x).toSatisfy((n) => n >= 0)` (inventory, class G05).

A predicate that is one expression demands what the expression does of its parameter: a comparison, a range, a type, a
constant. Of something made of the parameter (`n % 2 === 0`) it demands no value of the parameter itself. A function
that is defined elsewhere gets the benefit of the doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.wanted.coarser import COARSER
from ralph.guardrails.javascript.checks.truth import Said, Truths
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import returned
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.record import replace
from ralph.system.patterns import later

_TYPES = later(r"(?:Number\.)?is(?:Integer|SafeInteger|Finite|NaN)|Array\.isArray")


class Predicates:
    def __init__(self, code: Code, writing: Writing, settled: Callable[[Said], Said]) -> None:
        self._code, self._writing, self._settled = code, writing, settled
        self._truths = Truths(code, writing)

    def of(self, subject: tree_sitter.Node | None, predicate: tree_sitter.Node) -> list[Said]:
        """Nothing where the predicate cannot be read."""
        function = self._function(predicate)
        body = None if function is None else returned(function)
        if function is None or body is None:
            return list(self._named(subject, predicate))
        if subject is None:
            return []
        with self._writing.called(function, [subject]):
            whole = self._writing.of(subject)
            return [self._about(subject, whole, body, self._settled(said)) for said in self._truths.of(body)]

    def _function(self, predicate: tree_sitter.Node) -> tree_sitter.Node | None:
        plain = unwrapped(predicate)
        binding = self._code.names.binding(plain) if plain is not None and plain.type == "identifier" else None
        if binding is not None and not binding.path and not binding.assigned:
            plain = unwrapped(binding.value)
        return plain if plain is not None and plain.type in FUNCTIONS else None

    def _named(self, subject: tree_sitter.Node | None, predicate: tree_sitter.Node) -> Iterator[Said]:
        name = ".".join(self._code.origins.of(predicate) or ())
        if name == "Boolean":
            yield Said(subject, "exists", Grade.EXISTS)
        elif _TYPES.fullmatch(name):
            yield Said(subject, "type", Grade.SHAPE, wanted=name)

    def _about(self, subject: tree_sitter.Node, whole: str, body: tree_sitter.Node, said: Said) -> Said:
        asked = self._writing.of(said.subject)
        if asked == whole:
            return replace(said, subject=subject)
        unknown = said.relation == "exists" and said.subject is not None and said.subject.type == "call_expression"
        grade = Grade.CLOSE if unknown else min(said.grade, Grade.CLOSE)
        if COARSER.search(asked.replace(whole, "_")):
            grade = min(grade, Grade.SHAPE)
        return Said(subject, "satisfies", grade, wanted=self._writing.of(body), why=said.why)
