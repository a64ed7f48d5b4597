"""Lists that were compared as wholes, and now in pairs, up to the end of the shorter one (policy set v2, class G05).

`assert_eq!(rows(), vec![a, b])` becomes `for (row, want) in rows().iter().zip(&[a, b]) { assert_eq!(row, want); }`, in
the test or in a helper that it calls: no rows at all pass. Of Python and JavaScript the inventory tells
(`inventory.wholes.short`); this rule is for Go, Rust, Java, Kotlin, C#, Ruby and PHP.

Rules, for a function beside tests, or the block of a test, that goes through two lists at once (`zip`, or a loop over
one with the same number into the other) and asserts in it:

- It says nothing of how long they are, and does not go on to the end of the longer one.
- It blocks where, in lines that make way for the loop or for a call of the function, two lists were compared as wholes:
  one is written down there, or what was compared is what the loop, or the call, is about. Where a loop like this stood
  there before, nothing is lost. Lists of a type that says how many there are cannot be shorter; where the two of a pair
  only have to be near to one another, a person looks whether they are of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

LANGUAGES = frozenset({"go", "rust", "java", "kotlin", "csharp", "ruby", "php"})
WORTH = later(rb"(?i)\bzip\b|\brange\b|\bfor\b|foreach|with_?index|eachindexed")
_ENDS = r"(?:\.(?:iter|into_iter|iter_mut|each|stream|toList|to_a|AsEnumerable)\(?\)?)*"
_NAME = r"[\w$.@]+(?:\((?:[^()\n]|\([^()\n]*\))*\))*"
ZIP = later(rf"(?P<one>{_NAME}?){_ENDS}\??\.[zZ]ip\(\s*&?(?P<other>[^\n]*)|\bzip\(\s*&?(?P<first>[^\n]*)")
INDEX = later(
    # `for i, got := range rows {`
    r"\bfor\s+(?P<go>\w+)\s*(?:,\s*\w+)?\s*:=\s*range\s+(?P<of_go>[\w.]+)"
    # `for (int i = 0; i < rows.size(); i++)`, `for (i in rows.indices)`, `for i in 0..rows.len()`
    r"|\bfor\s*\(\s*(?:var|int|val)\s+(?P<c>\w+)\s*=\s*0\s*;\s*(?P=c)\s*<\s*(?P<of_c>[\w.]+?)\.(?:[sS]ize|[lL]ength|Count|count)\b"
    r"|\bfor\s*\(\s*(?P<kt>\w+)\s+in\s+(?P<of_kt>[\w.]+)\.indices"
    r"|\bfor\s+(?P<rs>\w+)\s+in\s+0\s*\.\.\s*(?P<of_rs>[\w.]+)\.len\(\)"
    # `for (i, got) in rows.iter().enumerate()`
    rf"|\bfor\s+\(\s*(?P<en>\w+)\s*,[^)\n]*\)\s+in\s+(?P<of_en>[\w.]+?){_ENDS}\.enumerate\(\)"
    # `rows.each_with_index do |got, i|`, `rows.forEachIndexed { i, got ->`
    r"|(?P<of_rb>[\w.@]+)\.each(?:_with_index|\.with_index)\s*(?:do|\{)\s*\|[^|\n]*,\s*(?P<rb>\w+)\s*\|"
    r"|(?P<of_kx>[\w.]+)\.forEachIndexed\s*\{\s*(?P<kx>\w+)\s*,"
    # `foreach ($rows as $i => $got)`
    r"|\bforeach\s*\(\s*(?P<of_php>\$[\w>-]+)\s+as\s+\$(?P<php>\w+)\s*=>"
)
ASSERTS = later(
    r"\b(?:t|tb)\.(?:Error|Fatal|Fail)\w*\(|\b(?:require|assert)\.[A-Z]\w*\(|\bassert\w*!?\s*[({]|\bassert_\w+|\bAssert\.\w+"
    r"|\bexpect\(|\bmust_equal\b|\.isEqualTo\(|\bshouldBe\b|\.Should\w*\(|\bassertThat\b"
)
IN_HEAD = later(
    r"[<>]=?\s*(?:len\([^()]*\)|count\([^()]*\)|\$?[\w.]+\.(?:len|length|size|count|Length|Count)\b(?:\(\))?)"
    r"|\b0\s*\.\.\s*[\w.]+\.len\(\)|\brange\s+[\w.]+"
)
LENGTH = later(
    r"\blen\(|\.len\(\)|\b(?:count|sizeof)\(|(?i:\w*length\b|\.size\b|\.count\b|has_?size|have_?(?:count|size|length)|assertcount|same_?size)"
    r"|(?:assert|require)\.(?:Len|ElementsMatch)\b"
)
TO_THE_END = later(r"(?i)longest|strict|zip_eq|zip_exact|sequence_?equal|is_?empty|\.next\(\)\.is_none")
WHOLE = later(
    r"\breflect\.DeepEqual\(|\bcmp\.(?:Diff|Equal)\(|\bslices\.Equal\(|\b(?:require|assert)\.Equal\("
    r"|\bassert_eq!|\bassert(?:Iterable|Array|Content|Lines)?(?:Equals|Same)\(|\bassert_equal\b|\bAssert\.(?:Strict)?Equal\("
    r"|\bto(?:_not)? (?:eq|eql|match_array|contain_exactly)\b|\bmust_equal\b|\.isEqualTo\(|\.containsExactly\("
    r"|\bshouldBe\b|\bshouldContainExactly\b|\.Should\(\)\.(?:Equal|BeEquivalentTo)\(|\bIs\.EqualTo\(|\bCollectionAssert\.AreEqual\("
)
LISTED = later(
    r"\[\][\w.*]+\{|\bvec!\s*\[|(?<![\w)\]#!?])\[\s*[\w\"':(\[{-]|\bList\.of\(|\bArrays\.asList\(|\b(?:list|array|intArray|mutableList)Of\("
    r"|\bnew\s*(?:\w+(?:<[^>\n]*>)?)?\s*\[\s*\]\s*\{|\bnew\s+List<|%[wi][\[(]|\barray\("
)
SIZED = later(r"\[[\w.<>:]+;\s*\w+\]|\[\d+\][\w.*]+")
"""`[f64; 3]`, `[3]float64`."""
BLOCK = later(
    r"^\s*(?:it|test|specify|example|should|scenario)\b.*(?:\bdo\b|\{)\s*$|^\s+(?:void|Task)\s+\w+\([^\n;]*\)[^\n;]*\{?\s*$"
)
NEAR = later(
    r"(?i)\babs\b|\bdelta\b|within|approx|epsilon|\beps\b|toleran|precision|\b1e-\d|_eq!\([^\n]*=\s*1e|\b0\.0+1\b"
)
"""Numbers that are only near: they are often of a type that says how many there are."""
LONGEST = 300_000
MOST_LINES = 80


@record
class Loop:
    """Two lists that are gone through at once."""

    one: str
    other: str


def paired(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_test(file, change)]
    for file in files:
        if is_in(WORTH, file.added_text):
            yield from _in_file(file, files, change)


def _is_test(file: FileChange, change: Change) -> bool:
    if file.status not in "AM" or file.binary:
        return False
    spoken = language(file, change)
    return spoken in LANGUAGES and is_beside_tests(file.path, reader_of(spoken))


def _in_file(file: FileChange, files: Sequence[FileChange], change: Change) -> Iterator[Hit]:
    before, after = ((side(file.path) or b"")[:LONGEST] for side in (change.blobs.before, change.blobs.after))
    added = file.added_numbers
    known = {name for _, name, _, body in _blocks(before) if _loops(body)}
    for number, name, head, body in _blocks(after):
        last = number + 2 + body.count("\n")
        touched = added.intersection(range(number + 1, last + 1))
        if not touched or last - number > MOST_LINES or name in known or SIZED.search(f"{head}\n{body}"):
            continue
        for loop in _loops(body):
            gone = next(
                (hunk for hunk in file.hunks if _is_within(hunk, number, last) and _was_whole(hunk, loop)), None
            )
            if gone is not None or _called(name, files):
                detail = f"{name}: lists are compared up to the end of the shorter one, and were as wholes"
                rule = "test.somewhat-weaker" if NEAR.search(body) else "test.weakened"
                yield hit_at(rule, file.path, number + 1, detail, head.strip(), key=name)
                break


def _blocks(data: bytes) -> Iterator[tuple[int, str, str, str]]:
    """The functions, and the blocks of tests: place of the head, name, head, and what stands below."""
    yield from functions_of(data)
    lines = data.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines):
        if BLOCK.match(line):
            end = number + 1
            while end < len(lines) and (not lines[end].strip() or depth(lines[end]) > depth(line)):
                end += 1
            yield number, line.strip(), line, "\n".join(lines[number + 1 : end])


def _loops(body: str) -> list[Loop]:
    """Those that assert, and of which nothing says how long the lists are."""
    if not ASSERTS.search(body) or TO_THE_END.search(body) or LENGTH.search(IN_HEAD.sub("", body)):
        return []
    found = [
        Loop(match["one"] or match["first"].partition(",")[0], match["other"] or match["first"].partition(",")[2])
        for match in ZIP.finditer(body)
    ]
    for match in INDEX.finditer(body):
        given = {name: text for name, text in match.groupdict().items() if text is not None}
        over = next(text for name, text in given.items() if name.startswith("of_"))
        at = next(text for name, text in given.items() if not name.startswith("of_"))
        index = rf"(?<![\w.])(?P<into>[\w.$@]+)(?:\[\s*\$?{at}\s*\]|\.(?:get|at|elementAt|ElementAt)\(\s*{at}\s*\))"
        others = (each["into"] for each in re.finditer(index, body[match.end() :]) if each["into"] != over)
        found += [Loop(over, other) for other in others][:1]
    return found


def _is_within(hunk: Hunk, first: int, last: int) -> bool:
    return first < hunk.new_start <= last and bool(hunk.added) and bool(hunk.removed)


def _gone(hunk: Hunk) -> str:
    """What made way, if it compared lists as wholes, and more often than what stands there now."""
    text, now = (b"\n".join(side).decode("utf-8", "replace") for side in (hunk.removed, hunk.added))
    looped = len(ZIP.findall(now)) + len(INDEX.findall(now))
    if len(WHOLE.findall(text)) <= len(WHOLE.findall(now)) - looped or ZIP.search(text) or INDEX.search(text):
        return ""
    return text


def _was_whole(hunk: Hunk, loop: Loop) -> bool:
    text = _gone(hunk)
    named = [re.match(r"[&*(\s]*(?P<name>[\w.$@]+)", part) for part in (loop.one, loop.other)]
    both = all(match is not None and re.search(rf"(?<![\w.]){re.escape(match['name'])}\b", text) for match in named)
    return bool(text) and (LISTED.search(text) is not None or both)


def _called(name: str, files: Sequence[FileChange]) -> bool:
    """A call of it stands where lists were compared as wholes."""
    call = re.compile(rf"(?<![\w])(?<!def )(?<!func )(?<!fn )(?<!fun ){re.escape(name)}[!?]?[ (](?P<given>.*)")
    for hunk in (hunk for file in files for hunk in file.hunks if hunk.removed):
        text = _gone(hunk)
        if not text:
            continue
        for line in hunk.added:
            found = call.search(line.decode("utf-8", "replace")) if line[:1].isspace() else None
            if found is None or re.search(r"\bfunction\b|\bvoid\b|\bstatic\b", found.string[: found.start()]):
                continue
            words = [word for word in re.findall(r"[\w.$@]{3,}", found["given"]) if word in text]
            if LISTED.search(text) or len(words) > 1:
                return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (paired,)
