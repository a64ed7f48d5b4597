"""Compiler errors that a test expects (policy set v2, class G01).

TypeScript reports a `@ts-expect-error` above code that compiles, so that in a test it can be an assertion: this must
not compile. It is one, for a person to look at, where the change brings the code below it to a test file. Code that
stood there before, or stands now elsewhere in the change, was to compile: there the comment silences an error. But in a
file of a folder for types among the tests, which said at the base already what must not compile, it is another answer
of the compiler's where the code of the product changed with it. So it is of a call in `if (false) { ... }`, which
nothing ever runs, where the test calls the same function in another way now as often as it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.compare import Places
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_test_code
from ralph.guardrails.model import Change, Hit, Hunk
from ralph.record import replace
from ralph.system.patterns import later

_IGNORE, _EXPECTS = b"@ts-ignore", b"@ts-expect-error"
_OF_TYPES = later(r"(?:^|/)(?:tests?|__tests__|specs?)/types?/[^/]+\.[cm]?tsx?$")
_NEVER = later(rb"if \(false\) \{")
_CALLED = later(rb"(?:[\w$]+[!?]?\.)*(?P<name>[\w$]+)\(.*\);?")
_PRODUCT = later(r"(?<!\.config)\.[cm]?tsx?$")
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
        suspect = hit.rule == SILENCED and hit.path in suspects
        asserts = suspect and (
            _is_new(hit, lines[hit.path], places, known)
            or _refuses_now(hit.path, change)
            or _is_called_otherwise(hit, lines[hit.path], change)
        )
        yield replace(hit, rule=ASSERTED) if asserts else hit


def _is_called_otherwise(hit: Hit, lines: Sequence[bytes], change: Change) -> bool:
    """What must not compile never runs, and the call that ran has another one of the same function in its place."""
    above = (
        line for line in reversed(lines[: hit.line - 1]) if line.strip() and _depth(line) < _depth(lines[hit.line - 1])
    )
    if _NEVER.fullmatch(next(above, b"").strip()) is None:
        return False
    called = _CALLED.match(lines[hit.line].strip()) if hit.line < len(lines) else None
    if called is None:
        return False
    name = called["name"] + b"("
    hunks = [hunk for file in change.files if file.path == hit.path for hunk in file.hunks]
    was, now = (sum(name in line for line in side) for side in _live(hunks))
    return now >= was > 0


def _live(hunks: Sequence[Hunk]) -> Iterator[list[bytes]]:
    """The lines of both sides, without those that must not compile."""
    for sides in ([hunk.removed for hunk in hunks], [hunk.added for hunk in hunks]):
        yield [
            line for side in sides for before, line in zip((b"", *side), side, strict=False) if _EXPECTS not in before
        ]


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _refuses_now(path: str, change: Change) -> bool:
    """A test of types by its folder and by what it said before, in a change of what it is about."""
    if _OF_TYPES.search(path) is None or _EXPECTS not in (change.blobs.before(path) or b""):
        return False
    return any(_PRODUCT.search(file.path) and not is_test_code(file.path) for file in change.files)


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
