"""Helpers that a file of tests imports from beside it: they assert what they would in the file itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

import tree_sitter

from ralph.guardrails.config.side import resolve
from ralph.guardrails.inventory.lending import source_at
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.imports import SUFFIXES
from ralph.guardrails.languages import language_of
from ralph.record import record

MOST_BYTES = 200_000
LANGUAGES = frozenset({"javascript", "typescript", "tsx"})


@record
class Lent:
    """What an imported helper asserts, by the names of its parameters."""

    parameters: tuple[str, ...]
    checks: tuple[Check, ...]
    waits: bool
    """Its failure is only felt by who waits for it."""


Read = Callable[[Code, str], Lent | None]
"""What a function of a file asserts; None if it asserts nothing, or more than can be told."""


class Lending:
    def __init__(self, code: Code, paths: Paths | None, read: Read) -> None:
        self._code, self._paths, self._read = code, paths, read

    def of(self, name: tree_sitter.Node) -> Lent | None:
        """What a name stands for that is called."""
        path = self._code.origins.of(name) if self._paths is not None else None
        if path is None or len(path) != 2 or not path[0].startswith(("./", "../")) or self._paths is None:
            return None
        place = resolve(self._paths.all(), self._code.source.path, path[0], SUFFIXES)
        if place is None:
            return None
        return self._paths.memo.once(("lent by", place, path[1]), lambda: self._lent(place, path[1]))

    def _lent(self, place: str, name: str) -> Lent | None:
        language = language_of(place)
        if self._paths is None or language is None or language not in LANGUAGES:
            return None
        source = source_at(place, language, self._paths)
        if source is None or len(source.data) > MOST_BYTES or name.encode() not in source.data:
            return None
        return self._read(code(source), name)


def parameters_of(code: Code, function: tree_sitter.Node) -> tuple[str, ...]:
    """The names of those before the first one that is taken apart."""
    listed = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    nodes = [single] if single is not None else listed.named_children if listed is not None else []
    names = (each.child_by_field_name("pattern") or each.child_by_field_name("left") or each for each in nodes)
    return tuple(code.names.name(each) for each in takewhile(lambda each: each.type == "identifier", names))
