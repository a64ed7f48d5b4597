"""Functions of a file with what they call beside them put in its place (see `overwritten`).

`self._sync(name, actual)`, which is a statement of its own, becomes the lines of `def _sync(self, name, actual)`, with
the arguments in the place of the parameters. A call within a call stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ralph.guardrails.commas import between_commas
from ralph.guardrails.common.functions import Function
from ralph.guardrails.common.wanted.writers import ITSELF, PARAMETERS, STRING, WORD
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

STATEMENT = later(
    r"[ \t]*(?:await[ \t]+)?(?:(?:self|this|Self)(?:\.|::))?(?P<name>\w+)(?P<given>\(.*\))(?:\.await)?\??;?[ \t]*"
)
READS = later(r"(?i)\bread\w*\(|\.read\w*\b|\bget_contents\(|\bslurp\(")


def inlined(body: str, helpers: Mapping[str, Function]) -> str:
    """The same text where it calls none of the helpers."""
    lines = []
    for line in body.split("\n"):
        call = STATEMENT.fullmatch(line) if "(" in line else None
        helper = helpers.get(call["name"]) if call is not None else None
        put = _body(helper, call["given"], depth(line)) if call is not None and helper is not None else None
        lines.append(line if put is None else put)
    return "\n".join(lines)


def _body(helper: Function, call: str, deep: int) -> str | None:
    _, name, head, body = helper
    told, listed = PARAMETERS.fullmatch(call), PARAMETERS.match(head[head.find(name) + len(name) :])
    if told is None or listed is None:
        return None
    given = between_commas(told["listed"], STRING)
    parameters = [each for each in between_commas(listed["listed"], STRING) if each not in ITSELF]
    if len(given) != len(parameters):
        return None
    names = dict(zip((_name(each, body) for each in parameters), given, strict=True))
    written: str = WORD.sub(lambda word: names.get(word[0], word[0]), body)
    lines = written.split("\n")
    less = min((depth(line) for line in lines if line.strip()), default=0)
    return "\n".join(" " * (deep + depth(line) - less) + line.strip() for line in lines if line.strip())


def _name(parameter: str, body: str) -> str:
    """`name: str`, `name string` and `String name`: the word that the function uses."""
    words: list[str] = WORD.findall(parameter.partition("=")[0])
    used = [word for word in words if re.search(rf"(?<![\w.]){word}\b", body)]
    return (used or words or [""])[0]


def readers(found: Iterable[Function]) -> frozenset[str]:
    """The names of functions that read something."""
    return frozenset(name for _, name, _, body in found if READS.search(body))


def made_of(name: str, body: str) -> frozenset[str]:
    """A name, and the names of which its value is made: `path = self.path(name)`."""
    given = re.findall(rf"(?<![\w.]){re.escape(name)}(?:\s*:\s*\w+)?\s*:?=(?!=)([^\n]*)", body)
    return frozenset((name, *(word for each in given for word in WORD.findall(STRING.sub("", each)))))
