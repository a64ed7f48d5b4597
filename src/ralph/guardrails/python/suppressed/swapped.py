"""A `type: ignore` comment that names another error than before (policy set v2, class G01).

Where the code on the line is the same and as many errors are named as before, a type checker or the types of a
dependency may have given the error another name: a person looks. More errors, or other code, are a new suppression.
What is said behind the comment is no code; what it silences there of other tools is a matter of its own.

So is one on the line that gives a variable its value, where a line of the same block below it had one, names the
variable, and stands there without it: the error is silenced once, where it comes from. Each such line answers for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

ASSIGNED = later(r"(\w+)\s*(?::[^=]+)?=(?!=)")
IGNORE = later(r"#\s*type:\s*ignore\[([^\]]*)\]\s*(?:#.*)?$")
LAST = later(r"#\s*type:\s*ignore\b")
Parts = tuple[str, int]
NEW, SWAPPED = "py.type-ignore", "py.type-ignore-swapped"


def swapped(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with comments that only changed the name of the error turned into a matter for a person."""
    paths = {hit.path for hit in hits if hit.rule == NEW}
    removed = {
        file.path: [_parts(line) for hunk in file.hunks for line in hunk.removed] for file in change.files if paths
    }
    lines = {path: (change.blobs.after(path) or b"").decode("utf-8", "replace").split("\n") for path in paths}
    for hit in hits:
        now = _parts(hit.snippet.encode()) if hit.rule == NEW else None
        known = removed.get(hit.path, [])
        same = now is not None and (now in known or _moved_up(hit, now, lines[hit.path], known))
        yield replace(hit, rule=SWAPPED) if same else hit


def _moved_up(hit: Hit, now: Parts, lines: Sequence[str], known: list[Parts | None]) -> bool:
    """The comment came from a line below, which uses what this one assigns; that line is no longer among the known."""
    name = ASSIGNED.match(now[0])
    if name is None:
        return False
    named = re.compile(rf"(?<![\w.]){name[1]}\b(?!\s*(?:=(?!=)|:))")
    for line in _block(lines, hit.line - 1):
        was = next((each for each in known if each and each[0] == line and each[1] >= now[1]), None)
        if was is not None and named.search(line):
            known.remove(was)
            return True
    return False


def _block(lines: Sequence[str], start: int) -> Iterator[str]:
    """The lines below one, up to the end of its block."""
    depth = len(lines[start]) - len(lines[start].lstrip())
    for line in lines[start + 1 :]:
        text = line.strip()
        if text and len(line) - len(line.lstrip()) < depth:
            return
        yield text


def _parts(line: bytes) -> Parts | None:
    """The code, and how many errors the comment behind it names: the last one, as one before may stand in a text."""
    text = line.decode("utf-8", "replace").strip()
    last = max((each.start() for each in LAST.finditer(text)), default=0)
    found, code = IGNORE.match(text, last), text[:last].strip()
    if found is None or not code:
        return None
    return code, len({each.strip() for each in found[1].split(",") if each.strip()})
