"""Functions that are called without their names: a test that compares, adds or prints may be about one that is gone."""

from __future__ import annotations

from ralph.guardrails.inventory.model import Test
from ralph.system.patterns import later

COMPARED = frozenset({"partial_cmp", "cmp", "compareTo", "CompareTo", "__lt__", "__gt__", "__le__", "__ge__"})
SPOKEN = (
    (frozenset({"add", "plus", "__add__"}), later(r"\+")),
    (frozenset({"sub", "minus", "__sub__"}), later(r"-")),
    (frozenset({"mul", "times", "__mul__"}), later(r"\*")),
    (frozenset({"div", "__truediv__", "__floordiv__"}), later(r"/")),
    (frozenset({"fmt", "__str__"}), later(r"\bto_string\(|\bformat!\(|\bstr\(")),
    (frozenset({"from_str"}), later(r"\.parse(?:::<[^()]*>)?\(")),
    (frozenset({"from"}), later(r"\.into\(")),
    (frozenset({"__len__"}), later(r"\blen\(")),
    (frozenset({"__contains__", "contains"}), later(r"\bin\b")),
)
"""Functions that are called without their names, and what calls them."""
BY_ANY_NAME = (".rs", ".kt", ".cs")
"""Elsewhere only names like `__add__` are those of operators."""


def calls_without_name(test: Test, gone: frozenset[str]) -> bool:
    """It calls one of the functions that are gone by an operator, or by what the language does for it."""
    facts = test.facts()
    if not test.path.endswith(BY_ANY_NAME):
        gone = frozenset(word for word in gone if word.startswith("__"))
    if gone & COMPARED and any(check.relation in ("<", ">", "<=", ">=") for check in facts.checks):
        return True
    return any(names & gone and form.search(facts.body) for names, form in SPOKEN)
