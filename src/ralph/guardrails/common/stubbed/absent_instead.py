"""A refusal that became "there is none", which tests and callers now ask for (policy set v2, class G19).

Rule: the function gives nothing (`None`, `null`, `nil`) where it refused, a line that the change adds to tests calls it
and wants nothing, and each variable of its file that takes its answer is asked, on a line that the change adds, whether
there is one: what was told by an exception is told by the answer, and what that means is for a person. Where no test
says so, or a caller does not ask, nobody hears of the failure any more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

NOTHING = later(r"(?:return\b\s*)?(?:None|null|nil|undefined)\s*;?")
HEAD = later(
    r"^(?!\s*(?:if|for|while|switch|catch|with|return|else|elif)\b)[^=\n]*?(?<![.\w])(?P<name>[A-Za-z_$]\w*)\("
)
ENDS = (":", "{")
WANTS_NOTHING = (
    r"(?:\bis None\b|[=!]==?\s*(?:None|null|nil|undefined)\b|\bassert(?:Is)?(?:None|Null)\b|\.toBe(?:Null|Undefined)\("
    r"|\bbe_nil\b|\bassert_nil\b|\b(?:assert|require)\.Nil\b|\bIs\.Null\b|\bisNull\()"
)
FARTHEST = 40
"""Lines above an answer at which the head of its function stands."""


def is_asked_for(file: FileChange, number: int, text: str, change: Change) -> bool:
    """`number` is the line of the head that gives `text` now."""
    if NOTHING.fullmatch(text) is None:
        return False
    now = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    heads = (_head(line) for line in reversed(now[max(0, number - FARTHEST) : number]))
    name = next(filter(None, heads), "")
    return bool(name) and _is_wanted(name, change) and _is_asked(name, file, now)


def _head(line: str) -> str:
    """The function that begins on a line."""
    match = HEAD.match(line) if line.rstrip().endswith(ENDS) else None
    return match["name"] if match is not None else ""


def _is_wanted(name: str, change: Change) -> bool:
    call = rf"(?<!\w){re.escape(name)}\("
    wants = re.compile(rf"{call}[^\n]*{WANTS_NOTHING}|{WANTS_NOTHING}[^\n]*{call}")
    for file in change.files:
        reader = reader_of(language(file, change))
        if reader is None or not reader.is_test_file(file.path) or name.encode() not in file.added_text:
            continue
        if wants.search(file.added_text.decode("utf-8", "replace")):
            return True
    return False


def _is_asked(name: str, file: FileChange, now: Sequence[str]) -> bool:
    call = rf"(?<![\w.])(?:self\.|this\.)?{re.escape(name)}\("
    taken = re.compile(rf"\s*(?:(?:[\w<>\[\]?]+\s+){{0,3}})(?P<held>\w+)\s*(?::[^=]+)?:?=\s*(?:await\s+)?{call}")
    added = file.added_text.decode("utf-8", "replace")
    for line in (each for each in now if re.search(call, each) and _head(each) != name):
        match = taken.match(line)
        held = re.escape(match["held"]) if match is not None else ""
        asks = rf"\b{held}\s*(?:is (?:not )?None\b|[=!]==?\s*(?:None|null|nil|undefined)\b|\.nil\?|\?\?|\?\.)"
        asks += rf"|\bif\b[ (!]*(?:not )?{held}\s*[:){{]|\bunless {held}\b"
        if not held or not re.search(asks, added):
            return False
    return True
