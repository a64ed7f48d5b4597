"""Comments that switch checks off, as a table that any language can use.

Rules (spec: governance engine 1.4; policy set v2, classes G01 and G11):

- a directive counts in a comment and in the form its tool honours, never in a string or in prose;
- its key is its name and its codes, sorted: spacing, order and explanation do not make it another directive;
- its scope is its codes, None when it names none (everything);
- a directive that opens a region and that nothing closes is a second hit, `comment.unclosed`: taking the closing
  mark away is a finding, adding one is none;
- where the grammar could not read a line, every comment mark on it is taken for a comment: nothing hides behind
  a broken line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import may_match
from ralph.guardrails.source import Comment, Source
from ralph.record import record, replace
from ralph.system.patterns import later

START = r"(?:\A|(?<=\n))[ \t\xa0/*#!;]*"
"""The beginning of a comment or of one of its lines, with the marks that stand there."""

EXPLANATION_LETTERS = 8
"""An explanation that says something: `// later` is none."""


EXCLUDE = r"\b(?:LCOV|GCOVR?|GRCOV)_EXCL_(?:BR_|EXCEPTION_BR_)?"
"""What lcov and its relatives begin their marks with."""


@record(kw_only=True)
class Directive:
    """One kind of directive. `form` and `end` may have a group `codes`, `form` also a group `why`."""

    rule: str
    name: str
    form: re.Pattern[str]
    end: re.Pattern[str] | None = None
    unexplained: str | None = None
    """A second rule, for a directive that names no codes or does not say why."""
    blanket: frozenset[str] = frozenset({"all", "*"})
    """Codes that mean everything."""
    beside_code: bool = False
    """It is about the line that it ends: on a line of its own it says nothing."""
    region_alone: bool = False
    """It opens a region only when it stands alone on its line; at the end of a line it is about that line."""


def directive(rule: str, name: str, form: str, *, end: str | None = None, flags: int = 0, **rest: object) -> Directive:
    """A row of a table, from pattern texts."""
    its_end = None if end is None else later(end, flags)
    return Directive(rule=rule, name=name, form=later(form, flags), end=its_end, **rest)  # type: ignore[arg-type]


COMMON = (
    directive("comment.nosonar", "NOSONAR", START + r"NOSONAR\b"),
    directive("comment.nosonar", "NOSONAR", r"\bNOSONAR\b", beside_code=True),  # among other words
    directive("comment.nosemgrep", "nosemgrep", START + r"(?:.*\s)?nosem(?:grep)?\b(?::[ ]*(?P<codes>\S[^\n]*))?"),
    directive("comment.codeql", "codeql", START + r"(?:codeql|lgtm)[ ]*\[(?P<codes>[^\]\n]*)\]"),
    directive("comment.noinspection", "noinspection", START + r"@?noinspection[ \t]+(?P<codes>[\w,. ]+)"),
    directive("comment.secret", "allow secret", r"gitleaks:allow|pragma:[ ]*allowlist[ ]+(?:nextline[ ]+)?secret"),
    directive("comment.scanner", "scanner ignore", START + r"(?:deepcode ignore|DevSkim:[ ]*ignore|checkov:skip=)"),
    directive("comment.coverage", "EXCL_LINE", EXCLUDE + "LINE\\b"),
    directive("comment.coverage", "EXCL_START", EXCLUDE + "START\\b", end=EXCLUDE + "STOP\\b"),
    directive(
        "comment.format",
        "formatter off",
        START + r"(?:clang-format off|@formatter:off|fmt: ?off|shfmt:ignore)\b",
        flags=re.IGNORECASE,
    ),
)
"""What scanners of many languages honour."""

COMMON_WORDS = (
    r"nosonar",
    r"nosem",
    r"(?:codeql|lgtm)\s*\[",
    r"noinspection",
    r"gitleaks:allow",
    r"allowlist",
    r"deepcode",
    r"devskim",
    r"checkov",
    r"_EXCL_",
    r"clang-format|@formatter|fmt: ?off|shfmt",
)


def suppressions(source: Source, table: Sequence[Directive], marks: Sequence[str]) -> Iterator[Hit]:
    """Hits of every directive of `table` in the comments of `source`; `marks` are what begins a comment."""
    rows = [row for row in table if may_match(row.form, source.data)]
    found = comments(source, marks) if rows else []
    for row in rows:
        for comment in found:
            if row.beside_code and comment.alone:
                continue
            for match in row.form.finditer(comment.text):
                yield from _hits(source, row, comment, match, found)


def comments(source: Source, marks: Sequence[str]) -> list[Comment]:
    """The comments of the syntax tree, and on lines that could not be read, whatever may be one."""
    read = list(source.comments)
    if not source.unreadable:
        return read
    taken = {(comment.line, comment.column) for comment in read}
    quoted = _quoted(source)
    start = 0
    for line, raw in enumerate(source.lines, start=source.first_line):
        if line in source.unreadable and (guess := _first_mark(raw, line, start, marks, quoted)):
            read += [guess] if (line, guess.column) not in taken else []
        start += len(raw) + 1
    return sorted(read, key=lambda comment: comment.start_byte)


def code_set(text: str | None, blanket: Iterable[str]) -> frozenset[str] | None:
    """Codes as written, apart; None for none or for a word that means all."""
    codes = frozenset(part for part in re.split(r"[\s,;|]+", text or "") if re.search(r"[\w*]", part))
    return None if not codes or codes & frozenset(blanket) else codes


def closed(codes: frozenset[str] | None, ends: Iterable[str | None], blanket: Iterable[str] = ()) -> bool:
    """True if what `ends` names, taken together, ends all of `codes`; an end that names nothing ends everything."""
    left = None if codes is None else set(codes)
    for end in ends:
        ended = code_set(end, blanket)
        if ended is None:
            return True
        if left is not None:
            left -= ended
            if not left:
                return True
    return False


def at_row(comment: Comment, row: int) -> Comment:
    """The comment, placed on its line number `row` (the first is 0)."""
    return replace(comment, line=comment.line + row, column=1) if row else comment


def label(name: str, codes: frozenset[str] | None) -> str:
    return name if codes is None else f"{name} {','.join(sorted(codes))}"


def _hits(
    source: Source, row: Directive, comment: Comment, match: re.Match[str], found: Sequence[Comment]
) -> Iterator[Hit]:
    groups = match.groupdict()
    codes = code_set(groups.get("codes"), row.blanket)
    place, key = _at(comment, match), label(row.name, codes)
    yield source.hit(row.rule, place, key, codes)
    if row.unexplained and (codes is None or not _explains(groups.get("why"))):
        yield source.hit(row.unexplained, place, key, codes)
    opens = row.end is not None and (comment.alone or not row.region_alone)
    if opens and not closed(codes, _later_ends(row, comment, match, found), row.blanket):
        yield source.hit("comment.unclosed", place, key, codes)


def _explains(why: str | None) -> bool:
    return sum(map(str.isalpha, why or "")) >= EXPLANATION_LETTERS


def _later_ends(
    row: Directive, comment: Comment, match: re.Match[str], found: Sequence[Comment]
) -> Iterator[str | None]:
    """The codes that later comments name as ended."""
    assert row.end is not None
    for other in found:
        if other.start_byte >= comment.start_byte:
            start = match.end() if other.start_byte == comment.start_byte else 0
            yield from (end.groupdict().get("codes") for end in row.end.finditer(other.text, start))


def _at(comment: Comment, match: re.Match[str]) -> Comment:
    """The comment, placed on the line where the match begins."""
    begin = match.end() - len(match.group().lstrip(" \t\xa0\n/*#!;"))
    return at_row(comment, comment.text.count("\n", 0, begin))


def _quoted(source: Source) -> set[tuple[int, int]]:
    """(line, column) of every byte of a string literal that lies on one line and was read without error."""
    inside: set[tuple[int, int]] = set()
    for node in source.walk():
        line, one_line = node.start_point.row + source.first_line, node.start_point.row == node.end_point.row
        if "string" in node.type and one_line and line in source.unreadable and not node.has_error:
            columns = range(node.start_point.column + 1, node.end_point.column + 1)
            inside.update((line, column) for column in columns)
    return inside


def _first_mark(
    raw: bytes, line: int, line_start: int, marks: Sequence[str], quoted: set[tuple[int, int]]
) -> Comment | None:
    """The rest of a line from its first comment mark outside such a literal."""
    found = (match.start() for mark in marks for match in re.finditer(re.escape(mark.encode()), raw))
    start = min((place for place in found if (line, place + 1) not in quoted), default=None)
    if start is None:
        return None
    return Comment(
        text=raw[start:].decode("utf-8", "replace"),
        line=line,
        column=start + 1,
        end_line=line,
        start_byte=line_start + start,
        alone=not raw[:start].strip(),
    )
