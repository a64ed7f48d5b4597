"""Kotlin: what the assertions of JUnit, kotlin.test, AssertJ and Kotest demand."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared, holds
from ralph.guardrails.inventory.wanted.verified import called
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.jvm.asserts import chained, demanded, near
from ralph.system.patterns import later

RAISES = later(
    r"assertFails(?:With)?|assertThrows|assertFailsWithMessage|assertThatThrownBy|assertThatExceptionOfType"
    r"|should(?:Not)?Throw\w*"
)
TYPED = later(rf"({RAISES.pattern})\s*<\s*([\w.]+)\s*>")
OF_TYPE = later(r"(?:assertIs|assertInstanceOf|assertIs(Not))\s*<\s*([\w.]+)\s*>\s*\(")
FAILS_AT_LAST = later(r"\bfail\([^(){}]*\)\s*\}$")
CAUGHT = later(r"catch\s*\(\s*\w+\s*:\s*([\w.]+)")
ANY = frozenset({"Throwable", "Exception", "RuntimeException", "Error", ""})
GRADES = {
    Grade.EXISTS: "shouldNotBe shouldNotBeNull shouldNotBeEmpty shouldNotBeBlank shouldExist shouldNotEqual",
    Grade.SHAPE: "shouldBeInstanceOf shouldBeTypeOf shouldHaveSize shouldContain shouldStartWith shouldEndWith"
    " shouldBeGreaterThan shouldBeLessThan shouldBePositive shouldBeNegative shouldBeInRange shouldBeIn"
    " shouldHaveLength"
    " shouldBeGreaterThanOrEqual shouldBeLessThanOrEqual shouldBeAtLeast shouldBeAtMost",
    Grade.EXACT: "shouldEqual shouldBeEqual shouldBeEqualTo shouldContainExactly shouldBeSameInstanceAs"
    " shouldBeExactly",
}
KNOWN = {name: grade for grade, names in GRADES.items() for name in names.split()}


MOCKK = frozenset({"verify", "coVerify"})


def named_call(node: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str, list[tree_sitter.Node]]:
    """What a call calls it on, its name and its arguments, a block behind it being the last."""
    if node.type != "call_expression" or not node.named_children:
        return None, "", []
    function, arguments = node.named_children[0], []
    for part in node.named_children[1:]:
        if part.type == "value_arguments":
            arguments += [each.named_children[-1] for each in part.named_children if each.named_children]
        elif part.type == "annotated_lambda":
            arguments += part.named_children[-1:]
    if function.type == "call_expression":
        receiver, name, given = named_call(function)
        return receiver, name, [*given, *arguments]
    if function.type == "navigation_expression" and function.named_children:
        return function.named_children[0], text_of(function.named_children[-1]), arguments
    return None, text_of(function) if function.type == "identifier" else "", arguments


def kotlin_test(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    receiver, name, arguments = named_call(node)
    if not name or RAISES.fullmatch(name):
        return
    if receiver is not None and text_of(receiver).rpartition(".")[2] not in ("Assertions", "Assert"):
        yield from chained(node, writing, named_call)
        return
    yield from demanded(name, arguments, writing)


def mocked(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """MockK's `verify(exactly = 1) { mailer.send("total") }`."""
    receiver, name, arguments = named_call(node)
    block = arguments[-1] if arguments and "lambda" in arguments[-1].type else None
    if receiver is not None or name not in MOCKK or block is None:
        return
    times = text_of(node).partition("{")[0]
    for statement in block.named_children:
        for call in statement.named_children if statement.type == "statements" else (statement,):
            mock, method, given = named_call(call)
            if mock is not None:
                yield from called(f"{writing.of(mock)}.{method}", given, times, writing)


