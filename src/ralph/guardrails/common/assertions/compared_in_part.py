"""Helpers of tests that compared two wholes, and now go through them themselves and pass over what only one has
(policy set v2, class G05): all languages.

Rule, for a file beside tests, or called a helper of them, that has no test of its own: the change takes away a
comparison of two wholes (`reflect.DeepEqual(want, got)`, `assertEquals`, `toEqual`), nothing in the file compares the
same two any more, and what it brings goes through two values

- up to the end of the shorter one (`i < min(len(a), len(b))`, `zip(a, b)`, `a.iter().zip(b)`), or
- by the keys of one of them, and passes over those that the other one lacks (`if !ok { continue }`),

and asks nowhere how long they are, or which one has more. It blocks: every test that calls the helper demands less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WHOLE = later(
    r"\b(?:reflect\.DeepEqual|cmp\.(?:Equal|Diff)|(?:assert|require)\.(?:Equal|JSONEq|EqualValues)"
    r"|(?:assert\.)?(?:deepStrictEqual|deepEqual|isDeepStrictEqual)|_?\.?isEqual|assert(?:Equals|IterableEquals|ArrayEquals)"
    r"|assert(?:Dict|List|Sequence|Count)?Equal|assertSame|assert_eq!|pretty_assertions::assert_eq!|assert_equal|JSONAssert\.assertEquals"
    r"|Objects\.(?:deepEquals|equals)|Assert\.(?:Equal|AreEqual|Equivalent)|CollectionAssert\.AreEqual|assertJsonStringEqualsJsonString)"
    r"[(\s](?P<given>[^\n]*)"
    r"|\bexpect\((?P<got>[^\n()]+)\)\.to(?:StrictEqual|Equal|\.deep\.equal|\s+eq)\(?(?P<wanted>[^\n]*)"
    r"|^\s*(?:assert|if|check\()\s+?\(?(?P<one>[a-z_]\w*)\s*[!=]=\s*(?P<two>[a-z_]\w*)\b"
)
"""A comparison of two wholes, on its line."""
NAME = later(r"(?<![\w.\"'])[A-Za-z_]\w*(?![\w(\"'])")
SHORTER = later(
    r"\b(?:Math\.)?[mM]in(?:Of)?\(\s*(?:len\(\s*\w+\s*\)|\w+\.(?:length|size|count|Count|Length|len)(?:\(\))?)\s*,"
    r"\s*(?:len\(\s*\w+\s*\)|\w+\.(?:length|size|count|Count|Length|len)(?:\(\))?)\s*\)"
    r"|\[\s*\w+\.(?:size|length|count),\s*\w+\.(?:size|length|count)\s*\]\.min"
    r"|\.len\(\)\.min\(\s*\w+\.len\(\)\s*\)"
    r"|(?<![\w.])(?:std::iter::)?zip\(\s*&?\w+\s*,\s*&?\w+\s*\)|\w\.(?:iter\(\)\.)?zip\(\s*&?\w+(?:\.iter\(\))?\s*\)|\.Zip\(\s*\w+\s*[,)]"
    r"|<\s*(?:len\(\s*\w+\s*\)|\w+\.(?:length|size|Count|Length|len)(?:\(\))?)\s*(?:&&|and)\s*\w+\s*<\s*(?:len\(|\w+\.(?:length|size|Count|Length|len))"
)
PASSES_OVER = later(
    r"\bif\s+!\s*(?:ok|found|exists|has|there)\s*\{\s*continue\b"
    r"|\bif\s*\(\s*!\s*\(\s*\w+\s+in\s+\w+\s*\)\s*\)\s*\{?\s*(?:continue|return)\b"
    r"|\bif\s*\(\s*!\s*(?:Object\.hasOwn\(\s*\w+|\w+\.(?:has|hasOwnProperty|containsKey|ContainsKey|TryGetValue|contains))[^\n]*\)\s*\{?\s*(?:continue|return)\b"
    r"|\bif\s*\(\s*\w+\[\w+\]\s*={2,3}\s*(?:undefined|null)\s*\)\s*\{?\s*(?:continue|return)\b"
    r"|\bif\s+\w+\s+not\s+in\s+\w+\s*:\s*continue\b|\bnext\s+unless\s+\w+\.(?:key|has_key|include)\?"
    r"|\blet\s+Some\(\w+\)\s*=\s*\w+\.get\([^\n]*\)\s*else\s*\{\s*continue\b|\?:\s*continue\b"
    r"|\.keys\(\)\s*&\s*\w+\.keys\(\)|\.keySet\(\)\.intersect\(|\.keys\.intersect\("
)
LENGTHS = later(
    r"(?:\blen\([^()\n]*\)|\.(?:length|size|count|Count|Length|len)(?:\(\))?)\s*(?:[!=]==?|<>)|strict\s*=\s*True|zip_longest|zip_eq"
    r"|\.keys\(\)\s*(?:\||\^|-|[!=]=)|\bset\(\w+\)\s*[!=]=|\b(?:Len|HasLen|hasSize|toHaveLength|hasSameSizeAs)\(|[mM]ax(?:Of)?\(\s*(?:len\(|\w+\.(?:length|size|Count|Length|len))"
)
"""How many there are, or who has more."""
HOLDS_TESTS = later(
    r"(?m)^\s*(?:func (?:Test|Fuzz)\w*\(|(?:async )?def test_|class Test\w*\b[^\n]*:|@(?:Parameterized)?Test\b"
    r"|#\[(?:\w+::)?test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b"
    r"|(?:RSpec\.)?describe\b|(?:it|test|specify)(?:\.\w+)*\s*[(\"'])"
)
HELPS = later(r"(?i)(?:^|/)test[_-]?(?:util|helper|support|kit|lib|tool|case|assert)\w*(?=/|\.)")
"""Packages and files of helpers, wherever they stand."""
WORTH = later(rb"(?i)min\(|\.min\b|zip\(|continue|next unless|intersect|keys\(\)|return|&&| and ")
LONGEST = 200_000


def compared_in_part(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and not file.binary and _is_helper(file, change):
            yield from _in_file(file, change)


def _is_helper(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    if spoken is None or not WORTH.search(file.added_text) or not any(hunk.removed for hunk in file.hunks):
        return False
    return HELPS.search(file.path) is not None or is_beside_tests(file.path, reader_of(spoken))


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    removed = [line.decode("utf-8", "replace") for hunk in file.hunks for line in hunk.removed]
    compared = [names for line in removed if (names := _compared(line))]
    data = change.blobs.after(file.path) or b""
    if not compared or len(data) > LONGEST:
        return
    text = data.decode("utf-8", "replace")
    still = [names for line in text.split("\n") if (names := _compared(line))]
    gone = [names for names in compared if names not in still]
    if not gone or HOLDS_TESTS.search(text):
        return
    for hunk in file.hunks:
        yield from _brought(file, [line.decode("utf-8", "replace") for line in hunk.added], hunk.new_start)


def _brought(file: FileChange, lines: Sequence[str], first: int) -> Iterator[Hit]:
    added = "\n".join(lines)
    if LENGTHS.search(added):
        return
    found = SHORTER.search(added) or PASSES_OVER.search(added)
    if found is not None:
        at = added.count("\n", 0, found.start())
        told = "what only one of the two has is passed over"
        yield hit_at("test.weakened", file.path, first + at, f"{told}: {lines[at].strip()}", lines[at].strip())


def _compared(line: str) -> frozenset[str]:
    """The names of what a line compares as wholes: two at least."""
    match = WHOLE.search(line)
    if match is None:
        return frozenset()
    said = " ".join(part for part in match.groups() if part)
    names = frozenset(NAME.findall(re.sub(r"\"[^\"\n]*\"|'[^'\n]*'", "", said)))
    return names if len(names) > 1 else frozenset()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (compared_in_part,)
