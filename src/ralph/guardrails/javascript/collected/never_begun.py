"""Functions of tests and suites that their runner starts, and does not go through (test inventory, class G04).

    it("delivers in order", function* () { ... });
    describe("ledger", async () => { const rows = await read(); it("balances", ...); });

Rules, where the file or package.json says which runner there is:

- A generator gives an iterator, and runs no line before somebody asks that for its values: no runner does, but Jest,
  and Mocha with a package for it.
- Mocha and Cypress do not wait for a suite: what it defines behind an `await` comes when the tests have been collected.
  Others wait (Vitest, node:test), or refuse such a suite (Jest, Jasmine).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import functions
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.system.patterns import later

GENERATOR = "its function is a generator, and nobody asks for its values"
TOO_LATE = "its suite defines it behind an `await`, and nobody waits for that"
GENERATORS = frozenset({"generator_function", "generator_function_declaration"})
PERHAPS = frozenset(
    {"if_statement", "ternary_expression", "binary_expression", "switch_case", "catch_clause", "for_in_statement"}
)
"""What stands in these may be passed over."""
IMPORTED = later(
    rb"[\"'](mocha|vitest|jest|@jest/globals|node:test|bun:test|@playwright/test|jasmine|cypress|ava|tape|tap|uvu|@?\w+/test)"
    rb"(?:/[\w-]+)?[\"']|\b(Deno)\."
)
NAMED = later(rb"\b(mocha|vitest|jest|jasmine|cypress)\b|(@playwright/test)|node\b[^\n\"]*\s(--test)\b")
NAMES = {"@jest/globals": "jest", "--test": "node:test"}
ASKS = frozenset({"mocha", "vitest", "node:test", "jasmine", "cypress", "@playwright/test"})
"""Runners that take what a test gives back for a promise at most."""
GOES_ON = frozenset({"mocha", "cypress"})
HELPED = later(rb"\bco-|-co\b|\bco\b|generator|--delay\b|\brun\(\s*\)")
"""A package that has Mocha go through generators, and what has it begin later."""


def never_begun(code: Code, call: tree_sitter.Node, paths: Paths) -> str:
    """Why nothing of the test is run; empty where it is, or where nobody knows."""
    generator = any(map(_is_generator, _around(code, call)))
    late = not generator and any(_is_behind(code, each, call) for each in _suites(code, call))
    if not (generator or late):
        return ""
    runners = _runners(code, paths)
    if not runners or not runners <= (ASKS if generator else GOES_ON):
        return ""
    return GENERATOR if generator else TOO_LATE


def _around(code: Code, call: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The function of the test, and those of the suites that it stands in."""
    yield from functions(code.names, call)
    yield from _suites(code, call)


def _suites(code: Code, call: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    return (each for each in code.names.above(call) if each.type in FUNCTIONS and code.cases.owns(each))


def _is_generator(function: tree_sitter.Node) -> bool:
    return function.type in GENERATORS or any(part.type == "*" for part in function.children)


def _is_behind(code: Code, suite: tree_sitter.Node, call: tree_sitter.Node) -> bool:
    """The suite waits for something, whatever comes, before it comes to the test."""
    if not any(part.type == "async" for part in suite.children):
        return False
    waits = (each for each in code.names.of_types("await_expression", "for_in_statement") if _waits(each))
    before = (each for each in waits if suite.start_byte <= each.start_byte < call.start_byte)
    return any(each.end_byte <= suite.end_byte and _is_sure(code, each, suite, call) for each in before)


def _waits(node: tree_sitter.Node) -> bool:
    return node.type == "await_expression" or any(part.type == "await" for part in node.children)


def _is_sure(code: Code, node: tree_sitter.Node, suite: tree_sitter.Node, call: tree_sitter.Node) -> bool:
    """Nothing passes it over that does not pass the test over, too."""
    for above in code.names.above(node):
        if above == suite:
            return True
        holds = above.start_byte <= call.start_byte < above.end_byte
        if above.type in FUNCTIONS or (above.type in PERHAPS and not holds):
            return False
    return False


def _runners(code: Code, paths: Paths) -> frozenset[str]:
    """Those that the file loads, else those that the nearest package.json names that names some."""
    own = _named(match[1] or match[2] for match in IMPORTED.finditer(code.source.data))
    folder, above = posixpath.dirname(code.source.path), frozenset[str]()
    if HELPED.search(code.source.data):
        return frozenset()
    while True:
        data = paths.read(posixpath.join(folder, "package.json")) or b""
        if HELPED.search(data):
            return frozenset()
        above = above or _named(match[1] or match[2] or match[3] for match in NAMED.finditer(data))
        if not folder:
            return own or above
        folder = posixpath.dirname(folder)


def _named(found: Iterator[bytes]) -> frozenset[str]:
    return frozenset(NAMES.get(name, name) for each in found if (name := each.decode()))
