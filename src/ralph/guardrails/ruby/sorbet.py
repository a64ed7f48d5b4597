"""Ruby: what makes Sorbet look away (class G01). What a single line gained is told by `common.suppressed.silenced`.

Rules:

- `T.unsafe(x)` takes a value out of the check, and is shown.
- A file that fell to a level that checks no calls is not checked any more; one that demands less of its signatures
  (`# typed: strict` to `true`) is shown.
- A method that lost its signature takes anything from then on, and blocks. A comment that says it in RBS is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.common.suppressed.silenced import ESCAPED, SILENCED
from ralph.guardrails.inventory.readers import is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.ruby.context import name_of
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

LEVELS = ("ignore", "false", "true", "strict", "strong")
CHECKED = LEVELS.index("true")
"""From here on Sorbet looks at what is called."""
LEVEL = later(rb"(?:#[^\n]*\n)*?#[ \t]*typed:[ \t]*(\w+)")
SIGNATURE = later(rb"[ \t]*sig\b[ \t]*(?:\(:final\)[ \t]*)?(?:\{|do\b)")


def unchecked(source: Source) -> Iterator[Hit]:
    for node in source.walk() if b"T.unsafe" in source.data else ():
        if node.type == "call" and name_of(source, node) == "unsafe" and source.text(node).startswith("T."):
            yield source.hit("ruby.sorbet-unsafe", node, source.text(node))


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        fell = hit.rule == "ruby.sorbet-false" and _level(change.blobs.before(hit.path) or b"") >= CHECKED
        yield replace(hit, rule="ruby.sorbet-ignore") if fell else hit


def demanded_less(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and language(file, change) == "ruby" and not is_support(file.path):
            before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
            was, now = _level(before), _level(after)
            if was > now >= CHECKED:
                yield hit_at(ESCAPED, file.path, 1, f"typed: {LEVELS[was]} became typed: {LEVELS[now]}")
            if any(SIGNATURE.match(line) for hunk in file.hunks for line in hunk.removed):
                yield from _unsigned(file, before.split(b"\n"), after.split(b"\n"))


def _unsigned(file: FileChange, before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[Hit]:
    lost = set(_signed(before)) - set(_signed(after))
    for row, line in enumerate(after):
        if _bare(line) in lost and not after[row - 1].lstrip().startswith(b"#:"):
            head = line.decode("utf-8", "replace")
            yield hit_at(SILENCED, file.path, row + 1, f"{head.strip()} lost its signature", head)


def _level(data: bytes) -> int:
    said = LEVEL.match(data)
    name = said[1].decode("utf-8", "replace") if said is not None else ""
    return LEVELS.index(name) if name in LEVELS else -1


def _signed(lines: Sequence[bytes]) -> Iterator[bytes]:
    """The heads of methods below a signature."""
    below = False
    for line in lines:
        if SIGNATURE.match(line):
            below = True
        elif below and line.lstrip().startswith(b"def "):
            yield _bare(line)
            below = False


def _bare(line: bytes) -> bytes:
    return b"".join(line.split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (demanded_less,)
