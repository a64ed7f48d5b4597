"""Git's reading subcommands: which files of which revision their words name.

Rules: the files whose contents or history could be shown are reads, also out of a revision, because a file that may
not be read may not be read from history either. Spec: policy engine; core concepts, "Command Blocking".
"""

from __future__ import annotations

from ralph.permissions.programs.arguments import Sorted, Table, sort_words
from ralph.permissions.programs.git_paths import Named
from ralph.permissions.programs.git_tables import READING
from ralph.permissions.programs.model import Arg, Use
from ralph.record import replace

NAMES_ONLY = frozenset(
    {"status", "rev-parse", "for-each-ref", "show-ref", "check-ref-format", "check-ignore", "version"}
)
"""Subcommands that show names, never what is in a file."""


def reading(name: str, args: tuple[Arg, ...]) -> Use:
    """`git NAME` for a name of READING."""
    return read_with(name, READING[name], args)


def read_with(name: str, options: Table, args: tuple[Arg, ...]) -> Use:
    """A reading subcommand with a table of its own."""
    words = sort_words(args, options)
    named = Named() if name in NAMES_ONLY else _named(name, words)
    refused = words.refused or _refused_format(words)
    unknown = words.unknown or named.unknown
    return Use(
        reads=(*words.reads, *named.reads),
        maybe_reads=tuple(named.maybe),
        reads_from_top=tuple(named.top),
        writes=words.writes,
        only_reads=not (refused or unknown or words.writes),
        refused=refused,
        unknown=unknown,
    )


def _named(name: str, words: Sorted) -> Named:
    named = Named()
    operands = words.operands
    if name == "grep" and not words.has("-e", "-f") and operands and words.closed != 0:
        operands = operands[1:]
        words = replace(words, closed=None if words.closed is None else words.closed - 1)
    for place, word in enumerate(operands):
        if words.closed is not None and place >= words.closed:
            named.pathspec(word)
        elif words.has("--no-index") and name in {"diff", "grep"}:
            named.reads.append(word)
        else:
            named.revision_or_path(word)
    for lines in words.values("-L") if name not in {"blame", "annotate", "grep"} else ():
        _lines_of(lines, named)
    return named


def _lines_of(lines: Arg, named: Named) -> None:
    """`-L START,END:FILE` and `-L :FUNCTION:FILE` show a file."""
    if lines.text is None or ":" not in lines.text:
        named.unknown = named.unknown or "the file of `-L` is not known"
        return
    for place in (place for place, sign in enumerate(lines.text) if sign == ":" and place):
        named.reads.append(lines.behind(place + 1))


def _refused_format(words: Sorted) -> str | None:
    """`%G…` in a format asks the program that checks signatures."""
    formats = words.values("--format", "--pretty")
    signed = any(value.text is None or "%G" in value.text for value in formats)
    return "its format is not known or runs the program that checks signatures" if signed else None
