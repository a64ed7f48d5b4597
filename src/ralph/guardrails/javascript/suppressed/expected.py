"""Compiler errors that a test expects (policy set v2, class G01).

TypeScript reports a `@ts-expect-error` above code that compiles, so that in a test it can be an assertion: this must
not compile. It is one, for a person to look at, where the change brings the code below it to a test file. Code that
stood there before, or stands now elsewhere in the change, was to compile: there the comment silences an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.compare import Places
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.model import Change, Hit
from ralph.record import replace

_IGNORE = b"@ts-ignore"
SILENCED, ASSERTED = "js.ts-expect-error", "js.ts-expect-error-in-type-test"


def errors(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with errors that new code of a test expects named as such."""
    hits = list(_stricter(hits, change))
    suspects = {hit.path for hit in hits if hit.rule == SILENCED and is_test_file(hit.path)}
    if not suspects:
        yield from hits
        return
    places = Places(change.files)
    known = {b"".join(line.split()) for file in change.files for hunk in file.hunks for line in hunk.removed}
    lines = {path: (change.blobs.after(path) or b"").split(b"\n") for path in suspects}
    for hit in hits:
        new = hit.rule == SILENCED and hit.path in suspects and _is_new(hit, lines[hit.path], places, known)
        yield replace(hit, rule=ASSERTED) if new else hit


def _stricter(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """Without those in the place of a `@ts-ignore`, which hid as much and never told when it was no longer needed."""
    ignored = {
        file.path: sum(_IGNORE in line for hunk in file.hunks for line in hunk.removed)
        - sum(_IGNORE in line for hunk in file.hunks for line in hunk.added)
        for file in change.files
    }
    for hit in hits:
        if hit.rule == SILENCED and ignored.get(hit.path, 0) > 0:
            ignored[hit.path] -= 1
        else:
            yield hit


def _is_new(hit: Hit, lines: Sequence[bytes], places: Places, known: set[bytes]) -> bool:
    """The next line with code was added by the change, and not only moved."""
    for number in range(hit.line + 1, len(lines) + 1):
        code = b"".join(lines[number - 1].split())
        if code and not code.startswith((b"//", b"/*", b"*")):
            return places.added(hit.path, number) and code not in known
    return False
