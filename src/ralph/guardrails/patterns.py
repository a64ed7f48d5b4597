"""Policy v1 to the letter: regular expressions on added lines (spec: governance engine 1.4; design decision 9).

Each line that the change added is searched by every expression of the groups that its file's name is in. Nothing is
compared with the base: a moved line is an added line. v2 does better; v1 stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import PurePosixPath

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.policy.model import Pattern

_TYPESCRIPT = ("*.ts", "*.tsx", "*.mts", "*.cts")
_JAVASCRIPT = (*_TYPESCRIPT, "*.js", "*.jsx", "*.mjs", "*.cjs")
_PYTHON = ("*.py", "*.pyi")
GLOBS = {
    "typescript": _TYPESCRIPT,
    "javascript": _JAVASCRIPT,
    "python": _PYTHON,
    "testing": (*_JAVASCRIPT, *_PYTHON),
}


def pattern_hits(change: Change, patterns: Iterable[Pattern]) -> Iterable[Hit]:
    """One hit for each expression and added line that it matches."""
    compiled = [(pattern, re.compile(pattern.expression)) for pattern in patterns]
    for file in change.files:
        name = PurePosixPath(file.path).name
        own = [(p, regex) for p, regex in compiled if any(fnmatchcase(name, glob) for glob in GLOBS[p.group])]
        if own:
            yield from _file_hits(file, own)


def _file_hits(file: FileChange, patterns: list[tuple[Pattern, re.Pattern[str]]]) -> Iterable[Hit]:
    if not _any_of(tuple(pattern.expression for pattern, _ in patterns)).search(_added(file)):
        return
    for number, raw in file.added():
        text = raw.decode("utf-8", "replace")
        for pattern, regex in patterns:
            if match := regex.search(text):
                yield Hit(
                    rule=pattern.rule,
                    path=file.path,
                    line=number,
                    column=len(text[: match.start()].encode()) + 1,
                    key=match[0],
                    snippet=text.strip(),
                )


@cache
def _any_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """One search of a whole file, for most files hold nothing."""
    return re.compile("|".join(f"(?:{expression})" for expression in expressions), re.MULTILINE)


def _added(file: FileChange) -> str:
    return file.added_text.decode("utf-8", "replace")
