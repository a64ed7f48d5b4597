"""The scripts inside a Vue, Svelte or Astro component (spec: governance engine 1.2).

A component is markup: each `<script>` block is handed on as a source in its own language, with the line it starts on.
Comments of the markup carry directives too (`<!-- eslint-disable -->`, `<!-- svelte-ignore -->`); each is handed on as
a script that is nothing but a block comment with its text. What stands between `---` at the top of an Astro component
is TypeScript, and so are its scripts.
"""

from __future__ import annotations

import re

from ralph.guardrails.source import Source
from ralph.system.patterns import later

_PART = later(
    rb"""<!--(?P<comment>.*?)(?:-->|\Z)
        | <script(?P<attributes>(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?)>(?P<script>.*?)(?:</script\s*>|\Z)""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_FRONT = later(rb"\s*---[ \t]*\r?\n(?P<code>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_LANGUAGE = later(rb"""\blang\s*=\s*["']?\s*(\w+)""", re.IGNORECASE)
_LANGUAGES = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx"}


def scripts_of(path: str, data: bytes) -> list[Source]:
    """Every script block and markup comment of a component, in order."""
    astro = path.endswith(".astro")
    front = _FRONT.match(data) if astro else None
    parts = [_source(path, data, match, "typescript" if astro else "javascript") for match in _PART.finditer(data)]
    if front is None:
        return parts
    return [Source(path, "typescript", front["code"], first_line=_line(data, front.start("code"))), *parts]


def _source(path: str, data: bytes, match: re.Match[bytes], usual: str) -> Source:
    if match["comment"] is not None:
        comment = b"/*" + match["comment"].replace(b"*/", b"* ") + b"*/"
        return Source(path, "javascript", comment, first_line=_line(data, match.start()))
    found = _LANGUAGE.search(match["attributes"])
    language = _LANGUAGES.get(found[1].lower(), "javascript") if found else usual
    return Source(path, language, match["script"], first_line=_line(data, match.start("script")))


def _line(data: bytes, start: int) -> int:
    return data.count(b"\n", 0, start) + 1
