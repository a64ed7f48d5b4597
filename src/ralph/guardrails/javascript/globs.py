"""Globs of JavaScript tools (micromatch, minimatch) as regular expressions (spec: governance engine 1.4).

`**`, `*`, `?`, `[…]`, `{a,b}`, `(a|b)` and the extended forms `@(a|b)`, `?(…)`, `+(…)`, `*(…)`, `!(…)`. Brackets
without a choice in them are a part of a name: folders are called so.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ralph.system.patterns import later

_EXTENDED = {"@": "", "?": "?", "+": "+", "*": "*"}
_CHOICE = later(r"\([^()/|]*\|[^()/]*\)")


@lru_cache(maxsize=256)
def matches_path(glob: str) -> re.Pattern[str] | None:
    """For whole paths relative to the root of the configuration; None for a glob that cannot be read."""
    text = glob.removeprefix("./").removeprefix("/")
    try:
        return re.compile(_translated(text) + r"\Z")
    except (re.error, IndexError):
        return None


def _translated(glob: str) -> str:
    out: list[str] = []
    closing: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char in "@?+*!" and glob[at + 1 : at + 2] == "(":
            out.append("(?:(?!(?:" if char == "!" else "(?:")
            closing.append(")[./]|[./])[^/]*)" if char == "!" else f"){_EXTENDED[char]}")
            if char == "!":
                closing[-1] = ")(?:\\.|/|$))[^/]*)"
            at += 2
            continue
        if char == "(" and _CHOICE.match(glob, at):
            out.append("(?:")
            closing.append(")")
            at += 1
            continue
        if glob.startswith("**/", at):
            out.append("(?:[^/]*/)*")
            at += 3
            continue
        if glob.startswith("**", at):
            out.append(".*")
            at += 2
            continue
        at = _one(glob, at, out, closing)
    return "".join(out)


def _one(glob: str, at: int, out: list[str], closing: list[str]) -> int:
    char = glob[at]
    if char == "*":
        out.append("[^/]*")
    elif char == "?":
        out.append("[^/]")
    elif char == "[":
        end = glob.index("]", at + 1) if "]" in glob[at + 1 :] else at
        out.append(glob[at : end + 1].replace("[!", "[^") if end > at else r"\[")
        return end + 1
    elif char == "{":
        out.append("(?:")
        closing.append(")")
    elif char in ",|" and closing:
        out.append("|")
    elif char in ")}" and closing:
        out.append(closing.pop())
    else:
        out.append(re.escape(char))
    return at + 1
