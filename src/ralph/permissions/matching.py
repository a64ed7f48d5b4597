"""Does a call match a pattern of `commands.allow` or `commands.deny`?

Rules: patterns are argument lists, never text. An allow pattern is a beginning of what was called, word for word
(`npm test` is not `npm testx`), or of its subcommand with global options taken out (`git -C src status`). A deny
pattern is matched generously: options in any order and spelling (`rm -fr /`, `rm -r --force /`), operands anywhere,
any shell where it says `sh`; the parts of a pipe pattern (`curl | sh`) may have others between them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ralph.permissions.programs.model import Arg, Call, Use

Words = tuple[str, ...]
SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"})
_LONG = {"r": "recursive", "f": "force", "i": "interactive", "v": "verbose", "n": "dry-run", "d": "delete"}


def allows(pattern: Words, call: Call, use: Use | None) -> bool:
    """True if the call begins with the pattern's words exactly as they stand."""
    if use and use.subcommand and _begins(use.subcommand, pattern):
        return True
    texts = [call.path, *(arg.text for arg in call.args)]
    return len(texts) >= len(pattern) and all(text == word for text, word in zip(texts, pattern, strict=False))


def denies(pattern: Words, call: Call, use: Use | None) -> bool:
    """True if the call is, in any spelling, at least what the pattern says."""
    if not _same_program(pattern[0], call.name):
        return False
    if use and use.subcommand and _begins(use.subcommand, pattern):
        return True
    options, operands = _sorted_words(list(pattern[1:]))
    given_options, given_operands = _sorted_words([arg.text for arg in call.args])
    return options <= given_options and all(_normal(word) in map(_normal, given_operands) for word in operands)


def denies_pipe(patterns: Sequence[Words], stages: Sequence[Sequence[Call]]) -> bool:
    """True if the parts of a pipe pattern match stages of a pipeline in their order."""
    remaining = iter(stages)
    return all(any(any(denies(each, call, None) for call in stage) for stage in remaining) for each in patterns)


def _begins(words: Sequence[str], pattern: Words) -> bool:
    return tuple(words[: len(pattern)]) == pattern


def _same_program(word: str, name: str) -> bool:
    return word == name or (word in SHELLS and name in SHELLS)


def _sorted_words(words: Sequence[str | None]) -> tuple[set[str], list[str]]:
    """Options, each letter by itself under its long name, and operands."""
    options: set[str] = set()
    operands: list[str] = []
    for word in words:
        if word is None:
            continue
        if word.startswith("--") and len(word) > 2:
            options.add(word[2:])
        elif word.startswith("-") and len(word) > 1:
            options.update(_LONG.get(letter.lower(), letter) for letter in word[1:])
        else:
            operands.append(word)
    return options, operands


def _normal(word: str) -> str:
    return posixpath.normpath(word) if word else word


def subject(args: Sequence[Arg]) -> str:
    """An argument list for people to read."""
    return " ".join("…" if arg.text is None else arg.text for arg in args)
