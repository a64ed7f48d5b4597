"""Examples of rules: a small change, written so that people read it as they read a diff.

    === src/total.py
     import os
    -total = 1
    +total = 2  # noqa

A line `=== PATH` begins a file. In it ` ` marks a line of both sides, `-` one of the base, `+` one of the change; an
empty line is one of both. A file without lines of a side is absent there. What is no plain file says so behind its
path: `(symlink)` and `(submodule)`, whose line says where they lead; `(ignored)` and `(unwatched)`, which is what git
is told of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.errors import ConfigError
from ralph.record import record

KINDS = ("symlink", "submodule", "ignored", "unwatched")
_HEADER = re.compile(rf"=== (?P<path>\S.*?)(?: \((?P<kind>{'|'.join(KINDS)})\))?")


@record
class Example:
    """A change; `kinds` tells which paths are no plain files on its head side."""

    text: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    kinds: Mapping[str, str]


def read_example(text: str) -> Example:
    """Raises ConfigError if the text is no example."""
    sides: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    kinds: dict[str, str] = {}
    path = None
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if header := _HEADER.fullmatch(line):
            path = header["path"]
            if header["kind"]:
                kinds[path] = header["kind"]
        elif path is None or (line and line[0] not in " +-"):
            raise ConfigError(f"line {number} of an example has neither a file's name nor a mark: {line!r}")
        else:
            for side, other in zip(sides, "+-", strict=True):
                if line[:1] != other:
                    side.setdefault(path, []).append(line[1:])
    before, after = ({name: "\n".join([*lines, ""]) for name, lines in side.items()} for side in sides)
    if before == after:
        raise ConfigError(f"an example changes nothing: {text!r}")
    return Example(text, before, after, kinds)
