"""Scripts of the project that hand on what they are given: `./run.sh tests/slow` and its line `pytest "$@"`."""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.checks.readers.sourced import with_sourced
from ralph.guardrails.config.called.call import Call, written
from ralph.guardrails.config.called.walked.script import walked
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

USED = later(r"\"?\$\{?(?:(?P<all>[@*])|(?P<number>[1-9])(?::?-(?P<default>[^}\n]*))?)\}?\"?")
COMMAND = later(
    r"\s*(?:exec\s+)?(?P<command>(?!(?:if|then|elif|else|fi|for|do|done|while|until|case|esac|function|local|export|cd|echo|printf"
    r"|set|test|trap|return|exit|source|mkdir|rm)\b)[A-Za-z./][\w./-]*\s[^\n]*)"
)
"""A line that is a command by itself, and may be a check."""
TAKES_APART = later(r"(?m)\bshift\b|\bgetopts?\b|\bcase\s+[\"']?\$\{?[1@*]|^\s*set\s+--")
"""A script that goes through its words itself."""


def of_shell(call: Call, side: Side) -> list[str]:
    name = call.program.split()[-1].removeprefix("./")
    path = next((each for each in side.by_name.get(posixpath.basename(name), ()) if each.endswith(name)), None)
    text = side.text(path) or "" if path is not None else ""
    if path is not None and (followed := _followed(text, path, call, side)) is not None:
        return [followed]
    if TAKES_APART.search(text) is not None:
        return []

    def value(found: re.Match[str]) -> str:
        if found["all"]:
            return written(call.words)
        number = int(found["number"])
        return written(call.words[number - 1 : number]) or found["default"] or ""

    lines = (COMMAND.fullmatch(line) for line in text.split("\n") if "$" in line)
    return [USED.sub(value, line["command"]) for line in lines if line is not None]


def _followed(text: str, path: str, call: Call, side: Side) -> str | None:
    """What it runs with these words and variables, if they may decide anything in it."""
    if "$" not in text:
        return None
    whole, _ = with_sourced(text, path, side)
    return walked(whole, call.words, call.environment, call.asked)
