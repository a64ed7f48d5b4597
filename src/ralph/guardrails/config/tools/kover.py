"""What Kover is told to leave out of its reports, as globs of sources (policy set v2, class G11).

    koverReport { filters { excludes { classes("*.engine.*"); packages("pay.gen") } } }

Rule: a pattern of classes or packages is one of the files below which they stand, whatever the source set; in a pattern
`*` is for any number of letters and dots. What is left out by its annotation nobody can tell from the build.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.system.patterns import later

LISTS = frozenset({"classes", "packages", "excludedClasses"})
WRAPS = frozenset({"listOf", "setOf", "mutableListOf", "mutableSetOf", "(", "=", "+", ",", "["})
PLAIN = later(r"[\w.*?$-]+")


def left_out(tokens: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    """Each pattern's token, and the glob. `tokens` have the groups `text`, `word` and `mark`."""
    heads: list[str] = []
    head, depth = "", 0
    for index, token in enumerate(tokens):
        mark = token[0]
        if token["word"]:
            head = mark if depth == 0 else head
            if _is_list(mark, heads):
                yield from _given(tokens[index + 1 :], packages=mark.split(".")[0] == "packages")
        elif mark == "{":
            heads.append(head)
            depth = 0
        elif mark == "}" and heads:
            heads.pop()
            depth = 0
        elif mark in ("(", ")"):
            depth = max(0, depth + (1 if mark == "(" else -1))


def _is_list(word: str, heads: Sequence[str]) -> bool:
    parts = [*(part for head in heads for part in head.split(".")), *word.split(".")]
    named = LISTS.intersection(word.split("."))
    excludes = "excludes" in parts or "excludedClasses" in named
    return bool(named) and excludes and any(part.startswith("kover") for part in parts)


def _given(tokens: Sequence[re.Match[str]], *, packages: bool) -> Iterator[tuple[re.Match[str], str]]:
    for token in tokens:
        if token["text"]:
            pattern = token["text"][1:-1]
            if PLAIN.fullmatch(pattern):
                yield token, _glob(pattern, packages=packages)
        elif token[0] not in WRAPS:
            return


def _glob(pattern: str, *, packages: bool) -> str:
    parts = pattern.partition("$")[0].split(".")
    first = [] if parts[0] in ("*", "**") else ["**"]
    whole = ["**" if part in ("*", "**") else part for part in parts]
    if packages and whole[-1] != "**":
        whole.append("**")
    elif whole[-1] != "**":
        whole[-1] += "" if whole[-1].endswith("*") else ".*"
    return "/".join((*first, *whole))
