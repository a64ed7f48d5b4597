"""Rows of a benchmark's report that are written down beside rows that are measured (policy set v2, classes G17, G20).

    { name: "get", old: perSecond(oldGet), now: perSecond(get) },
    { name: "mixed, 8 workers", old: 61_500, now: 1_742_000 },

Rule, in all languages, for a file that reads a clock and speaks of benchmarks: of the rows of one list, or of what one
function is told in statements (`report("get", measure(get))`, `rows.append(...)`), at least two call what measures, and
another one has numbers there and measures nothing. A row that the change writes blocks. One that says what else it is,
as a limit or what an older version reached, is for a person. Nought stands for what was not measured. What is said of
one measurement in several rows (how many rounds, the mean) is no row of its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ralph.guardrails.commas import CLOSING, OPENING, marks
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in_part
from ralph.record import record
from ralph.system.patterns import later

CLOCK = later(
    r"\bperformance\.now|\bperf_counter|\bhrtime|\bprocess_time|\bmonotonic\(|\btime\.time\(|\bInstant::now|\btime\.(?:Now|Since)\("
    r"|\bStopwatch\b|\bnanoTime|\bcurrentTimeMillis|\bclock_gettime|\bBenchmark\.(?:measure|realtime)|\btimeit\b|\bDate\.now\("
    r"|\bmicrotime\(|\bmeasureTime\w*|\bDispatchTime\.now|\bsteady_clock|\bhigh_resolution_clock"
)
SPEAKS = later(r"(?i)bench|per.?sec|ops/|throughput|latency|speed.?up|perf(?:ormance)?\b(?!\.now)")
WORTH = later(rb"[\[({,=:]\s*\d[\d_]*(?:\.\d|\d)")
STRING = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")
NOTE = later(r"(?<![:\w])//[^\n]*|/\*.*?\*/", re.DOTALL)
HASH_NOTE = later(r"(?m)(?:^|(?<=\s))#[^\n]*")
HASH = frozenset(("python", "ruby", "shell"))
ROW = later(r"(?:&?(?:new\s+)?[\w.:]*\s*)?[\[({].*[\])}]", re.DOTALL)
VALUE = later(r"(?:[\"']?(?P<key>[A-Za-z_]\w*)[\"']?\s*(?::(?!:)|=>|=(?![=>]))\s*)?(?P<value>.*)", re.DOTALL)
NUMBER = later(r"(?:[1-9][\d_]*\d|\d[\d_]*\.\d+)(?:e\d+)?(?:[a-z]\w*)?")
CALLED = later(r"\b([A-Za-z_]\w*)[!?]?(?=[\s(<{])")
TELLS = later(
    r"(?m)^[ \t]*(?:await\s+)?(?!(?:\w+\.)*(?i:print|log|puts|info|debug|write|echo|fmt\.))"
    r"(?P<name>[A-Za-z_][\w.:]*!?)(?:\s*<<)?\s*$"
)
"""What a statement calls, or puts something into; what only shows a text tells no rows."""
GIVEN = later(
    r"(?m)^\s*(?:(?:const|let|var|val|auto|final)\s+)?(?P<name>[a-z_]\w*)\s*(?::\s*\w+\s*)?:?=\s*(?P<value>[^=\n].*)$"
)
OTHERWISE = later(
    r"(?i)target|budget|limit|goal|threshold|baseline|record|previous|publish|referen|allowed|\bmax|\bmin|\bold\b|before"
    r"|\blast|\bv?\d+\.\d+\.|expected|assum|estimat|vendor|spec\b|theor"
    r"|round|iteration|warm|sample|repetition|\bsize\b|\bcount\b"
)
FEW = 2
LONGEST = 200_000
WORDS = frozenset(("if", "for", "while", "switch", "catch", "return", "function", "def", "fn", "func", "with", "match"))


@record
class Group:
    """What stands between two brackets, apart at its commas."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]


@record
class Row:
    start: int
    end: int
    values: dict[str, str]


