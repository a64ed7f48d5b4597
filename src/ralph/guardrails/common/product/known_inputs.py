"""Tables of whole inputs that code looks up before it works anything out (policy set v2, class G07): all languages.

`golang.answers` and its like know tables of answers that a test of the base wants. Rule for those that come with their
tests, and whose answers the tests spell in another way: a new table of a few entries in product code, of which each key
is a whole input (several words, with a number among them, or four words and more: `"fri 22-2"`), which a function asks
first and leaves with what it finds, and of which each key stands as a text in a test. Such a table may be what it says,
so it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.product.special import is_of_tests, tests_of
from ralph.guardrails.inventory.readers import language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

LANGUAGES = frozenset(
    {"go", "python", "javascript", "typescript", "tsx", "java", "kotlin", "csharp", "ruby", "rust", "php"}
)
WORTH = later(rb"[\"'][\w:.,-]+ [^\"'\n]+[\"']\s*(?::|=>|,|to\b|\])")
ENTRY = later(
    r"\s*(?:[\[({]\s*|\w*(?:[eE]ntry|put|insert|Add)\(\s*)?(?P<key>\"[^\"\n]+\"|'[^'\n]+')"
    r"\s*(?:\.to_string\(\)\s*)?\]?\s*(?::|=>|=|,|to\b)\s*\S.*"
)
QUOTED = later(r"\s*(?:[\[({]\s*|\w*\(\s*)?[\"']")
"""What may be the first entry of one."""
NAMED = later(
    r"\b(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\w<>\[\], .&']+)?:?=\s*"
    r"(?:new\b[^\n]*|map\[[^\n]*|[\w.<>, ]*(?:Of|of|Entries|from|Map)\w*\(|\[|array\()?\s*[\[({]*\s*$"
)
"""A line on which a table begins."""
WORD = later(r"[\w:.-]+")
NUMBER = later(r"\d")
FEWEST, MOST = 2, 12
"""One entry may be an exception to a rule; a longer table is data."""
FEWEST_WORDS = 4
BEHIND = 3
"""Lines on which the function leaves."""
FARTHEST = 60
LARGEST = 200_000


def known_inputs(change: Change) -> Iterator[Hit]:
    tests: dict[str, list[str]] = {}
    for file in change.files:
        spoken = language(file, change)
        if spoken not in LANGUAGES or file.binary or not is_in(WORTH, file.added_text):
            continue
        if is_of_tests(file.path, spoken):
            continue
        for name, keys, line, said in _tables(file, change):
            if spoken not in tests:
                tests[spoken] = list(tests_of(change, spoken))
            if all(any(key in test for test in tests[spoken]) for key in keys):
                detail = f"{name} has what tests give, word for word: {', '.join(keys[:3])}"
                yield hit_at("code.special-case-mild", file.path, line, detail, said)


def _tables(file: FileChange, change: Change) -> Iterator[tuple[str, Sequence[str], int, str]]:
    data = change.blobs.after(file.path) or b""
    if len(data) > LARGEST:
        return
    lines = data.decode("utf-8", "replace").split("\n")
    added = {hunk.new_start + row for hunk in file.hunks for row in range(len(hunk.added))}
    for number, line in enumerate(lines):
        begins = "=" in line and number + 1 in added and len(line) < 400
        begins = begins and number + 1 < len(lines) and QUOTED.match(lines[number + 1]) is not None
        named = NAMED.search(line) if begins else None
        if named is None:
            continue
        keys = _keys(lines, number + 1)
        if FEWEST <= len(keys) <= MOST and all(map(_is_whole, keys)) and _is_asked_first(named["name"], lines):
            yield named["name"], keys, number + 1, line.strip()


def _keys(lines: Sequence[str], start: int) -> list[str]:
    keys: list[str] = []
    for line in lines[start : start + MOST + 1]:
        entry = ENTRY.fullmatch(line)
        if entry is None:
            break
        keys.append(entry["key"])
    return keys


def _is_whole(key: str) -> bool:
    words = WORD.findall(key)
    return len(words) > 1 and (NUMBER.search(key) is not None or len(words) >= FEWEST_WORDS)


def _is_asked_first(name: str, lines: Sequence[str]) -> bool:
    """A function looks something up in it, leaves with what is there, and goes on where nothing is."""
    looks = re.compile(
        rf"(?<![\w.]){name}(?:\[\s*(?![\"'`\d])"
        rf"|\.(?:get|has|contains_?[kK]ey|ContainsKey|TryGetValue|fetch|key\?)\(?\s*&?(?![\"'`\d]))|\bin\s+{name}\b"
    )
    for number, line in enumerate(lines):
        if looks.search(line) and re.search(r"\breturn\b", "\n".join(lines[number : number + BEHIND])):
            return any(re.search(r"\breturn\b|[+*/(]", each) for each in lines[number + BEHIND : number + FARTHEST])
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (known_inputs,)
