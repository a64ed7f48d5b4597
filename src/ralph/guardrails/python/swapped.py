"""A `type: ignore` comment that names another error than before (policy set v2, class G01).

Where the code on the line is the same and as many errors are named as before, a type checker or the types of a
dependency may have given the error another name: a person looks. More errors, or other code, are a new suppression.
What is said behind the comment is no code; what it silences there of other tools is a matter of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

IGNORE = later(r"#\s*type:\s*ignore\[([^\]]*)\]\s*(?:#.*)?$")
LAST = later(r"#\s*type:\s*ignore\b")
NEW, SWAPPED = "py.type-ignore", "py.type-ignore-swapped"


def swapped(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with comments that only changed the name of the error turned into a matter for a person."""
    paths = {hit.path for hit in hits if hit.rule == NEW}
    removed = {
        file.path: [_parts(line) for hunk in file.hunks for line in hunk.removed] for file in change.files if paths
    }
    for hit in hits:
        now = _parts(hit.snippet.encode()) if hit.rule == NEW else None
        same = now is not None and any(was is not None and was == now for was in removed.get(hit.path, ()))
        yield replace(hit, rule=SWAPPED) if same else hit


def _parts(line: bytes) -> tuple[str, int] | None:
    """The code, and how many errors the comment behind it names: the last one, as one before may stand in a text."""
    text = line.decode("utf-8", "replace").strip()
    last = max((each.start() for each in LAST.finditer(text)), default=0)
    found, code = IGNORE.match(text, last), text[:last].strip()
    if found is None or not code:
        return None
    return code, len({each.strip() for each in found[1].split(",") if each.strip()})
