"""The places of a Python file that rules look at, all found in one pass over its tree.

A pass costs about the same whatever it looks for, so that one query for all of them is as cheap as one for any.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source

_QUERY = (
    "(function_definition) @function (class_definition) @class (call) @call"
    " (assignment left: (_) right: (_)) @given (keyword_argument) @given (pair) @given"
    " (import_from_statement name: (_) @imported)"
    " (assignment left: [(attribute) (subscript)] @written) (delete_statement (attribute) @deleted)"
)


def functions(source: Source) -> Sequence[Node]:
    return source.captures(_QUERY, name="function")


def classes(source: Source) -> Sequence[Node]:
    return source.captures(_QUERY, name="class")


def calls(source: Source) -> Sequence[Node]:
    return source.captures(_QUERY, name="call")


def given(source: Source) -> Sequence[Node]:
    """What is given to a name: assignments, keyword arguments, items of dictionaries."""
    return source.captures(_QUERY, name="given")


def imported(source: Source) -> Sequence[Node]:
    """What is imported from a module."""
    return source.captures(_QUERY, name="imported")


def written(source: Source) -> Sequence[Node]:
    """Attributes and items that are given a value."""
    return source.captures(_QUERY, name="written")


def deleted(source: Source) -> Sequence[Node]:
    """Attributes that are deleted."""
    return source.captures(_QUERY, name="deleted")
