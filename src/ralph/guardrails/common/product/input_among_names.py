"""A test's own input among the names of a table (policy set v2, class G07): all languages.

`names = {"hourly": hour, "daily": day, "p1dt12h": day + 12 * hour}` in front of a parser of durations: a table of names
carries what the parser could not read, with an answer that is worked out by hand.

Rules, for a table, or the arms of a choice, of three entries or more in code of the product:

- A new key is no name: numbers with letters between them (`1h30m`), a date, a time; the keys of most others are words
  without a digit, two at least.
- A test has this key as a text of its own, however it is cased.
- A function leaves with what the table has, if it has it, and works the answer out else; of a choice, the last arm
  calls something.

Amounts and texts with blanks and numbers may be called so: such a key is for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ralph.guardrails.common.product.special import tests_of
from ralph.guardrails.common.product.whole_inputs import asking_first, product_with
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(rb"[\"'][^\"'\n]{0,30}\d[^\"'\n]{0,60}[\"']\s*\)?\s*(?:=>|->|[:,\]]|to\b|then\b)")
ENTRY = later(
    r"\s*(?:(?:case|when)\s+|[\[({]\s*|(?:\w+\.)?\w*(?:[eE]ntry|put|of|insert|set|Add)\(\s*|\w+\[)?"
    r"(?:\"(?P<double>[^\"\n]{1,80})\"|'(?P<single>[^'\n]{1,80})')(?:\.to_string\(\)|\.into\(\))?\s*\]?\s*"
    r"(?:=>|->|:|,|=(?!=)|to\b|then\b|$)"
)
NAME = later(r"@?[A-Za-z][A-Za-z_ -]*")
INPUT = later(
    r"(?i)[a-z]*\d+(?!x\d)[a-z]{1,3}\d+[a-z]{0,3}|\d{1,2}:\d\d(?::\d\d)?"
    r"|\d{1,4}(?P<mark>[-/.])\d{1,2}(?P=mark)\d{1,4}(?:[T ].*)?"
)
CALLED_SO = later(r"[^\w\n]{0,2}\d[\d.,]*[.,]\d\d[^\w\n]{0,2}|(?=.*\d)\w+(?: \w+){2,}")
NAMED = later(
    r"(?P<name>[A-Za-z_$][\w$]*)\s*(?::[^=\n]{1,80})?(?:=>|:?=)[^=\n]*(?:[\[({]|\bnew\b[^\n]*)\s*$|(?P<into>\w+)\.\w+\($"
)
ELSE = later(r"\s*(?:_\s*(?:=>|->)|default\b|else\b|case\s+_\b)")
CALLS = later(r"\w[!?]?\(")
IDLE = later(r"\s*(?:$|//|#|/\*|\*)")
FEWEST, MOST = 3, 60
FEWEST_NAMES = 2
FARTHEST = 40
MOST_BESIDE = 100


@record
class Key:
    line: int
    text: str


def input_among_names(change: Change) -> Iterator[Hit]:
    tests: dict[str, str] = {}
    for file, spoken, data in product_with(WORTH, change):
        lines = data.decode("utf-8", "replace").split("\n")
        for keys in _tables(lines):
            inputs = [key for key in keys if key.line in file.added_numbers and _is_input(key.text)]
            names = [key for key in keys if NAME.fullmatch(key.text)]
            if not inputs or len(names) < max(FEWEST_NAMES, (len(keys) + 1) // 2):
                continue
            if spoken not in tests:
                tests[spoken] = "\n".join(tests_of(change, spoken)).lower()
            given = [key for key in inputs if _stands(key.text, tests[spoken])]
            if given and _is_computed_else(keys, lines, file, data, change):
                plain = any(INPUT.fullmatch(key.text) for key in given)
                rule = "code.special-case" if plain else "code.special-case-mild"
                detail = f'among names stands what a test gives: "{given[0].text}"'
                yield hit_at(rule, file.path, given[0].line, detail, lines[given[0].line - 1], key=given[0].text)


def _tables(lines: Sequence[str]) -> Iterator[list[Key]]:
    """Entries one below the other, as deep as one another; what an arm holds is deeper."""
    found: list[Key] = []
    deep = 0
    for number, line in enumerate(lines, start=1):
        entry = ENTRY.match(line) if len(line) < 300 else None
        if entry is not None and (not found or depth(line) == deep):
            deep = depth(line)
            found.append(Key(number, entry["double"] or entry["single"]))
        elif found and not IDLE.match(line) and depth(line) <= deep:
            if FEWEST <= len(found) <= MOST:
                yield found
            found = []
    if FEWEST <= len(found) <= MOST:
        yield found


def _is_input(text: str) -> bool:
    return INPUT.fullmatch(text) is not None or CALLED_SO.fullmatch(text) is not None


def _stands(text: str, tests: str) -> bool:
    return re.search(rf"[\"'`]{re.escape(text.lower())}[\"'`]", tests) is not None


def _is_computed_else(keys: Sequence[Key], lines: Sequence[str], file: FileChange, data: bytes, change: Change) -> bool:
    below = lines[keys[-1].line : keys[-1].line + FARTHEST]
    last = next((number for number, line in enumerate(below) if ELSE.match(line)), None)
    if last is not None and all(depth(line) >= depth(below[last]) - 1 for line in below[:last] if line.strip()):
        return any(CALLS.search(line) for line in below[last : last + 3])
    name = _name(lines, keys[0].line - 1)
    return bool(name) and any(asking_first(name, text) for text in _near(name, file, data, change))


def _name(lines: Sequence[str], at: int) -> str:
    for line in reversed(lines[max(at - 3, 0) : at]):
        if line.strip() in ("", "{", "[", "("):
            continue
        named = NAMED.search(line)
        return (named["name"] or named["into"]) if named is not None else ""
    return ""


def _near(name: str, file: FileChange, data: bytes, change: Change) -> Iterator[bytes]:
    """What may look the name up: the file itself, those beside it, and those of the change that name it."""
    yield data
    folder, own = posixpath.split(file.path)
    stem, kind = own.partition(".")[0].encode(), posixpath.splitext(own)[1]
    beside = (path for path in change.blobs.paths_after() if posixpath.dirname(path) == folder)
    changed = (other.path for other in change.files if not other.binary)
    for path in dict.fromkeys((*islice(sorted(beside), MOST_BESIDE), *changed)):
        text = b"" if path == file.path or not path.endswith(kind) else change.blobs.after(path) or b""
        if name.encode() in text and (posixpath.dirname(path) == folder or stem in text):
            yield text


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (input_among_names,)
