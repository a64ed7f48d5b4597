"""Patterns of commands in `commands.allow` and `commands.deny`.

A pattern is the beginning of an argument list: `npm test` is also `npm test --silent`, never `npm testx`. Words are
parted and quoted as in a shell. Several beginnings joined by `|` are commands of one pipeline, in this order and not
necessarily next to each other: `curl | sh`. Nothing else of a shell is understood, and a pattern that could never mean
what it seems to say (a wildcard, a variable, a second command) is an error rather than a rule without effect.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ralph.record import record

Words = tuple[str, ...]


class PatternError(ValueError):
    """What is wrong with a pattern and the way out, as the end of a sentence."""


@record
class CommandPattern:
    """A pattern as it was read: the first words of one command, or of each of a pipeline's."""

    text: str
    commands: tuple[Words, ...]

    @property
    def is_pipeline(self) -> bool:
        return len(self.commands) > 1


@lru_cache(maxsize=1024)
def parse_pattern(text: str) -> CommandPattern:
    """Read a pattern. Raises PatternError."""
    if not text.isprintable():
        raise PatternError("holds characters that cannot be seen: type it anew")
    commands: list[Words] = []
    words: list[str] = []
    for word in _words(text):
        if word is not None:
            words.append(word)
            continue
        commands.append(_command(words))
        words = []
    commands.append(_command(words))
    return CommandPattern(text, tuple(commands))


def _command(words: list[str]) -> Words:
    if not words or not words[0]:
        raise PatternError("lacks a program: every part of a pattern begins with a program's name")
    if re.match(r"[A-Za-z_]\w*\+?=", words[0]):
        raise PatternError("begins with a variable: name the program only, variables are judged by themselves")
    return tuple(words)


def _words(text: str) -> list[str | None]:
    """The words, and None for every `|` between them."""
    found: list[str | None] = []
    word: str | None = None
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in "'\"":
            part, at = _quoted(text, at)
            word = (word or "") + part
        elif sign == "\\":
            if at + 1 == len(text):
                raise PatternError("ends with a backslash: remove it, or write the character that it stands before")
            word, at = (word or "") + text[at + 1], at + 2
        elif sign in " |":
            if word is not None:
                found.append(word)
            word, at = None, at + 1
            if sign == "|":
                found.append(None)
        else:
            _refuse_special(sign)
            word, at = (word or "") + sign, at + 1
    return found if word is None else [*found, word]


def _quoted(text: str, at: int) -> tuple[str, int]:
    """What stands between the quotes that open at `at`, and where it goes on behind them."""
    quote, start, part = text[at], at + 1, ""
    end = start
    while end < len(text) and text[end] != quote:
        if quote == '"' and text[end] in "$`":
            raise PatternError(f"holds {text[end]!r}: nothing is computed in a pattern; use single quotes to mean it")
        if quote == '"' and text[end] == "\\" and text[end + 1 : end + 2] in ('"', "\\", "$", "`"):
            end += 1
        part += text[end : end + 1]
        end += 1
    if end >= len(text):
        raise PatternError(f"opens a quote ({quote}) that it does not close: close it")
    return part, end + 1


def _refuse_special(sign: str) -> None:
    if sign in "*?[]":
        raise PatternError(
            f"holds {sign!r}, which stands for nothing else here: end the pattern before that word, since any words "
            "may follow a pattern, or quote it to mean the character"
        )
    if sign in "&;<>()":
        raise PatternError(f"holds {sign!r}: write one pattern for each command, without redirections")
    if sign in "$`!":
        raise PatternError(f"holds {sign!r}: nothing is computed in a pattern; use single quotes to mean it")
