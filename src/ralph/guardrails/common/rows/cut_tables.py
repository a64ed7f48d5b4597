"""Tables of cases of which a line takes a part, or nothing (policy set v2, class G05).

The inventory counts the rows that it can follow. Here a change is read by its lines, in files of tests, for tables that
tests go through: by a loop, by `each`, as the source of a parametrised test.

Rules:

- A line that only gained a cut (`cases.slice(1)`, `CI ? [] : cases`, `Stream.of(...).limit(1)`) runs them for less.
- So does a new line that is one: `cases = nil`, `cases.length = 0`, and in the source of the rows `yield break`,
  `return Stream.empty()`, a condition before `yield return`.
- A table that tests go through more often than before was divided. Of one that is new in the same lines, while those of
  its name are still there, a new test takes what it likes.
- A condition on the platform is for a person: so tests are kept from where they cannot run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ralph.guardrails.inventory.readers import holds_tests, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.guardrails.texts import depth, without_note
from ralph.system.patterns import later

CALLED = r"\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
NOTHING = (
    r"(?:\[\]|\{\}|nil|emptyList\(\)|emptyArray\(\)|emptySequence\(\)|listOf\(\)|List\.of\(\)|Stream\.(?:empty|of)\(\)"
    r"|Collections\.emptyList\(\)|Array\.Empty<[^<>\n]*>\(\)|Enumerable\.Empty<[^<>\n]*(?:<[^<>\n]*>)?>\(\)|vec!\[\])"
)
PART = (
    rf"\.(?:slice|filter|filterNot|take|takeWhile|dropWhile|drop|skip|limit|subList|Take|Skip|Where|TakeWhile|SkipWhile"
    rf"|take_while|skip_while)(?:{CALLED}|\s*\{{[^{{}}\n]*\}})"
)
CHOICE = (
    r"(?:(?<=\b(?:of|in) )|(?<=[=:,] )|(?<=[(\[.])|(?<=return ))(?!\s)(?:(?!\b(?:of|in)\b)[^?\n])+"
    rf"\?\s*{NOTHING}\s*:\s*|\bif\s*{CALLED}\s*{NOTHING}\s+else\s+"
)
RANGE = r"(?<=[\w)\]])\[[^\[\]\n:]*:[^\[\]\n]*\]|(?<=[\w)\]])\[[^\[\]\n.]*\.\.[^\[\]\n]*\]"
CUT = later(rf"{PART}|{CHOICE}|{RANGE}")
WORTH = later(
    rb"\.(?:slice|splice|filter|take|drop|skip|limit|subList|Take|Skip|Where|clear|truncate|retain|pop|shift|RemoveA)"
    rb"|\?\s*\[\]|\bnil\b|[eE]mpty|=\s*\[\]|yield break|length\s*=|\[[^\[\]]*(?::|\.\.)[^\[\]]*\]|\bif\b|\.of\(\)"
)
GONE_THROUGH = {
    "go": r"\brange\s+(\w+)",
    "rust": r"\bin\s+&?(\w+)|\b(\w+)\.(?:into_)?iter\(\)",
    **dict.fromkeys(
        ("javascript", "typescript", "tsx", "vue"), r"\bof\s+(\w+)|\.(?:each|for)\(\s*(\w+)|\b(\w+)\.(?:forEach|map)\("
    ),
    **dict.fromkeys(("java", "kotlin"), r"@(?:Method|Field)Source\(\s*(?:value\s*=\s*)?\"(?:[\w.]+#)?(\w+)\""),
    "csharp": r"(?:MemberData|TestCaseSource|DynamicData)\(\s*(?:nameof\((?:\w+\.)*(\w+)\)|\"(\w+)\")",
    "php": r"DataProvider\(\s*'(\w+)'|@dataProvider\s+(\w+)",
}
"""What names the table; of the last five, what gives it."""
LIST = r"(?:\[\s*[\[{(\"'`\d]|&?\[[^\]\n]*\]|vec!\[|\[\]\*?(?:struct\b|\w+(?:\.\w+)?\s*\{)|map\[|Object\.entries\()"
SOURCES = frozenset(("java", "kotlin", "csharp", "php"))
LEAVES = later(
    rf"^\s*(?:(?:\}}?\s*else\s*)?if\b[^\n]*[)\s])?\s*\{{?\s*(?:yield break|return\s+{NOTHING})\s*;?\s*\}}?\s*$"
)
ASKS = later(r"^\s*if\b[^\n]*(?:getenv|getProperty|GetEnvironmentVariable|\bCI\b)[^\n]*\{?\s*$")
PLATFORM = later(r"(?i)windows|darwin|macos|linux|GOOS|process\.platform|os\.name|IsOSPlatform|cfg!|target_os|PHP_OS")
ITSELF = later(r"\.(?:into_iter|iter|stream|asSequence|toList|AsEnumerable)\(\)")
"""The whole table in another form."""
FARTHEST = 60
"""Lines above a row at which its table begins."""


def cut_tables(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not WORTH.search(file.added_text):
            continue
        spoken = language(file, change)
        if spoken in GONE_THROUGH and holds_tests(file.path, spoken):
            yield from _of_file(file, spoken, change)


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    old, text = (
        (read(file.path) or b"").decode("utf-8", "replace") for read in (change.blobs.before, change.blobs.after)
    )
    was, now = (_gone_through(spoken, side) for side in (old, text))
    names = {name for name in was | now if now[name] <= max(was[name], 1)}
    lines = text.split("\n")
    around = [lines[max(hunk.new_start - 1 - FARTHEST, 0) : hunk.new_start + len(hunk.added)] for hunk in file.hunks]
    near = "\n".join(chain.from_iterable(around))
    names = {name for name in names if name in near}
    names = names if spoken in SOURCES else {name for name in names if _is_written_down(name, f"{old}\n{text}")}
    if not names:
        return
    before = set(map(_bare, old.split("\n")))
    own = later(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    for hunk in file.hunks:
        removed = {_bare(line.decode("utf-8", "replace")) for line in hunk.removed}
        fresh: dict[str, int | None] = {}
        for row, raw in enumerate(hunk.added, start=hunk.new_start - 1):
            line = without_note(raw.decode("utf-8", "replace"), "//")
            if _bare(line) in before:
                continue
            told = _cut(line, removed) or (spoken in SOURCES and _leaves(line))
            if not told and (name := _emptied(line, names)):
                first = fresh[name] = fresh[name] if name in fresh else _new_table(name, hunk, old, text)
                told = first is None or row + 1 - hunk.new_start <= first
            if told and (own.search(line) or _is_within(lines, row, names)):
                rule = "test.somewhat-weaker" if PLATFORM.search(line) else "test.fewer-cases"
                yield hit_at(rule, file.path, row + 1, f"of a table of cases a part is left: {line.strip()}", line)


def _gone_through(spoken: str, text: str) -> Counter[str]:
    """How often tests go through the tables of each name. More often than before: a table was divided among them."""
    return Counter(next(filter(None, found.groups())) for found in re.finditer(GONE_THROUGH[spoken], text))


def _is_written_down(name: str, text: str) -> bool:
    """A list of that name has rows as they are written; a table without a name is told by its place."""
    return re.search(_written_down(name), text) is not None


def _written_down(name: str) -> str:
    return rf"\b{name}\b\s*(?::[^=\n]{{1,80}})?:?=\s*{LIST}"


def _new_table(name: str, hunk: Hunk, old: str, text: str) -> int | None:
    """The added line that begins a table, where what had the name before is still written down elsewhere."""
    written = re.compile(_written_down(name))
    lines = [line.decode("utf-8", "replace") for line in hunk.added]
    come = len(written.findall("\n".join(lines)))
    if not come or len(written.findall(old)) > len(written.findall(text)) - come:
        return None
    return next((row for row, line in enumerate(lines) if re.search(rf"\b{name}\b[^=\n]*=", line)), None)


def _cut(line: str, removed: set[str]) -> bool:
    """The base had the line without what takes a part."""
    without = _bare(CUT.sub("", line))
    return without != _bare(line) and without in removed


def _emptied(line: str, names: set[str]) -> str:
    """The table of which it takes all or some away."""
    said = re.match(r"\s*(?:if\b[^\n]*[)\s]\s*\{?\s*)?(\w+)\s*(=(?!=)|\.)\s*([^\n]*?)\s*;?\s*\}?\s*$", line)
    if said is None or said[1] not in names:
        return ""
    name, rest = said[1], said[3]
    if said[2] == ".":
        fewer = r"(?:length\s*=\s*\d|(?:splice|pop|shift|clear|truncate|retain|Clear|RemoveAt|RemoveAll)\()"
        return name if re.match(fewer, rest) else ""
    return name if re.fullmatch(NOTHING, rest) or (rest != name and CUT.sub("", rest) == name) else ""


def _leaves(line: str) -> bool:
    return LEAVES.match(line) is not None or ASKS.match(line) is not None


def _is_within(lines: Sequence[str], row: int, names: set[str]) -> bool:
    """What gives the table stands around the line: above it, and indented less, on and on."""
    indent = depth(lines[row]) + lines[row].lstrip().startswith((")", "]", "}"))
    for line in reversed(lines[max(0, row - FARTHEST) : row]):
        if line.strip() and line.strip() != "{" and depth(line) < indent:
            indent = depth(line)
            if any(re.search(rf"\b{name}\b\s*(?:\(|=|:)", line) for name in names):
                return True
    return False


def _bare(line: str) -> str:
    return "".join(ITSELF.sub("", line).split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (cut_tables,)
