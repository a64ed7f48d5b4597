"""Variables of the environment, wherever a text sets them.

Whoever starts a program sets them: a compose file, an image, a manifest of a cluster, a task file, `.env`, `.envrc`, a
developer's container or shell, an editor, a pipeline. Their syntaxes differ in few signs, so that a name that is known
is looked for as text: `NAME=value`, `NAME: value`, `"NAME": "value"`, `ENV NAME value`, `set NAME=value`,
`- name: NAME` with `value:` below it. A line that is a comment sets none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.readers import decoded
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

OF_DEVELOPERS = later(
    r"(?:^|/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.envrc|[\w-]+\.env|\.?mise(?:\.[\w-]+)?\.toml"
    r"|devbox\.json|\.actrc|flake\.nix|shell\.nix|\.?devcontainer\.json|\.vscode/settings\.json"
    r"|[\w.-]+\.code-workspace|\.huskyrc)$"
)
"""What sets the environment in which people, and agents, work."""
_GIVEN = later(
    r"[\"'`]?[\])]?\s*(?:(?::=|\?=|\+=|=>|=|:)\s*|,\s*[\"']?value[\"']?\s*[:=]\s*|,\s*(?=[\"'])"
    r"|(?P<word>[ \t]+(?=[\"'\w-])))"
)
_BY_WORD = later(r"(?i)(?:\bENV|\bARG|\bset(?:env|x)?|\bset -[gxU]+|--set|\bput-?env|\bsetx)\s+$")
_NEXT_LINE = later(r"\s*\n\s*[\"']?value[\"']?\s*[:=]\s*(?P<value>[^\n]*)", re.IGNORECASE)
_ALONE = later(
    r"(?i)^\s*(?:-\s+(?:[\"'])?|export\s+|set\s+(?:[\"'])?|env:|environment=|ENV\s+|--env[ =]|-e\s+|@putenv\s+"
    r"|\w+:\s*)*[\"']?$"
)
_COMMENT = later(r"^\s*(?:#|//|;|\*|<!--|(?i:rem)\s|::)")
_BLOCK = later(r"[|>][+-]?\s*$")


class Form:
    """Finds where a text sets one of some variables; `words`: one of them stands in each text that does."""

    def __init__(self, names: str, words: Sequence[str]) -> None:
        self._set = later(rf"(?<![\w$.-])(?<!\$\{{)(?P<name>{names})(?![\w-])(?P<rest>[^\n]*)")
        self._words = prefilter(tuple(words))

    def of(self, data: bytes) -> Iterator[tuple[str, str, int]]:
        """(name, value, line)"""
        text = decoded(data) if self._words.matches(data) else ""
        row, seen = 1, 0
        for match in self._set.finditer(text):
            row, seen = row + text.count("\n", seen, match.start()), match.start()
            before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if _COMMENT.match(before):
                continue
            value = _value(match, text, before, before[-1:] if before.endswith(("'", '"')) else "")
            if value is not None:
                yield match["name"], value, row


def _value(match: re.Match[str], text: str, before: str, quote: str) -> str | None:
    rest = match["rest"]
    given = _GIVEN.match(rest)
    if given is None or (given["word"] and not _BY_WORD.search(before)):
        below = _NEXT_LINE.match(text, match.end()) if rest.strip(" \t,\"'") == "" else None
        return _bare(below["value"]) if below is not None else None
    value = rest[given.end() :].strip()
    if quote and not rest.startswith(quote):
        return value.partition(quote)[0]
    if _BLOCK.fullmatch(value):
        return _below(text, match.end(), len(before) - len(before.lstrip(" -")))
    if value[:1] in "\"'" or _ALONE.match(before) or not rest.startswith("="):
        return _bare(value)
    return value.partition(" ")[0]


def _bare(value: str) -> str:
    """What stands between the first quotes, or all of it up to a comment."""
    value = value.strip()
    if value[:1] in ('"', "'"):
        return value[1:].partition(value[0])[0]
    return re.split(r"\s#|,\s*$|\s*[}\]]\s*,?$", value)[0].strip().rstrip(";")


def _below(text: str, end: int, depth: int) -> str:
    """The lines of a block of YAML."""
    lines: list[str] = []
    for line in text[end:].split("\n")[1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        lines.append(line.strip())
    return " ".join(lines).strip()
