"""Ruby: what makes Sorbet look away (policy set v2, class G01).

Rules: a file that fell from a strict level to one that checks no calls is not checked any more. `T.unsafe(x)` takes a
value out of the check: it blocks where the base had the very line without it, since then it silences what Sorbet says
of that line; new code with it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.ruby.context import name_of
from ralph.guardrails.source import Source
from ralph.guardrails.texts import stripped, without_note
from ralph.record import replace
from ralph.system.patterns import later

UNSAFE, SILENCED = "ruby.sorbet-unsafe", "ruby.sorbet-silenced"
STRICT = later(rb"(?:#[^\n]*\n)*?#[ \t]*typed:[ \t]*(?:strict|strong)\b")
WRAPPED = later(r"\bT\.unsafe(?:\((?P<value>[^()]*(?:\([^()]*\)[^()]*)*)\)|[ \t]+(?P<bare>[\w@.]+))")


def unchecked(source: Source) -> Iterator[Hit]:
    """`T.unsafe(x)`: Sorbet looks away from one value."""
    for node in source.walk() if b"T.unsafe" in source.data else ():
        if node.type == "call" and name_of(source, node) == "unsafe" and source.text(node).startswith("T."):
            yield source.hit(UNSAFE, node, source.text(node))


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    paths = {hit.path for hit in hits if hit.rule == UNSAFE}
    removed = {
        file.path: {_bare(line) for hunk in file.hunks for line in stripped(hunk.removed)}
        for file in change.files
        if file.path in paths
    }
    for hit in hits:
        if hit.rule == UNSAFE and _bare(hit.snippet) in removed[hit.path]:
            yield replace(hit, rule=SILENCED)
        elif hit.rule == "ruby.sorbet-false" and STRICT.match(change.blobs.before(hit.path) or b"") is not None:
            yield replace(hit, rule="ruby.sorbet-ignore")  # not even its calls are checked any more
        else:
            yield hit


def _bare(line: str) -> str:
    without = WRAPPED.sub(lambda wrapped: wrapped["value"] or wrapped["bare"] or "", without_note(line, "#"))
    return "".join(without.split())
