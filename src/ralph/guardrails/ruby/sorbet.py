"""Ruby: what makes Sorbet look away (class G01). What a single line gained is told by `common.suppressed.silenced`.

Rules:

- `T.unsafe(x)` takes a value out of the check, and is shown.
- A file that fell to a level that checks no calls is not checked any more; so is one that says no level where it said
  one, unless the settings of Sorbet do, or the project does without Sorbet.
- One that demands less of its signatures (`# typed: strict` to `true`) blocks if it has a method without one, or a
  variable of its objects without a type, which was demanded; otherwise it is shown.
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
METHOD = later(rb"[ \t]*(?:(?:private|protected|public|private_class_method)[ \t]+)?def[ \t]")
VARIABLE = later(rb"(?m)^[ \t]*@(\w+)[ \t]*(?:\|\|)?=(?![=~])[ \t]*+(?!T\.let\b|[a-z_]\w*[ \t]*$)")
DECLARED = later(rb"@(\w+)[ \t]*(?:\|\|)?=[ \t]*T\.let\b|#:[ \t]*@(\w+)")
SETTINGS, GEMS = "sorbet/config", "Gemfile"
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
                rule = SILENCED if now == CHECKED and _asks_too_little(after) else ESCAPED
                yield hit_at(rule, file.path, 1, f"typed: {LEVELS[was]} became typed: {LEVELS[now]}")
            elif was >= CHECKED and now < 0 and not _is_said_elsewhere(change):
                yield hit_at("ruby.sorbet-ignore", file.path, 1, f"typed: {LEVELS[was]} is gone")
            if any(SIGNATURE.match(line) for hunk in file.hunks for line in hunk.removed):
                lost = _unsigned(file, before.split(b"\n"), after.split(b"\n"))
                yield from (replace(hit, rule=ESCAPED) for hit in lost) if _is_taken_out(change) else lost


def _unsigned(file: FileChange, before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[Hit]:
    lost = set(_signed(before)) - set(_signed(after))
    for row, line in enumerate(after):
        if _bare(line) in lost and not after[row - 1].lstrip().startswith(b"#:"):
            head = line.decode("utf-8", "replace")
            yield hit_at(SILENCED, file.path, row + 1, f"{head.strip()} lost its signature", head)


def _is_said_elsewhere(change: Change) -> bool:
    return _is_taken_out(change) or b"--typed" in (change.blobs.after(SETTINGS) or b"")


def _is_taken_out(change: Change) -> bool:
    """The project does without Sorbet from now on."""
    return [b"sorbet" in (read(GEMS) or b"") for read in (change.blobs.before, change.blobs.after)] == [True, False]


def _asks_too_little(data: bytes) -> bool:
    """Whether something has no type that the stricter levels demand to have one."""
    lines = data.split(b"\n")
    heads = (
        line for row, line in enumerate(lines) if METHOD.match(line) and not lines[row - 1].lstrip().startswith(b"#:")
    )
    declared = {name for found in DECLARED.finditer(data) for name in found.groups()}
    return bool({_bare(line) for line in heads} - set(_signed(lines)) or set(VARIABLE.findall(data)) - declared)


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
        elif below and METHOD.match(line):
            yield _bare(line)
            below = False


def _bare(line: bytes) -> bytes:
    return b"".join(line.split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (demanded_less,)
