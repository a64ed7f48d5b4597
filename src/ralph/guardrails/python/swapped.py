"""A `type: ignore` comment that names another error than before (policy set v2, class G01).

Where the code on the line is the same and as many errors are named as before, a type checker or the types of a
dependency may have given the error another name: a person looks. More errors, or other code, are a new suppression.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

IGNORE = later(r"#\s*type:\s*ignore\[([^\]]*)\]")
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


def _parts(line: bytes) -> tuple[str, str, int] | None:
    """The code, what stands behind the comment, and how many errors it names."""
    text = line.decode("utf-8", "replace").strip()
    found = IGNORE.search(text)
    if found is None or not text[: found.start()].strip():
        return None
    codes = {code.strip() for code in found[1].split(",") if code.strip()}
    return text[: found.start()].strip(), text[found.end() :].strip(), len(codes)
