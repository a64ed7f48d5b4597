"""Kotlin: functions of tests that JUnit 5 passes over because they give something back (see `kotlin_inventory`).

Rule, where a file names JUnit 5 or kotlin.test and no runner of its own: a function with `@Test` and its like has to
give `Unit`. That is also said by what an expression body gives: `= runBlocking { ... }` gives what its last line does,
as `assertFailsWith`, AssertJ's chains, a variable or a literal do; `= runBlocking<Unit> { ... }` gives nothing. What a
call gives whose name says nothing is not known, and taken to be nothing.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.jvm.kotlin_asserts import named_call
from ralph.guardrails.jvm.nested import COLLECTS, OTHER_RUNNER
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

GIVES = "a method that gives something back is no test"
MARK = later(r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest)\b")
NOTHING = frozenset({"Unit", "kotlin.Unit", "TestResult"})
TYPES = frozenset({"user_type", "nullable_type", "function_type"})
BLOCKING = later(r"(?:kotlinx\.coroutines\.)?runBlocking\s*(?:\([^(){}]*(?:\([^()]*\))?[^(){}]*\))?\s*\{.*", re.DOTALL)
LITERALS = frozenset({"number_literal", "string_literal", "float_literal"})
CALLS = later(
    r"(?:assertFails(?:With)?|assertThrows|assertThrowsExactly|shouldThrow(?:Any|Exactly|WithMessage|Unit)?)\b"
)
ASSERTJ = later(rb"\bimport\s+org\.assertj\.core\.api\.(?:\w+\.)?(?:\*|assertThat|then|\w*Assertions)\b")
STARTS_CHAIN = later(r"(?:\w*Assertions\.)?(?:assertThat\w*|then)\s*[({]")
GIVE_NOTHING = frozenset({"isEmpty", "isNull", "isNullOrEmpty", "isNullOrBlank"})
"""The last word of a chain of AssertJ's; any other one gives the assertion back."""
KOTLIN_TEST = later(rb"\bimport\s+kotlin\.test\.(?:\*|assertNotNull|assertIs)")
OF_KOTLIN_TEST = later(r"(?:assertNotNull|assertIs)\b")


def why_passed_over(data: bytes, node: tree_sitter.Node, modifiers: str) -> str:
    """`data`: the file; `node`: a function that is marked as a test."""
    if not MARK.search(modifiers) or not _passes_over(data):
        return ""
    declared = next((each for each in node.named_children if each.type in TYPES), None)
    if declared is not None:
        return "" if text_of(declared) in NOTHING else GIVES
    body = next((each for each in node.named_children if each.type == "function_body"), None)
    said = [] if body is None else _said(body)
    return GIVES if body is not None and text_of(body)[:1] == "=" and said and _is_value(said[-1], data) else ""


@remembered(64)
def _passes_over(data: bytes) -> bool:
    return COLLECTS.search(data) is not None and OTHER_RUNNER.search(data) is None


def _said(body: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The expression that a body is, or what the block says that it runs."""
    said = [each for each in body.named_children if "comment" not in each.type]
    if said and BLOCKING.fullmatch(text_of(said[-1])):
        block = said[-1]
        while block.type != "lambda_literal" and block.named_children:
            block = block.named_children[-1]
        return [each for each in block.named_children if "comment" not in each.type]
    return said


def _is_value(said: tree_sitter.Node, data: bytes) -> bool:
    text = text_of(said)
    if said.type == "identifier" or said.type in LITERALS:
        return True
    called = "call" in said.type or said.type == "binary_expression"  # `f<E> { }` is taken for a comparison
    by_name = CALLS.match(text) or (OF_KOTLIN_TEST.match(text) and KOTLIN_TEST.search(data))
    return called and (bool(by_name) or _is_assertion(said, data))


def _is_assertion(said: tree_sitter.Node, data: bytes) -> bool:
    """AssertJ's `assertThat(x).isEqualTo(1)` gives the assertion back."""
    return (
        STARTS_CHAIN.match(text_of(said)) is not None
        and ASSERTJ.search(data) is not None
        and named_call(said)[1] not in GIVE_NOTHING
    )
