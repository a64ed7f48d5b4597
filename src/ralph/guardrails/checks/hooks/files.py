"""Hooks that a command takes away, switches off, or writes over with what checks nothing.

Rule: a hook's file that is written by hand, linked or filled with a text in which nothing is run that could check
(`printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-commit`) is off. A hook that runs a checker, a script, or what only
running could tell, is installed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.checks.programs.tables import INTERPRETERS, PROGRAMS, RUN_WORDS, RUNS_A_NAME, SUBCOMMANDS
from ralph.system.patterns import later

HOOK = later(
    r"(?:^|(?<=[/\s\"']))(?:\.git/hooks|\.husky|\.githooks)/(?:_/)?(?:pre|post|commit|prepare|update|applypatch)[\w-]*"
)
FOLDER = later(r"\.git/hooks|\.husky(?:/|$)|\.githooks(?:/|$)")
REMOVERS = frozenset(("chmod", "rm", "mv", "truncate", "unlink", "cp", "ln", "find"))
FOUND_AND_GONE = later(r"\s-delete\b|\s-exec(?:dir)?\s+(?:rm|mv|truncate|chmod\s+\S*-\w*x)\b")
OFF = later(r"\s(?:a|u|ugo)?-\w*x|\s0?[0-6]44\b|/dev/null")
NOTHING = later(
    r"(?:^|/)(?:bin/(?:true|echo)|dev/null)$|^[\"$`(]+(?:which|command -v|type -[pP]) (?:true|:|echo)[)`\"]+$"
)
MAY_CHECK = later(r"\$|`|\./|\.(?:sh|py|js|mjs|rb|pl)\b")
RUNS = frozenset(PROGRAMS) | frozenset(SUBCOMMANDS) | frozenset(RUNS_A_NAME) | frozenset(RUN_WORDS)
WRITTEN = ">"
"""Stands as the first word of what a redirection writes: the file, and the whole statement."""


def hooks_off(words: Sequence[str], line_text: str) -> bool:
    """Whether a command (see `spoken`) leaves hooks that check nothing. `line_text`: the line it stands on."""
    return _taken_away(words) or _written_over(words, line_text)


def _taken_away(words: Sequence[str]) -> bool:
    shown = " ".join(words)
    if words[0] not in REMOVERS or not FOLDER.search(shown):
        return False
    if words[0] == "find":
        return FOUND_AND_GONE.search(shown) is not None and ".sample" not in shown
    return words[0] in ("rm", "mv", "truncate", "unlink") or OFF.search(shown) is not None


def _written_over(words: Sequence[str], line_text: str) -> bool:
    program = words[0].rpartition("/")[2]
    target = words[1] if program == WRITTEN else words[-1].removeprefix("of=")
    if not HOOK.search(target):
        return False
    if program == WRITTEN:
        return not _may_check(words[2])
    if program in ("ln", "cp", "install", "dd"):
        return any(NOTHING.search(word) for word in words[1:-1]) or "if=/dev/null" in words
    if program == "tee":
        return not _may_check(line_text)
    return program == "sed" and re.search(r"\bexit 0\b", " ".join(words[1:])) is not None


def _may_check(text: str) -> bool:
    text = re.sub(r"#!\s*\S+(?:[ \t]+\w+)?", "", HOOK.sub("", text.replace("\\n", "\n")))
    if MAY_CHECK.search(text):
        return True
    return any(word in RUNS or (INTERPRETERS.fullmatch(word) and word != "sh") for word in re.findall(r"[\w.-]+", text))
