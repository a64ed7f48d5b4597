"""C#: `null!` and `default!`, which tell the compiler that nothing is something (policy set v2, class G01).

Rules: `return null!`, and a line of the base that only gained a `null!`, a `default!` or the mark itself, silence what
the compiler says of it: they block. Elsewhere (a property that something else sets later) it is shown. Tests may.
The mark behind anything else (`key!`) counts where such a line answers with it; a file that from now on is read for
what may be null shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import stripped, without_note
from ralph.record import replace
from ralph.system.patterns import later

SILENCED, SHOWN = "csharp.null-silenced", "csharp.null-forgiven"
MARKED = "csharp.null-forgiven?"
"""To be told apart by what the line was."""
NOTHING = r"(?:null|default\s*(?:\([^)]*\))?)\s*!"
WORDS = (NOTHING, r"[\w)\]]!")
FORGIVEN = later(NOTHING)
GAINED = later(rf"\s*=\s*{NOTHING}\s*;?|(?<=[\w)\]])\s*!(?!=)")
ENABLED = b"#nullable enable"


def forgiven(source: Source) -> Iterator[Hit]:
    if is_support(source.path) or not GAINED.search(source.data.decode("latin-1")):
        return
    for node in source.walk():
        if node.type != "postfix_unary_expression" or not source.text(node).endswith("!"):
            continue
        returned = node.parent is not None and node.parent.type in ("return_statement", "arrow_expression_clause")
        line = source.line_text(node.start_point.row + 1)
        if FORGIVEN.fullmatch(source.text(node)):
            nothing = returned and source.text(node).startswith("null")
            yield source.hit(SILENCED if nothing else SHOWN, node, line)
        elif returned:
            yield source.hit(MARKED, node, line)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """With those on lines that the base had without them as what silences the compiler."""
    paths = {hit.path for hit in hits if hit.rule in (SHOWN, MARKED)}
    removed = {
        file.path: {_bare(without_note(line, "//")) for hunk in file.hunks for line in stripped(hunk.removed)}
        for file in change.files
        if file.path in paths
    }
    asked = {file.path for file in change.files if any(ENABLED in line for _, line in file.added())}
    for hit in hits:
        there = (
            hit.rule in (SHOWN, MARKED) and _bare(GAINED.sub("", without_note(hit.snippet, "//"))) in removed[hit.path]
        )
        if hit.rule == MARKED:
            yield from [replace(hit, rule=SHOWN if hit.path in asked else SILENCED)] if there else []
        else:
            yield replace(hit, rule=SILENCED) if there else hit


def _bare(line: str) -> str:
    return "".join(line.split()).rstrip(";")
