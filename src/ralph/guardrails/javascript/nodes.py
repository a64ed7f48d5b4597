"""Nodes of some types in a syntax tree, by tree-sitter's queries: a walk in Python takes ten times as long."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import tree_sitter

from ralph.guardrails.source import Source
from ralph.syntax import parser


def nodes_of(source: Source, *types: str) -> Sequence[tree_sitter.Node]:
    """Every node of these types, in source order, outer ones first."""
    return source.captures(_query(source.language, types))


@cache
def _query(language: str, types: tuple[str, ...]) -> str:
    grammar = parser(language).language
    if grammar is None:
        raise LookupError(f"no grammar for {language}")
    known = [name for name in types if grammar.id_for_node_kind(name, name.isidentifier()) is not None]
    pattern = " ".join(f"({name})" if name.isidentifier() else f'"{name}"' for name in known)
    return f"[{pattern}] @found"
