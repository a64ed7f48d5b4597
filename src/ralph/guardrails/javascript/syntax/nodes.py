"""Nodes of some types in a syntax tree, by tree-sitter's queries: a walk in Python takes ten times as long."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

import tree_sitter

from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.source import Source, in_order
from ralph.syntax import parser

TOGETHER = FUNCTIONS | {"call_expression", "expression_statement", "try_statement"}
"""Types that rules ask for one after the other: they are found in one pass, which costs as much as one for any."""
_TOGETHER = " ".join(f"({name}) @{name}" for name in sorted(TOGETHER))


def nodes_of(source: Source, *types: str) -> Sequence[tree_sitter.Node]:
    """Every node of these types, in source order, outer ones first."""
    if not TOGETHER.issuperset(types):
        return source.captures(_query(source.language, types))
    found = [source.captures(_TOGETHER, name=name) for name in types]
    return found[0] if len(found) == 1 else in_order(chain.from_iterable(found))


@cache
def _query(language: str, types: tuple[str, ...]) -> str:
    grammar = parser(language).language
    if grammar is None:
        raise LookupError(f"no grammar for {language}")
    known = [name for name in types if grammar.id_for_node_kind(name, name.isidentifier()) is not None]
    pattern = " ".join(f"({name})" if name.isidentifier() else f'"{name}"' for name in known)
    return f"[{pattern}] @found"
