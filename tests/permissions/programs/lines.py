"""Program lines for tests: words of a shell line as the readers get them, and what they make of it as plain data."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ralph.permissions.programs.model import Arg, Call, Use
from ralph.permissions.programs.registry import reader_of


def argument(word: str) -> Arg:
    """`$x` stands for what the shell makes of a variable, `@x` for exactly one unknown word, `%` for a file pattern."""
    for mark, one_word in (("$", False), ("@", True)):
        if mark in word:
            return Arg(None, (0, 0), before=word.partition(mark)[0], reason="a variable", one_word=one_word)
    if "%" in word:
        return Arg(None, (0, 0), before=word.partition("%")[0], pattern=word.replace("%", "*"), reason="a pattern")
    return Arg(word, (0, 0))


def words_of(line: str) -> list[Arg]:
    """The words of a line; a part in quotes may hold `$`, `@` and `%` as such if the line begins with `literally`."""
    words = shlex.split(line)
    if words[0] == "literally":
        return [Arg(word, (0, 0)) for word in words[1:]]
    return [argument(word) for word in words]


def use_of(line: str) -> Use:
    name, *args = words_of(line)
    reader = reader_of(name.text or "")
    assert reader is not None, line
    return reader(Call(name=name.text or "", path=name.text or "", args=tuple(args)))


def shown(words: Sequence[Arg]) -> list[str]:
    """Words as text: what is known, or the pattern, or the certain beginning and three dots."""
    return [word.text if word.text is not None else word.pattern or f"{word.before}…" for word in words]


def verdict(use: Use) -> str:
    """How far a use can be vouched for."""
    if use.refused:
        return "refused"
    if use.unknown:
        return "unknown"
    if use.only_reads:
        return "reads"
    return "changes" if use.changes_only_paths else "other"
