"""Helpers of tests that overwrite a recorded result wherever it differs (policy set v2, class G13): all languages.

Rule: a function that compares a text with the content of a file, writes that text to that very file, itself or through
another function beside it (`writers`), and fails nowhere can never find a difference: it blocks where it is new. It is
told from honest work thus:

- it belongs to tests (its place, a parameter of package testing, or an assertion), is about recorded results by its
  name, its file or the path that it writes to, and is no generator by its name;
- no condition asks a variable, an option or a mode whether to record, and none makes it for a missing file alone; one
  that asks whether not to, by a variable that nothing sets or an option that nothing gives, is none (`by_default`);
- it reports no difference: what fails is the writing (`t.Fatal(err)`), or compares with what was just written.

The writing and the reading may stand in functions beside it, which it calls (`inlined`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.functions import Function, functions, functions_of
from ralph.guardrails.common.wanted.by_default import Sets, records_by_default, setting, without_told
from ralph.guardrails.common.wanted.inlined import inlined, made_of, readers
from ralph.guardrails.common.wanted.writers import Writer, writer, written_through
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in, is_in_part
from ralph.guardrails.texts import depth
from ralph.record import record, replace
from ralph.system.patterns import later

RULE = "cfg.test.snapshots-rewritten"
CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".rb", ".go", ".rs", ".java", ".kt", ".cs", ".php")
_PATH = r"(?P<path>[@$]?\w+(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?)"
WRITES = later(
    r"\b(?:WriteFile|(?:File|IO|Files|fs|Bun)(?:::|\.)(?:bin)?write|[wW]riteFile(?:Sync)?|writeTextFile(?:Sync)?|outputFileSync"
    rf"|writeString|WriteAllText(?:Async)?|file_put_contents)\(\s*&?{_PATH}\s*,\s*(?P<given>[^\n]+)"
    r"|(?<![\w.])(?P<owner>[\w.]+)\.(?:write_text|write_bytes|writeText|writeBytes|write)\((?P<told>[^\n]+)"
    r"|\b(?:File\.)?open\(\s*(?P<opened>[\w.]+)\s*,\s*[\"']wb?[\"'][^\n]*\n?[^\n]*\.write\((?P<put>[^\n]+)"
)
WORTH = later(rb"(?i)write\w*\(|put_contents\(|outputfilesync\(")
CHANGED = later(rb"(?i)write|put_contents|env|read|argv|flag\.")
_RECORDED = r"(?i)golden|snapshot|approv|baseline|expected|recorded|reference"
RECORDED, MAY_BE_RECORDED = later(_RECORDED), later(_RECORDED.encode())
NO_CHECK = later(
    r"(?i)^(?:test|it$|main$|setup|tear)|write|gen|update|save|record\b|dump|sync|store|make|create|refresh|build"
)
OF_TESTS = later(r"\btesting\.(?:T|B|TB)\b|\b[Aa]ssert|\bexpect\(")
CONDITION = later(r"\b(?:if|elif|unless|when|case|match|switch|return|and|or)\b|&&|\|\|| \? ")
ASKED = later(
    r"(?i)updat|regen|record|rewrit|bless|overwr|accept|approve\b|refresh|getenv|environ|env\b|flag|option|config|argv|mode|\bci\b"
)
MISSING = later(
    r"(?i)not?_?exist|not\b[^\n]*exist|!\s*[\w.]*exist|unless [^\n]*exist|ENOENT|NotFound|no_?such|missing"
    r"|err(?:or)? != nil"
)
COMPARES = later(r"[!=]==?|(?i:equal|assert|expect\b|compare|diff)|\beq\b|\.to(?:Be|Equal)\b")
FAILS = later(
    r"\b\w+\.(?:Error|Fatal|Fail)\w*\(|\braise\b|\bthrow\b|\bpanic|\b(?:fail|bail|flunk|reject)\w*!?\s*[(\"']"
    r"|\breturn (?:fmt|errors)\."
)
ASSERTS = later(r"(?i)\b(?:assert\w*|require|expect\b|should\w*)\b")
LEAVES = later(r"\b(?:return|raise|throw|next|break|continue|exit)\b")
OF_WRITING = later(r"\b(?:err|error|e)\b")
TEXT = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
VALUE_ENDS = later(r"[,;]|\b(?:if|unless)\b")
NOTE = later(r"(?m)(?:(?<!:)//|(?<!\S)#(?!\[)|^\s*\*)[^\n]*")
LONGEST = 200_000
"""No person wrote more for a helper."""
NO_VALUE = frozenset(
    ("byte", "bytes", "string", "encode", "str", "getBytes", "to_string", "as_bytes", "to_s", "new", "unwrap", "Buffer")
)


@record
class Written:
    """A write of a value to a file: the names in the value, and where it begins and ends in the function."""

    path: str
    names: frozenset[str]
    start: int
    end: int
    read_by: str = r"(?!)"
    """The calls of functions beside it that read the file."""


def overwritten(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith(CODE) and file.status in "AM" and not file.binary and is_in(CHANGED, file.changed_text):
            sets = setting(change)
            new = list(_found(file.path, change.blobs.after(file.path), sets))
            old = {name for name, _, _ in _found(file.path, change.blobs.before(file.path), sets)} if new else set()
            for name, line, text in new:
                if name not in old:
                    yield _hit(file, name, line, text)


def _hit(file: FileChange, name: str, line: int, text: str) -> Hit:
    detail = f"{name} writes what it compares with, and never fails"
    return hit_at(RULE, file.path, line, detail, text)


def _found(path: str, data: bytes | None, sets: Sets) -> Iterator[tuple[str, int, str]]:
    """Functions that overwrite what they compare with: the name, and the line that writes."""
    if data is None or len(data) > LONGEST or not is_in(WORTH, data):
        return
    text = data.decode("utf-8", "replace")
    if not (RECORDED.search(path) or is_in(MAY_BE_RECORDED, data)):
        return
    if not (TEST_PLACE.search(path) or is_in_part(OF_TESTS, text)):
        return
    if not any(is_in_part(WRITES, body) for _, _, _, body in functions_of(data)):
        return
    lines = NOTE.sub("", text).split("\n")
    found = list(functions(lines))
    writing = [function for function in found if is_in_part(WRITES, function[-1])]
    if not writing:
        return
    writers = [each for function in writing if (each := _writer(function)) is not None]
    helpers = {function[1]: function for function in writing}
    reading = readers(function for function in found if function not in writing)
    for number, name, head, plain in found:
        body = plain
        written = None if NO_CHECK.search(name) else _write(body, writers)
        if written is None and not NO_CHECK.search(name) and (body := inlined(plain, helpers)) != plain:
            written = _write(body, ())
        if written is not None and reading:
            written = replace(written, read_by=_read_by(reading, made_of(written.path, body)))
        if written is None or not RECORDED.search(f"{name} {path} {written.path}"):
            continue
        if not (TEST_PLACE.search(path) or OF_TESTS.search(head + body)):
            continue
        if _never_fails(body, written) or _never_by_default(body, written, "\n".join(lines), sets, writers):
            line = number + 1 + body[: written.start].count("\n") if body == plain else number
            yield name, line + 1, lines[line].strip()


def _never_by_default(body: str, written: Written, text: str, sets: Sets, writers: Sequence[Writer]) -> bool:
    if not records_by_default(body, written.start, text, sets):
        return False
    alone = without_told(body, text)
    again = _write(alone, writers)
    return again is not None and not _is_heard(alone, again)


def _writer(function: Function) -> Writer | None:
    written = _write(function[-1], ())
    return None if written is None else writer(function, written.path, written.names)


def _write(body: str, writers: Sequence[Writer]) -> Written | None:
    match = WRITES.search(body) if is_in_part(WRITES, body) else None
    if match is None:
        through = next(written_through(body, writers), None)
        return None if through is None else Written(through[2], _names(through[3]), *through[:2])
    path = match["path"] or match["owner"] or match["opened"]
    value = match["given"] or match["told"] or match["put"]
    return Written(path, _names(value), match.start(), match.end())


def _names(value: str) -> frozenset[str]:
    found = re.findall(r"(?<!\w)[a-zA-Z_]\w*", VALUE_ENDS.split(TEXT.sub("", value))[0])
    return frozenset(found) - NO_VALUE


def _never_fails(body: str, written: Written) -> bool:
    read, (held, read_again) = _reading(written), _contents(body, written)
    lines = [line for line in TEXT.sub("''", body).split("\n") if line.strip()]
    content = rf"{read}|\b(?:{'|'.join(held | read_again)})\b" if held or read_again else read
    given = rf"\b(?:{'|'.join(map(re.escape, written.names))})\b" if written.names else r"(?!)"
    compared = any(COMPARES.search(line) and re.search(content, line) and re.search(given, line) for line in lines)
    asked = any(CONDITION.search(line) and ASKED.search(line) for line in lines)
    return compared and not asked and not _is_heard(body, written) and not _only_missing(body, written, given)


def _read_by(functions: frozenset[str], names: frozenset[str]) -> str:
    called, given = ("|".join(map(re.escape, sorted(each))) for each in (functions, names))
    return rf"(?<!\w)(?:{called})\([^()\n]*\b(?:{given})\b"


def _is_heard(body: str, written: Written) -> bool:
    """It tells of a difference from what the file held before."""
    held, again = _contents(body, written)
    lines, at = TEXT.sub("''", body).split("\n"), body.count("\n", 0, written.start)
    return any(
        _fails(line, held) and not (number > at and _of_written(lines, at, number, held, again - held))
        for number, line in enumerate(lines)
        if line.strip()
    )


def _of_written(lines: Sequence[str], at: int, number: int, held: set[str], again: set[str]) -> bool:
    """It fails only where what was read after the writing is another text than what was written. `at`: where it is
    written; what leaves from there never comes to the reading."""
    if any(LEAVES.search(line) for line in lines[at:number]):
        return False
    above = (line for line in reversed(lines[:number]) if line.strip() and depth(line) < depth(lines[number]))
    asks = lines[number] if CONDITION.search(lines[number]) else next(above, "")
    words = set(re.findall(r"\w+", asks)) if COMPARES.search(asks) else set()
    return not again.isdisjoint(words) and held.isdisjoint(words)


def _contents(body: str, written: Written) -> tuple[set[str], set[str]]:
    """The names of what was read from the file before it was written, and after."""
    takes = rf"(\w+)(?:\s*,\s*\w+)?\s*:?=(?!=)[^\n=]*(?:{_reading(written)})"
    before, after = (set(re.findall(takes, part)) for part in (body[: written.start], body[written.end :]))
    return before, after


def _reading(written: Written) -> str:
    path = rf"(?<![\w.]){re.escape(written.path)}"
    return rf"(?i:\w*read\w*|get_contents|\bopen)\(\s*&?{path}(?![\w.])|{path}\.read|{written.read_by}"


def _fails(line: str, held: set[str]) -> bool:
    """The line tells of a difference from what the file held before."""
    if FAILS.search(line) and not OF_WRITING.search(line):
        return True
    return ASSERTS.search(line) is not None and not held.isdisjoint(re.findall(r"\w+", line))


def _only_missing(body: str, written: Written, given: str) -> bool:
    """A condition around the write asks whether the file is there, and not what it holds."""
    lines = body[: body.find("\n", written.start) if "\n" in body[written.start :] else None].split("\n")
    own = lines[-1]
    deep, around = depth(own), [own] if CONDITION.search(own.partition("WriteFile")[0]) else []
    for line in reversed(lines[:-1]):
        if line.strip() and depth(line) < deep:
            deep = depth(line)
            around.append(line)
    asks = [line for line in around if MISSING.search(line)]
    return bool(asks) and not any(COMPARES.search(line) and re.search(given, line) for line in asks)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (overwritten,)
