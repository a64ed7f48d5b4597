"""A table of whole inputs and their answers, asked before anything is computed (policy set v2, class G07).

`SETTLED.get(`${country}:${from}:${to}`)` in front of an algorithm: the table holds the rows of a test, one by one.

Rule: a new table in product code has keys made of several values, as one text with marks between (`"DE:2024-03-25"`) or
as a tuple (`("DE", "2024-03-25")`); a function of that file, or of one of the change that names it, gives back what the
table has, if it has it, and computes the answer else; and a test, or what lies beside tests, has every entry, all parts
of the key and the answer, close together; or has most of them so, and the answers of the others. It blocks where two
parts or more of most keys are data (they hold a digit), and one of each; and where tests ask the function for nothing
else and the answers could be worked out (`all_rows`); else the keys may be names for something, and it is for a person.
A table alone, without anything that computes, is data.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.product.all_rows import are_spelled, holds_all
from ralph.guardrails.common.product.asked import TRIVIAL, asks
from ralph.guardrails.common.product.special import BESIDE, is_of_tests, tests_of
from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

LANGUAGES = frozenset(
    {"python", "javascript", "typescript", "tsx", "go", "java", "kotlin", "csharp", "ruby", "rust", "php"}
)
_CONSTANT = r"(?:-?\d[\d_]*(?:\.\d+)?[a-zA-Z]?|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}')(?:\.to_string\(\)|\.into\(\))?"
_GIVES = r"\s*(?:=>|:|,|=|\bto\b|\),?)\s*"
ENTRY = later(
    rf"(?:[\[{{(]|(?:\b\w+\.)?(?:put|of|entry|insert|set|Add)\()?\s*(?:(?P<text>\"[^\"\n]{{3,120}}\"|'[^'\n]{{3,120}}')"
    rf"|\w*\s?[\[{{(]\s*(?P<several>{_CONSTANT}(?:\s*,\s*{_CONSTANT}){{1,8}})\s*[\]}})]){_GIVES}(?P<value>{_CONSTANT})"
    r"\s*[\]})]*\s*[,;]?\s*[\]})]*\s*[,;]?"
)
"""A line of a table, or an entry that is put into one."""
WORTH = later(rb"\w[\"']?[:|/;,_ ]{1,2}[\"']?\w[^\n]*[\"'\])}][\s)]*(?:=>|[:,=]|to\b)")
OPENS = later(r"(?P<head>[^=\n]*[\w>\])])\s*:?=[^=\n]*[\[{(]\s*")
PUT_INTO = later(r"\s*(?P<into>\w+)\.(?:put|insert|set|Add)\(")
TYPE = later(r":.*")
LAST_WORD = later(r"[A-Za-z_$][\w$]*(?=\W*$)")
PARTS = later(r"[:|/;,_ ]+|(?<=\d)[x×](?=\d)")
SAYS = later(r"\w")
"""A dash stands for what is not there."""
CONSTANT = later(_CONSTANT)
DATA = later(r"\d")
GIVES_BACK = later(r"\breturn\b|\bif let\b|\?\?|\|\||(?<![=!<>])=(?!=)")
REFUSES = later(r"\b(?:throw|raise|panic\w*|abort|unimplemented|todo)\b|\bErr\(|\berrors?\.")
COMPUTES = later(r"\b(?:for|while|loop|do)\b|[-+*/%]=|\+\+|\w[ ]?[-+*/%][ ]\w|\b\w+[!?]?\(")
ELSE_COMPUTES = later(r"(?:\?\?|\|\||\?:|\bor\b|[{,])[ ]?(?:\|\||\(\))?(?:[ ]?=>|->)?[ ]?[\w.:$]+[!?]?\(")
"""On the line that asks: `TABLE[key] ?? compute(a, b)`."""
IDLE = later(r"\s*(?:[\])};]*(?:\.\w+(?:\(\))?)?[;,]?|(?://|#|\*|/\*).*|end)\s*")
RETURN, LEAVES = later(r"\breturn\b"), later(r"\s*(?:if|return|unless)\b")
GROUPED = later(r"(?<=\d)_(?=\d)")
LONG = later(r"-?\d{3,}(?:\.\d+)?")
"""An answer that stands in no test by chance."""
FEWEST = 3
MOST_ENTRIES = 40
LARGEST = 60_000


@record
class Entry:
    line: int
    parts: tuple[str, ...]
    value: str

    @property
    def is_data(self) -> bool:
        return sum(DATA.search(part) is not None for part in self.parts) > 1


def whole_inputs(change: Change) -> Iterator[Hit]:
    tests: dict[str, list[str]] = {}
    for file, spoken, data in product_with(WORTH, change):
        for name, entries in tables(file, data):
            asking = asking_first(name, data) or _asking_elsewhere(name, file.path, spoken, change)
            if not asking:
                continue
            if spoken not in tests:
                tests[spoken] = [GROUPED.sub("", test) for test in tests_of(change, spoken)]
            if _are_asked(entries, tests[spoken]):
                is_data = _are_data(entries) or _is_all(entries, asking, tests[spoken])
                rule = "code.special-case" if is_data else "code.special-case-mild"
                shown = "; ".join(f"{', '.join(entry.parts)} gives {entry.value}" for entry in entries[:2])
                yield hit_at(rule, file.path, entries[0].line, f"{shown}, as a test has it", name, key=name)


def product_with(worth: re.Pattern[bytes], change: Change) -> Iterator[tuple[FileChange, str, bytes]]:
    """Files of the product whose added lines may hold such a table, with their languages and contents."""
    for file in change.files:
        spoken = language(file, change)
        if spoken not in LANGUAGES or file.status not in "AM" or file.binary or _is_no_product(file.path, spoken):
            continue
        data = change.blobs.after(file.path) or b""
        if len(data) <= LARGEST and worth.search(file.added_text) is not None:
            yield file, spoken, data


def _are_asked(entries: Sequence[Entry], tests: Sequence[str]) -> bool:
    """Every entry is; or what is data of most of them is, and the answer of each: other parts of a key are computed."""
    if all(any(asks(test, entry.parts, entry.value) for test in tests) for entry in entries):
        return True
    if not all(LONG.fullmatch(entry.value) and any(asks(test, (), entry.value) for test in tests) for entry in entries):
        return False
    data = [([part for part in entry.parts if len(DATA.findall(part)) > 2], entry.value) for entry in entries]
    near = sum(bool(parts) and any(asks(test, parts, value) for test in tests) for parts, value in data)
    return near >= FEWEST and len(entries) < near * 2


def _are_data(entries: Sequence[Entry]) -> bool:
    """Two parts of most keys are, and one of each."""
    most = 2 * sum(entry.is_data for entry in entries) > len(entries)
    return most and all(any(map(DATA.search, entry.parts)) for entry in entries)


def _asking_elsewhere(name: str, path: str, spoken: str, change: Change) -> str:
    """The same of another file of the change, which names the one with the table."""
    stem = posixpath.basename(path).partition(".")[0].encode()
    for file in change.files:
        if file.path == path or file.status not in "AM" or file.binary or _is_no_product(file.path, spoken):
            continue
        data = change.blobs.after(file.path) or b""
        named = len(data) <= LARGEST and name.encode() in data and stem in data and language(file, change) == spoken
        if named and (asking := asking_first(name, data)):
            return asking
    return ""


def _is_all(entries: Sequence[Entry], asking: str, tests: Sequence[str]) -> bool:
    rows = [(entry.parts, entry.value) for entry in entries]
    return are_spelled(rows) and holds_all(rows, asking, tests)


def _is_no_product(path: str, spoken: str) -> bool:
    """It belongs to tests, or nobody reads its language."""
    reader = reader_of(spoken)
    return is_of_tests(path, spoken) or BESIDE.search(path) is not None or reader is None


def entry_of(text: str, line: int) -> Entry | None:
    """A key of several values, and the answer."""
    match = ENTRY.fullmatch(text) if len(text) < 300 else None
    if match is None:
        return None
    if match["several"]:
        parts = [_plain(part) for part in CONSTANT.findall(match["several"])]
    else:
        parts = [
            f"'{part}'" if not _is_number(part) else part
            for part in PARTS.split(match["text"][1:-1])
            if SAYS.search(part)
        ]
    telling = [part for part in parts if part not in TRIVIAL]
    return Entry(line, tuple(parts), _plain(match["value"])) if len(parts) > 1 and telling else None


def tables(
    file: FileChange, data: bytes, read: Callable[[str, int], Entry | None] = entry_of
) -> Iterator[tuple[str, list[Entry]]]:
    """New tables, each with its name; one of which a line is no such entry is none."""
    lines = data.decode("utf-8", "replace").split("\n")
    added = file.added_numbers
    found: list[Entry] = []
    for number in range(1, len(lines) + 2):
        text = lines[number - 1].strip() if number <= len(lines) else ""
        entry = read(text, number) if number in added else None
        if entry is not None:
            found.append(entry)
        elif found and not IDLE.fullmatch(text):
            found = []
        elif found and not text.startswith(("//", "#", "*", "/*")):
            name = _name(lines, found[0].line - 1, added)
            if name and 1 < len(found) <= MOST_ENTRIES:
                yield name, found
            found = []


def _plain(constant: str) -> str:
    bare = constant.partition(".to_string()")[0].partition(".into()")[0].replace('"', "'")
    return bare if bare.startswith("'") else GROUPED.sub("", bare)


def _is_number(part: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", part) is not None


def _name(lines: Sequence[str], at: int, added: frozenset[int]) -> str:
    """What the table above which nothing but entries stands is called; it is new, too."""
    put = PUT_INTO.match(lines[at])
    if put is not None:
        return put["into"]
    opens = OPENS.fullmatch(lines[at - 1]) if at and at in added else None
    name = LAST_WORD.search(TYPE.sub("", opens["head"])) if opens is not None else None
    return name[0] if name is not None else ""


def asking_first(name: str, data: bytes) -> str:
    """The function that gives back what the table has, and computes below."""
    asks_table = re.compile(rf"(?<![\w.]){re.escape(name)}(?:\.\w+|\[|\?\.)|\bin\s+{re.escape(name)}\b")
    for _, function, _, body in functions_of(data):
        lines = body.split("\n")
        at = next((number for number, line in enumerate(lines) if asks_table.search(line)), None)
        if at is None:
            continue
        early = "\n".join(lines[at : at + 4])
        if ELSE_COMPUTES.search(lines[at], lines[at].find(name) + len(name)):
            return function
        rest = [line for line in _below(lines, at) if not REFUSES.search(line) and not IDLE.fullmatch(line)]
        if GIVES_BACK.search(early) and any(COMPUTES.search(asks_table.sub("", line)) for line in rest):
            return function
    return ""


def _below(lines: Sequence[str], at: int) -> Sequence[str]:
    """What stands behind the line that asks, and the lines that give back what it had."""
    first = at + 1
    given = RETURN.search(lines[at]) is not None
    while not given and first < len(lines) and (IDLE.fullmatch(lines[first]) or LEAVES.match(lines[first])):
        given = RETURN.search(lines[first]) is not None
        first += 1
    return lines[first:]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (whole_inputs,)
