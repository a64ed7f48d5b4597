"""Ginkgo's tests: `It("adds", func() { … })`, tables and hooks (test inventory, class G05).

Rules: an `Entry` of `DescribeTable("adds", func(n, want int) { … }, Entry("one", 1, 2))` is a row of its test. What
runs behind each test is held against itself: `AfterEach(func() { Expect(errors).To(BeEmpty()) })`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import named_call
from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

TABLE = "DescribeTable"
TESTS = frozenset({"It", "Specify", TABLE})
HOOKS = frozenset({"AfterEach", "JustAfterEach", "AfterAll"})
ENTRY = frozenset({"Entry", "FEntry"})
DECORATES = later(r"(?:Label|Serial|Ordered|Offset|FlakeAttempts|MustPassRepeatedly|NodeTimeout|SpecTimeout)\b.*")
"""What says how a row is run, and is no part of it."""


def found(calls: Iterable[tree_sitter.Node], why: str, demands: Callable[[tree_sitter.Node], bool]) -> Iterator[Found]:
    hooks = 0
    for call in calls:
        _, name, arguments = named_call(call)
        literal = next((each for each in arguments if each.type == "func_literal"), None)
        body = literal.child_by_field_name("body") if literal is not None else None
        if name in TESTS and arguments and "string" in arguments[0].type and literal is not None:
            yield Found((text_of(arguments[0]).strip('"`'),), call, body, why=why)
        elif name in HOOKS and body is not None and demands(body):
            hooks += 1
            yield Found((f"{name} {hooks}",), call, body, "helper")


def entries(table: tree_sitter.Node) -> tuple[str, ...] | None:
    """What each entry gives the test, without its name; None where entries are made elsewhere, none for no table."""
    if named_call(table)[1] != TABLE:
        return ()
    rows = list[str]()
    for given in named_call(table)[2][1:]:
        _, name, values = named_call(given)
        if given.type == "func_literal" or DECORATES.match(text_of(given)):
            continue
        if name not in ENTRY:
            if given.type == "call_expression" and name in ("PEntry", "XEntry"):
                continue
            return None
        texts = [" ".join(text_of(each).split()) for each in values[1:]]
        rows.append(ROW.join(each for each in texts if not DECORATES.match(each)))
    return tuple(rows)
