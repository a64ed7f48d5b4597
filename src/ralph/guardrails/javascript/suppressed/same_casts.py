"""A cast of a function that moved to another file, and is given to another name there (see `cast_texts`).

Rule: the cast of a function is told from others by its name. The very same one, with all that the function does, is no
new one where the changed files hold it as often as before: it took its own place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import decoded

RULE = "js.double-cast"
CASTS = frozenset({"as_expression", "type_assertion", "parenthesized_expression"})
SCRIPTS = frozenset({"typescript", "tsx"})


def without_same(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        if hit.rule != RULE or not _is_same(hit, change):
            yield hit


def _is_same(hit: Hit, change: Change) -> bool:
    text = _cast_at(hit, change)
    paths = [file.path for file in change.files if language_of(file.path) in SCRIPTS]
    before, after = (
        sum(_flat(read(path)).count(text) for path in paths) for read in (change.blobs.before, change.blobs.after)
    )
    return bool(text) and after <= before


def _cast_at(hit: Hit, change: Change) -> str:
    """The whole cast of a function, without white space; nothing for any other cast."""
    language, data = language_of(hit.path), change.blobs.after(hit.path)
    if language not in SCRIPTS or data is None:
        return ""
    source = Source(hit.path, language, decoded(language, data))
    place = (hit.line - 1, hit.column - 1)
    node = source.tree.root_node.descendant_for_point_range(place, place)
    cast: tree_sitter.Node | None = None
    while node is not None and (node.start_point.row, node.start_point.column) == place:
        cast, node = (node if node.type in CASTS else cast), node.parent
    held = cast is not None and any(part.type in FUNCTIONS for part in source.walk(cast))
    return _flat(cast.text) if cast is not None and held else ""


def _flat(data: bytes | None) -> str:
    return "".join((data or b"").decode("utf-8", "replace").split())