def kotest(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`sum(1) shouldBe 3`, `sum(1).shouldBeTrue()`."""
    if node.type == "infix_expression" and len(node.children) == 3:
        left, matcher, right = node.children
        yield from _matched(left, text_of(matcher), [right], writing)
    else:
        receiver, name, arguments = named_call(node)
        if receiver is not None and not RAISES.fullmatch(name):
            yield from _matched(receiver, name, arguments, writing)


def _matched(subject: tree_sitter.Node, name: str, wanted: list[tree_sitter.Node], writing: Writing) -> Iterator[Said]:
    if not re.match(r"should(?:[A-Z`]|$)", name):
        return
    if name == "shouldBe" and wanted and (margin := _margin(wanted[0], writing)) is not None:
        yield near(subject, margin[0], margin[1], writing)
    elif name == "shouldBe" and wanted:
        yield compared(subject, "==", wanted[0], writing)
    elif name == "shouldNotBe" and wanted:
        yield compared(subject, "!=", wanted[0], writing)
    elif name in ("shouldBeTrue", "shouldBeFalse"):
        yield from holds(subject, writing, positive=name == "shouldBeTrue")
    else:
        grade = Grade.NOTHING if writing.is_constant(subject) else KNOWN.get(name, Grade.CLOSE)
        yield Said(writing.of(subject), name, " ".join(map(writing.of, wanted)), grade)


def _margin(node: tree_sitter.Node, writing: Writing) -> tuple[tree_sitter.Node, float] | None:
    """Of `3.0 plusOrMinus 0.1` what is wanted, and how far off it may be."""
    while node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    if node.type == "infix_expression" and len(node.children) == 3:
        wanted, name, given = node.children[0], text_of(node.children[1]), [node.children[2]]
    else:
        receiver, name, given = named_call(node)
        wanted = receiver if receiver is not None else node
    margin = writing.number(given[0]) if name == "plusOrMinus" and given else None
    return (wanted, margin) if margin is not None else None


def raising(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`assertFailsWith<E> { f() }`, which the grammar reads as comparisons, and the form with `E::class`."""
    if node.type == "binary_expression" and (match := TYPED.match(text_of(node))):
        name, kind, block = match[1], match[2], node.named_children[-1]
        if node.parent is not None and node.parent.type == "binary_expression" and node.parent.children[0] == node:
            return
    else:
        receiver, name, arguments = named_call(node)
        if receiver is not None or not RAISES.fullmatch(name) or not arguments:
            return
        typed = TYPED.match(text_of(node))
        first = text_of(arguments[0]).removesuffix(".java").removesuffix("::class") if len(arguments) > 1 else ""
        kind, block = typed[2] if typed else first, arguments[-1]
    wanted = "" if "Not" in name else kind.rpartition(".")[2]
    grade = Grade.EXISTS if wanted in ANY else Grade.CLOSE
    yield Said(writing.of(block), "raises" if "Not" not in name else name, wanted, grade)


def of_type(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`assertIs<E>(x)`, which the grammar reads as comparisons."""
    typed = OF_TYPE.match(text_of(node)) if node.type == "binary_expression" else None
    if typed is None or (node.parent is not None and node.parent.type == "binary_expression"):
        return
    asked = node.named_children[-1]
    if asked.type == "parenthesized_expression" and asked.named_children:
        relation, grade = ("not type", Grade.EXISTS) if typed[1] else ("isInstanceOf", Grade.SHAPE)
        yield Said(writing.of(asked.named_children[0]), relation, typed[2], grade)


def awaited(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`try { f(); fail() } catch (e: E) { … }` wants a failure of that kind."""
    if node.type != "try_expression":
        return
    body = next((each for each in node.named_children if each.type == "block"), None)
    if body is None or not body.named_children or FAILS_AT_LAST.search(text_of(body)) is None:
        return
    for clause in (each for each in node.named_children if each.type == "catch_block"):
        caught = CAUGHT.match(text_of(clause))
        if caught is not None:
            kind = caught[1].rpartition(".")[2]
            grade = Grade.EXISTS if kind in ANY or kind == "AssertionError" else Grade.CLOSE
            yield Said(writing.of(body.named_children[0]), "raises", kind, grade)
