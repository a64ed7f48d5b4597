"""Functions of a file that write one of their parameters to the file that another one names (see `overwritten`).

`sync(t, path, got)` writes `got` to `path` where `func sync(t *testing.T, path string, content []byte)` does so. One
that asks anything but whether the writing failed is not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.commas import between_commas
from ralph.guardrails.common.functions import Function
from ralph.record import record
from ralph.system.patterns import later

STRING = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
PARAMETERS = later(r"[^()]*\((?P<listed>(?:[^()]|\([^()]*\))*)\)")
ASKS = later(
    r"^\s*(?:\}\s*)?(?:if|elif|else|unless|when|case|match|switch|guard)\b(?![^\n]*\b(?:err|e|error)\b)"
    r"|^[^\n]*\)\s+(?:if|unless)\s"
)
ITSELF = frozenset({"self", "&self", "&mut self", "this", "cls"})
WORD = later(r"[A-Za-z_]\w*")


@record
class Writer:
    """A function that writes, and where among its arguments the path stands, and what is written."""

    name: str
    path: int
    value: int


def writer(function: Function, path: str, values: Iterable[str]) -> Writer | None:
    """What a function is that writes `values` to `path`, each of which is a parameter."""
    _, name, head, body = function
    listed = PARAMETERS.match(head[head.find(name) + len(name) :])
    if listed is None or any(ASKS.match(line) for line in body.split("\n")):
        return None
    given = [each for each in between_commas(listed["listed"], STRING) if each not in ITSELF]
    words = [frozenset(WORD.findall(each)) for each in given]
    paths = [at for at, each in enumerate(words) if path in each]
    told = [at for at, each in enumerate(words) if not each.isdisjoint(values) and at not in paths]
    return Writer(name, paths[0], told[0]) if len(paths) == len(told) == 1 else None


def written_through(body: str, writers: Iterable[Writer]) -> Iterator[tuple[int, int, str, str]]:
    """The calls of those functions: where each begins and ends, the path, and what is written."""
    for each in writers:
        for call in re.finditer(rf"(?<![\w.])(?:self\.|this\.)?{re.escape(each.name)}", body):
            listed = PARAMETERS.match(body, call.end())
            given = between_commas(listed["listed"], STRING) if listed is not None else []
            if listed is not None and body[call.end()] == "(" and len(given) > max(each.path, each.value):
                yield call.start(), listed.end(), given[each.path], given[each.value]
