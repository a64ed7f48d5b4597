"""Added lines in which something does not show, or shows as something else (policy set v2, class G18).

Rules:

- In source code, invisible characters, turned directions, control characters and words that only look like Latin ones
  block in code and strings; in a comment, where they change nothing, an invisible character is for a person. So is all
  of it in a test that says what it is about (Unicode, white space, escaping).
- Right-to-left text with closed directions, emoji, marks at the start of a file are what they are (`characters`).
- In configuration a person looks; prose and translations may hold what their languages need. Invisible letters that
  spell a text block anywhere.
- Code behind a screen's width of blanks (but for plain values that gofmt put there, `aligned`), behind a line end that
  git does not show, in letters written as numbers.
- What the change took away elsewhere has only moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.hiding.aligned import is_aligned
from ralph.guardrails.hiding.characters import Sort, hidden, is_balanced, is_colour, is_plain
from ralph.guardrails.hiding.lookalikes import (
    FOREIGN,
    could_pass,
    has_formulas,
    is_mixed,
    is_notation,
    is_styled,
    lookalikes,
    names_in,
)
from ralph.guardrails.hiding.places import (
    ABOUT_TEXT,
    Kind,
    Part,
    Reader,
    hit,
    is_foreign,
    is_test,
    kind_of,
    language,
    plain_files,
    without_moved,
)
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.system.patterns import later

ESCAPED = later(rb"[\w$]*\\u(?:00[0-9a-fA-F]{2}|\{0*[0-9a-fA-F]{2}\})[\w$]*")
ESCAPES = frozenset({"javascript", "typescript", "tsx", "csharp"})
"""Java reads escapes before anything else: its own rule judges them."""

FAR = later(rb"[^ \t](?=[ \t]*(?: {100}|\t{13}))[ \t]+(?=[^ \t\r])")
ARMY = later("[\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e]{8}")
"""So many in a row spell something."""

BLOCK, REVIEW = "hidden.character", "hidden.character-shown"


def hidden_in_lines(change: Change) -> Iterable[Hit]:
    reader = Reader(change)
    found: list[Hit] = []
    removed: list[str] = []
    for file in plain_files(change):
        blob = file.added_text
        if not is_plain(blob) or b"\\u" in blob:
            found += _in_file(file, change, reader)
    if found:
        removed = [key for file in change.files for hunk in file.hunks for line in hunk.removed for key in _keys(line)]
    yield from without_moved(found, removed)
    yield from _paths(change)


def _in_file(file: FileChange, change: Change, reader: Reader) -> Iterator[Hit]:
    named = language(file, change.blobs)
    kind = Kind.SOURCE if named is not None else kind_of(file.path)
    names: frozenset[str] | None = None
    sorts: set[Sort] = set()
    for number, line in file.added():
        plain = is_plain(line)
        if plain and b"\\u" not in line:
            continue
        text = line.decode("utf-8", "surrogateescape")
        if not plain:
            yield from _characters(file, number, line, text, kind, reader, sorts)
        if kind is Kind.SOURCE:
            if FOREIGN.search(text):
                names = names if names is not None else names_in(change.blobs.after(file.path) or b"")
                yield from _words(file, number, line, text, names, reader)
            yield from _layout(file, number, line, named, reader)


def _characters(
    file: FileChange, number: int, line: bytes, text: str, kind: Kind, reader: Reader, sorts: set[Sort]
) -> Iterator[Hit]:
    """The first of each sort in a line; outside of source code, in the file."""
    seen = sorts if kind is not Kind.SOURCE else set[Sort]()
    for index, sort in hidden(text, first=number == 1):
        if sort not in seen:
            column = len(text[:index].encode("utf-8", "surrogateescape"))
            rule = _rule(file, number, column, text, index, sort, kind, reader)
            if rule:
                seen.add(sort)
                yield hit(rule, file, number, column + 1, line, sort.value, _key(sort, text, index))


def _rule(
    file: FileChange, number: int, column: int, text: str, index: int, sort: Sort, kind: Kind, reader: Reader
) -> str | None:
    if sort is Sort.TAG or ARMY.search(text):
        return BLOCK
    if kind is not Kind.SOURCE:
        return _outside_of_code(text, sort, kind)
    part = reader.part(file, number, column)
    honest = {
        Sort.BIDI: is_balanced(text),
        Sort.INVISIBLE: part is Part.COMMENT,
        Sort.SOFT: part is not Part.CODE,
        Sort.CONTROL: is_colour(text),
        Sort.LINE: part is Part.STRING,
    }[sort]
    if sort is Sort.CONTROL and is_test(file.path):
        honest = honest or part is Part.STRING or text[index] not in "\r\x1b\x08"
    if not honest and is_test(file.path) and part is not Part.CODE:
        honest = ABOUT_TEXT.search(f"{file.path}\n{reader.around(file, number)}") is not None
    return REVIEW if honest or is_foreign(file.path) else BLOCK


def _outside_of_code(text: str, sort: Sort, kind: Kind) -> str | None:
    if sort is Sort.BIDI:
        quiet = is_balanced(text) and kind is not Kind.CONFIGURATION
        return None if quiet else REVIEW
    if sort is Sort.CONTROL:
        return REVIEW if "\x1b" in text and not any("\udc80" <= each <= "\udcff" for each in text) else None
    return REVIEW if kind is Kind.CONFIGURATION and sort is Sort.INVISIBLE else None


def _words(
    file: FileChange, number: int, line: bytes, text: str, names: frozenset[str], reader: Reader
) -> Iterator[Hit]:
    for index, word, looks in lookalikes(text):
        if not is_mixed(word) and looks not in names:
            continue
        if is_notation(word) and not (looks in names and could_pass(word)):
            continue
        column = len(text[:index].encode("utf-8", "surrogateescape"))
        part = reader.part(file, number, column)
        if part is Part.STRING and is_notation(word):
            continue
        if part is Part.COMMENT or (part is Part.STRING and not is_mixed(word)):
            continue
        rule = "hidden.lookalike"
        if is_notation(word) and has_formulas(reader.whole(file)):
            rule = "hidden.lookalike-shown"
        if part is Part.STRING:
            if is_styled(word):
                continue
            others = (
                FOREIGN.sub("", text[:index] + text[index + len(word) :]) != text[:index] + text[index + len(word) :]
            )
            about = is_test(file.path) and ABOUT_TEXT.search(f"{file.path}\n{reader.around(file, number)}")
            rule = "hidden.lookalike-shown" if others or about or is_test(file.path) else rule
        yield hit(rule, file, number, column + 1, line, f"looks like {looks!r}", f"word {word}")


def _layout(file: FileChange, number: int, line: bytes, named: str | None, reader: Reader) -> Iterator[Hit]:
    """What stands far to the right, and names whose letters are written as numbers."""
    if (far := FAR.search(line)) and not is_foreign(file.path):
        part = reader.part(file, number, far.end())
        before = reader.part(file, number, far.start())
        formatted = named == "go" and is_aligned(
            reader.whole(file).split("\n"), number - 1, len(line[: far.end()].decode("utf-8", "replace"))
        )
        if part is Part.CODE and before is Part.CODE and not formatted:
            yield hit(
                "hidden.far-right",
                file,
                number,
                far.end() + 1,
                line,
                "behind a screen of blanks",
                f"far {line[far.end() :]!r}",
            )
    # An attribute of C# is read with its escapes by the rules of the language.
    if named in ESCAPES and b"\\u" in line and not (named == "csharp" and line.lstrip().startswith(b"[")):
        for match in ESCAPED.finditer(line):
            if reader.part(file, number, match.start() + match[0].index(b"\\u")) is Part.CODE:
                yield hit(
                    "hidden.lookalike", file, number, match.start() + 1, line, "a name in numbers", f"word {match[0]!r}"
                )


def _key(sort: Sort, text: str, index: int) -> str:
    """The sort and the word around the character."""
    return f"{sort.name} {text[max(0, index - 12) : index + 13].strip()}"


def _keys(line: bytes) -> Iterator[str]:
    """The keys that a line of the base answers for."""
    if not is_plain(line) or b"\\u" in line:
        text = line.decode("utf-8", "surrogateescape")
        yield from (_key(sort, text, index) for index, sort in hidden(text, first=False))
        yield from (f"word {word}" for _, word, _ in lookalikes(text))
        yield from (f"word {match[0]!r}" for match in ESCAPED.finditer(line))
        if far := FAR.search(line):
            yield f"far {line[far.end() :]!r}"


def _paths(change: Change) -> Iterator[Hit]:
    """New paths that are not what they look like."""
    for file in change.files:
        if file.status != "A" or (file.path.isascii() and file.path.isprintable()):
            continue
        shown = [sort for _, sort in hidden(file.path, first=False)]
        words = [
            word
            for _, word, looks in lookalikes(file.path)
            if is_mixed(word) and not is_styled(word) and not is_notation(word)
        ]
        if shown or words:
            what = shown[0].value if shown else f"a name that looks like another ({words[0]})"
            yield hit("hidden.path", file, 0, 0, file.path.encode("utf-8", "surrogateescape"), what)
