"""C#: `null!` and `default!`, which tell the compiler that nothing is something (policy set v2, class G01).

Rules: `return null!`, and a line of the base that only gained a `null!`, a `default!` or the mark itself, silence what
the compiler says of it: they block. Elsewhere (a property that something else sets later) it is shown. Tests may.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

SILENCED, SHOWN = "csharp.null-silenced", "csharp.null-forgiven"
NOTHING = r"(?:null|default\s*(?:\([^)]*\))?)\s*!"
WORDS = (NOTHING,)
FORGIVEN = later(NOTHING)
GAINED = later(rf"\s*=\s*{NOTHING}\s*;?|(?<=\bnull)\s*!|(?<=\bdefault)\s*!")


def forgiven(source: Source) -> Iterator[Hit]:
    if is_support(source.path) or not FORGIVEN.search(source.data.decode("latin-1")):
        return
    for node in source.walk():
        if node.type == "postfix_unary_expression" and FORGIVEN.fullmatch(source.text(node)):
            above = node.parent
            returned = above is not None and above.type in ("return_statement", "arrow_expression_clause")
            nothing = returned and source.text(node).startswith("null")
            yield source.hit(SILENCED if nothing else SHOWN, node, source.line_text(node.start_point.row + 1))


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """With those on lines that the base had without them as what silences the compiler."""
    paths = {hit.path for hit in hits if hit.rule == SHOWN}
    removed = {
        file.path: {_bare(line.decode("utf-8", "replace")) for hunk in file.hunks for line in hunk.removed}
        for file in change.files
        if file.path in paths
    }
    for hit in hits:
        there = hit.rule == SHOWN and _bare(GAINED.sub("", hit.snippet)) in removed[hit.path]
        yield replace(hit, rule=SILENCED) if there else hit


def _bare(line: str) -> str:
    return "".join(line.split()).rstrip(";")
