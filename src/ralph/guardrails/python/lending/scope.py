"""What the file around a Python test gives it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Protocol

from ralph.guardrails.inventory.model import Check, Facts, Fake
from ralph.guardrails.python.lending.formulas import Formulas
from ralph.record import field, record

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


class Helpers(Protocol):
    """Functions that assert something (see `helping`)."""

    def get(self, name: str) -> Facts | None:
        """What one asserts, by the names of its parameters; None if there is none."""
        ...

    def called(self, name: str, call: ast.Call) -> Sequence[Check]:
        """What it asserts where it is called."""
        ...


class NoHelpers:
    def get(self, name: str) -> Facts | None:
        return None

    def called(self, name: str, call: ast.Call) -> Sequence[Check]:
        return ()


@record
class Scope:
    """What the file around a test gives it: constants and plain fixtures, tables of cases, functions that assert, what
    its set-ups and its module replace, its own functions, the marks of its classes and module, what of it swallows
    failures, what its fixtures replace, which of its decorators try again, which of its functions only pass a question
    on, what its classes answer themselves, and which of them say themselves what is equal to them."""

    values: Mapping[str, ast.expr] = field(default_factory=dict)
    helpers: Helpers = field(default_factory=NoHelpers)
    tables: Mapping[str, ast.expr] = field(default_factory=dict)
    fakes: tuple[Fake, ...] = ()
    defined: frozenset[str] = frozenset()
    marks: tuple[ast.expr, ...] = ()
    swallowers: frozenset[str] = frozenset()
    fixtures: Mapping[str, tuple[Fake, ...]] = field(default_factory=dict)
    retriers: frozenset[str] = frozenset()
    formulas: Formulas | None = None
    methods: Mapping[str, frozenset[str]] = field(default_factory=dict)
    own_equality: frozenset[str] = frozenset()