def unmeasured_rows(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.binary or file.status == "D" or language_of(file.path) is None:
            continue
        data = (change.blobs.after(file.path) or b"")[:LONGEST]
        text = data.decode("utf-8", "replace")
        speaks = is_in_part(CLOCK, text) and (SPEAKS.search(file.path) or SPEAKS.search(text)) is not None
        if speaks and WORTH.search(file.added_text):
            yield from _written(file, text, data)


def _written(file: FileChange, text: str, data: bytes) -> Iterator[Hit]:
    note = HASH_NOTE if language_of(file.path) in HASH else NOTE
    plain = note.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    functions = _measuring(data)
    measuring = functions | _measured_names(plain, functions)
    written = {number for number, _ in file.added()}
    for rows in _tables(plain):
        called = Counter(key for row in rows for key, value in row.values.items() if _calls(value, functions))
        measured = {key for key, number in called.items() if number >= FEW}
        for row in rows if measured else ():
            numbers = [key for key in row.values if key in measured and NUMBER.fullmatch(row.values[key])]
            line, last = (text.count("\n", 0, at) + 1 for at in (row.start, row.end))
            if not numbers or any(_is_measured(value, measuring) for value in row.values.values()):
                continue
            if written.isdisjoint(range(line, last + 1)):
                continue
            lines = text.split("\n")
            said = "\n".join(lines[max(0, line - 2) : last])
            rule = (
                "evidence.report-added" if _says_otherwise(note.findall(said), plain, row) else "evidence.fake-output"
            )
            detail = f"{', '.join(numbers)} of this row is written down; that of the others is measured"
            yield hit_at(rule, file.path, line, detail, lines[line - 1].strip())


def _says_otherwise(notes: Sequence[str], plain: str, row: Row) -> bool:
    """In a text of the row, or a comment at it."""
    return any(map(OTHERWISE.search, [*STRING.findall(plain[row.start : row.end]), *notes]))


def _measuring(data: bytes) -> frozenset[str]:
    """Functions that read a clock, and those that call them."""
    bodies = {name: f"{head}\n{body}" for _, name, head, body in functions_of(data)}
    found = {name for name, body in bodies.items() if CLOCK.search(body)}
    size = 0
    while size < len(found):
        size = len(found)
        found |= {name for name, body in bodies.items() if found & set(CALLED.findall(body.partition("(")[2]))}
    return frozenset(found)


def _measured_names(plain: str, functions: frozenset[str]) -> frozenset[str]:
    return frozenset(match["name"] for match in GIVEN.finditer(plain) if _calls(match["value"], functions))


def _calls(value: str, functions: frozenset[str]) -> bool:
    return not functions.isdisjoint(CALLED.findall(STRING.sub("''", value)))


def _is_measured(value: str, measuring: frozenset[str]) -> bool:
    names = frozenset(re.findall(r"[A-Za-z_]\w*", STRING.sub("''", value)))
    return CLOCK.search(value) is not None or not names.isdisjoint(measuring)


def _tables(plain: str) -> Iterator[Sequence[Row]]:
    groups = _groups(plain)
    told: dict[str, list[Row]] = defaultdict(list)
    for group in groups.values():
        rows = [row for part in group.parts if (row := _row(plain, part, groups)) is not None]
        if len(rows) > 1:
            yield rows
        line = plain.rfind("\n", 0, group.start) + 1
        teller = TELLS.fullmatch(plain, line, group.start)
        if teller is not None and teller["name"] not in WORDS:
            inner = (
                rows[0]
                if len(rows) == 1 and len(group.parts) == 1
                else Row(group.start, group.end, _values(plain, group))
            )
            told[teller["name"]].append(inner)
    yield from (rows for rows in told.values() if len(rows) > 1)


def _groups(plain: str) -> dict[int, Group]:
    """By where they end."""
    found: dict[int, Group] = {}
    stack: list[tuple[int, list[int]]] = []
    for at, letter in marks(plain, STRING):
        if letter in OPENING:
            stack.append((at, [at + 1]))
        elif letter in CLOSING and stack:
            start, begins = stack.pop()
            ends = [*(begin - 1 for begin in begins[1:]), at]
            parts = tuple((one, end) for one, end in zip(begins, ends, strict=True) if plain[one:end].strip())
            found[at] = Group(start, at, parts)
        elif letter == "," and stack:
            stack[-1][1].append(at + 1)
    return found


def _row(plain: str, part: tuple[int, int], groups: dict[int, Group]) -> Row | None:
    start, end = part
    written = plain[start:end]
    start, end = start + len(written) - len(written.lstrip()), end - len(written) + len(written.rstrip())
    group = groups.get(end - 1)
    if group is None or not start <= group.start or ROW.fullmatch(plain, start, end) is None:
        return None
    if not re.fullmatch(r"&?(?:new\s+)?[\w.:]*\s*", plain[start : group.start]) or len(group.parts) < 2:
        return None
    return Row(start, end, _values(plain, group))


def _values(plain: str, group: Group) -> dict[str, str]:
    found = {}
    for number, (start, end) in enumerate(group.parts):
        match = VALUE.fullmatch(plain[start:end].strip())
        if match is not None:
            found[match["key"] or f"value {number + 1}"] = match["value"]
    return found


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unmeasured_rows,)
