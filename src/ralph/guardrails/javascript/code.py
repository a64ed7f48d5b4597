"""All that rules ask about one JavaScript source, made once (spec: governance engine 1.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.javascript.collected.cases import Cases
from ralph.guardrails.javascript.syntax.origins import Origins
from ralph.guardrails.javascript.words import A_TEST_FRAMEWORK
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source, remembered


class Code:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.cases = Cases(source)
        self.names = self.cases.names
        self.constants = self.cases.constants
        self.origins = Origins(self.names, self.constants)

    @cached_property
    def calls(self) -> list[tree_sitter.Node]:
        return self.cases.calls

    def calls_between(self, start: int, end: int) -> Sequence[tree_sitter.Node]:
        """The calls that begin on these bytes, in source order."""
        return self.calls[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    @cached_property
    def _starts(self) -> list[int]:
        return [call.start_byte for call in self.calls]

    def text(self, node: tree_sitter.Node | None) -> str:
        return "" if node is None else " ".join(self.source.text(node).split())


@remembered(512)
def code_of(path: str, language: str, data: bytes, first_line: int) -> Code:
    """By content, because several rules look at the same side of a file."""
    return Code(Source(path, language, data, first_line))


def may_use_tests(source: Source) -> bool:
    """False for a file without the words of any test framework: nothing in it is a test or asks for one."""
    return prefilter(A_TEST_FRAMEWORK).matches(source.data)


def looks_like_test(source: Source) -> bool:
    """True for a file that defines a test."""
    return may_use_tests(source) and any(case.kind == "test" for case in code(source).cases.all)


def code(source: Source) -> Code:
    return code_of(source.path, source.language, source.data, source.first_line)
