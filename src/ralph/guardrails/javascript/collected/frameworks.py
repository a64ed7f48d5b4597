"""What test frameworks call their functions (spec: governance engine 1.4; classes G02 and G03).

The tables of Vitest, Jest, Mocha, Jasmine, node:test, Deno, Bun, Playwright, Cypress, AVA, tape, uvu and QUnit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ralph.system.patterns import later

Kind = Literal["test", "suite", "hook", "context", "module"]

MODULES = later(
    r"""vitest(?:/.*)? | jest | @jest/globals | (?:node:)?test | mocha | bun:test | (?:@playwright/|playwright/)test
      | @playwright/experimental-ct-\w+ | (?:jsr:|npm:)?@std/testing(?:@[^/]*)?/bdd | https?://.*/testing/bdd\.[jt]s
      | ava | tap | tape | uvu | qunit | @japa/runner | @effect/vitest | cypress | jasmine | zora | @open-wc/testing""",
    re.VERBOSE,
)
TEST_BY_DEFAULT = later(r"(?:node:)?test|ava|tap|tape|uvu|zora")
"""Modules whose default export is the test function."""

TESTS = frozenset({"it", "test", "specify", "bench"})
SUITES = frozenset({"describe", "context", "suite"})
HOOKS = frozenset(
    {
        "before",
        "after",
        "beforeEach",
        "afterEach",
        "beforeAll",
        "afterAll",
        "setup",
        "teardown",
        "suiteSetup",
        "suiteTeardown",
    }
)
GLOBAL_OBJECTS = frozenset({"globalThis", "global", "window", "self"})
NAMESPACES = {"Deno": frozenset({"test", "bench"}), "QUnit": frozenset({"test", "module", "skip", "todo", "only"})}

OFF = frozenset({"skip", "todo", "fails", "failing", "fixme", "fail", "ignore", "pending"})
OFF_IF = {"skipIf": True, "todoIf": True, "failsIf": True, "runIf": False, "if": False}
"""Modifiers that take a condition; the value is what it is when the test does not run."""
FOCUS = frozenset({"only"})
PLAIN = frozenset(
    {
        "each",
        "for",
        "concurrent",
        "sequential",
        "serial",
        "parallel",
        "extend",
        "shuffle",
        "step",
        "override",
        "scoped",
        "call",
        "apply",
        "bind",
        "default",
        "withContext",
        "describe",
        "test",
        "it",
        "suite",
        "context",
    }
)
MEMBERS = HOOKS | OFF | OFF_IF.keys() | FOCUS | PLAIN | NAMESPACES.keys() | frozenset().union(*NAMESPACES.values())
MEMBERS |= {"default", "info", "it", "step", "test", "vitest"}
"""Members that mean something, of a test function, of its context, of a framework's module or of the global object;
so do those that `kind_of` knows."""

FACTORIES = frozenset({"each", "for", "extend", "bind", "override", "scoped", "info"}) | frozenset(OFF_IF)
"""Called, they give a test function instead of defining a test."""
OFF_OPTIONS = frozenset({"skip", "todo", "ignore", "fails", "fixme", "expectFailure"})
FOCUS_OPTIONS = frozenset({"only"})
OFF_IN_BODY = frozenset({"skip", "todo", "fixme", "pending"})

_PREFIXED = frozenset({"it", "test", "specify", "describe", "context", "suite"})


def _kinds() -> Iterator[tuple[str, tuple[Kind, str]]]:
    for name in TESTS | SUITES:
        kind: Kind = "test" if name in TESTS else "suite"
        yield name, (kind, "")
        if name in _PREFIXED:
            yield f"x{name}", (kind, "skip")
            yield f"f{name}", (kind, "only")
    for name in HOOKS:
        yield name, ("hook", "")


_KINDS = dict(_kinds())


def kind_of(name: str) -> tuple[Kind, str] | None:
    """(kind, modifier) of a test framework's global function: `xit` is a test with `skip`."""
    return _KINDS.get(name)
