"""TypeScript's own directives, by the rules of its scanner (spec: governance engine 1.4; class G01).

- `@ts-ignore` and `@ts-expect-error` open a `//` or `///` comment, or the last line of a block comment; letters may
  follow. They silence the next line that is neither blank nor a `//` comment; if nothing there can be in error
  (a closing bracket, the end of the file), they silence nothing.
- `@ts-nocheck` counts in any case, in a `//` comment before the first token; the last of it and `@ts-check` wins.
- In a type test (`*.test-d.ts`, `*.tst.ts`, `*.typetest.ts`) an expected error is an assertion.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ralph.guardrails.javascript.suppressed.notes import Note, notes
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_IN_LINE = later(r"/?\s*@(ts-expect-error|ts-ignore)")
_IN_BLOCK = later(r"[/*]*\s*@(ts-expect-error|ts-ignore)")
_PRAGMA = later(r"/?\s*@([^\s:]+)(?:[\s:].*)?")
_STRICT_IGNORE = later(r"\s*@ts-strict-ignore\b")
_TYPE_TEST = later(r"(?:\.(?:(?:test|spec)-d|tst|type-?tests?)\.[cm]?tsx?|(?:^|/)(?:test-d|type-?tests?)/[^/]+)$")

_LINE_END = later(rb"\r\n|[\n\r]|\xe2\x80[\xa8\xa9]")
_CLOSING = b"}]);,"


def directives(source: Source) -> Iterator[Hit]:
    found = notes(source)
    silenced = _SilencedLines(source, found)
    for note in found:
        name = _directive(note)
        if name and silenced.by(note):
            yield source.hit(_rule(name, source.path), note.comment, f"@{name}", scope=None)
        elif _STRICT_IGNORE.match(note.body):
            yield source.hit("js.ts-nocheck", note.comment, "@ts-strict-ignore", scope=None)
    if (pragma := unchecked(source, found)) is not None:
        yield source.hit("js.ts-nocheck", pragma.comment, "@ts-nocheck", scope=None)


def header(source: Source, found: tuple[Note, ...]) -> tuple[Note, ...]:
    """The comments before the first token: the only ones in which pragmas count."""
    nodes = source.tree.root_node.children
    first = next((node for node in nodes if "comment" not in node.type and node.type != "hash_bang_line"), None)
    return found if first is None else tuple(note for note in found if note.comment.start_byte < first.start_byte)


def pragma_name(note: Note) -> str | None:
    """The name of a `// @name` pragma, in lower case."""
    match = _PRAGMA.fullmatch(note.body.rstrip()) if note.kind == "line" else None
    return match[1].lower() if match else None


def unchecked(source: Source, found: tuple[Note, ...]) -> Note | None:
    """The comment that takes the whole file out of type checking, if one does."""
    pragmas = [note for note in header(source, found) if pragma_name(note) in ("ts-check", "ts-nocheck")]
    return pragmas[-1] if pragmas and pragma_name(pragmas[-1]) == "ts-nocheck" else None


def _directive(note: Note) -> str | None:
    if note.kind == "line":
        match = _IN_LINE.match(note.body)
    else:
        last = re.split(r"\r\n|[\n\r\u2028\u2029]", note.comment.text)[-1]
        match = _IN_BLOCK.match(last.strip())
    return match[1] if match else None


def _rule(name: str, path: str) -> str:
    if name == "ts-ignore":
        return "js.ts-ignore"
    return "js.ts-expect-error-in-type-test" if _TYPE_TEST.search(path) else "js.ts-expect-error"


class _SilencedLines:
    """Tells whether a directive has a line to silence, with lines as TypeScript counts them."""

    def __init__(self, source: Source, found: tuple[Note, ...]) -> None:
        self._data = source.data
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(source.data))]
        self._spans = [(note.comment.start_byte, note.end_byte) for note in found]

    def by(self, note: Note) -> bool:
        row = bisect_right(self._starts, note.end_byte)
        while row < len(self._starts):
            line = self._line(row).strip()
            if line and not line.startswith(b"//"):
                return bool(self._code(row).strip(_CLOSING + b" \t\r\n\v\f"))
            row += 1
        return False

    def _line(self, row: int) -> bytes:
        end = self._starts[row + 1] if row + 1 < len(self._starts) else len(self._data)
        return self._data[self._starts[row] : end]

    def _code(self, row: int) -> bytes:
        """The line without what comments cover of it."""
        start = self._starts[row]
        line = bytearray(self._line(row))
        for first, last in self._spans:
            if first < start + len(line) and last > start:
                low, high = max(first - start, 0), min(last - start, len(line))
                line[low:high] = b" " * (high - low)
        return bytes(line)
