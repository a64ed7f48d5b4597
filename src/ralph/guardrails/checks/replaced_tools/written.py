"""Programs with the name of a tool that a command writes (`printf 'exit 0' > .tools/ruff`), for the PATH to find first.

Rule: what is written out by hand, or is a program that does nothing, and does not name the tool itself, stands in its
place. What is downloaded, built, or runs the tool, is the tool or leads to it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from ralph.guardrails.checks.hooks.files import HOOK, NOTHING, WRITTEN
from ralph.guardrails.checks.replaced_tools.impostors import TOOLS, WRAPPERS
from ralph.system.patterns import later

BY_HAND = later(r"\s*(?:echo|printf)\b|\s*cat\b[^\n]*<<|:?\s*$")
LINE = later(r"(?:^|[;&(])\s*(?:echo|printf)\b[^;&]*\|\s*(?:sudo\s+)?tee\b")


def writes_a_tool(words: Sequence[str], line_text: str) -> bool:
    """Whether a command (see `spoken`) does. `line_text`: the line it stands on."""
    program = words[0].rpartition("/")[2]
    target = words[1] if program == WRITTEN else words[-1]
    if not is_tool(target):
        return False
    if program == WRITTEN:
        return BY_HAND.match(words[2]) is not None and not _names(target, words[2])
    if program in ("ln", "cp", "install"):
        return any(NOTHING.search(word) or word == "/dev/stdin" for word in words[1:-1])
    return program == "tee" and LINE.search(line_text) is not None and not _names(target, line_text.replace(target, ""))


def is_tool(path: str) -> bool:
    """A file in a folder that has the name of a tool, and is no hook of that name."""
    name = posixpath.basename(path.strip("\"'"))
    return "/" in path and name in TOOLS and name not in WRAPPERS and HOOK.search(path) is None


def _names(target: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(posixpath.basename(target))}(?![\w-])", text) is not None
