"""Helpers that register tests and leave it to another function to run their steps again (see `rerun`, class G14)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ralph.guardrails.common.functions import Function
from ralph.system.patterns import later

REGISTERS = later(r"\b(?:it|test|specify)\b(?:\.\w+)*\(")
PARAMETER = later(r"(\w+)\s*[?:,)=]")


def handed(again: Collection[str], listed: Sequence[Function]) -> dict[str, tuple[int, str]]:
    """The functions that register a test which one of `again` runs, with what they were handed; each with its line and
    its head."""
    found: dict[str, tuple[int, str]] = {}
    for number, name, head, body in listed:
        given = set(PARAMETER.findall(head.partition("(")[2]))
        calls = (re.search(rf"(?<![\w.]){re.escape(each)}\(\s*(\w+)\s*[,)]", body) for each in again if each != name)
        if REGISTERS.search(body) and any(call is not None and call[1] in given for call in calls):
            found[name] = (number + 1, head.strip())
    return found
