"""C#: `null!` and `default!`, which tell the compiler that nothing is something (policy set v2, class G01).

Rules: `return null!`, and a line of the base that only gained a `null!`, a `default!` or the mark itself, silence what
the compiler says of it: they block. Elsewhere (a property that something else sets later) it is shown. Tests may.
The mark behind anything else (`key!`, `current!.Name`) counts where such a line answers with it, or where nothing else
happened in the file; a file that from now on is read for what may be null shows it.
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
MARKED, INSIDE = "csharp.null-forgiven?", "csharp.null-forgiven-inside?"
"""Of what a line answers with, and of anything else: to be told apart by what the line was."""
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
        else:
            yield source.hit(MARKED if returned else INSIDE, node, line)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """With those on lines that the base had without them as what silences the compiler."""
    paths = {hit.path for hit in hits if hit.rule in (SHOWN, MARKED, INSIDE)}
    files = [file for file in change.files if file.path in paths]
    removed = {
        file.path: {_bare(without_note(line, "//")) for hunk in file.hunks for line in stripped(hunk.removed)}
        for file in files
    }
    busy = {
        file.path
        for file in files
        if any(_without_mark(line) not in removed[file.path] for hunk in file.hunks for line in stripped(hunk.added))
    }
    asked = {file.path for file in change.files if any(ENABLED in line for _, line in file.added())}
    for hit in hits:
        there = hit.rule in (SHOWN, MARKED, INSIDE) and _without_mark(hit.snippet) in removed[hit.path]
        if hit.rule not in (MARKED, INSIDE):
            yield replace(hit, rule=SILENCED) if there else hit
        elif there:
            shown = hit.path in asked or (hit.rule == INSIDE and hit.path in busy)
            yield replace(hit, rule=SHOWN if shown else SILENCED)


def _without_mark(line: str) -> str:
    return _bare(GAINED.sub("", without_note(line, "//")))


def _bare(line: str) -> str:
    return "".join(line.split()).rstrip(";")
