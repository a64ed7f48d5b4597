"""Wholes that a test compares by something that looks at a part of them (policy set v2, class G05).

Rule: an equality of objects of a certain type came to be asked through a comparer (xUnit's and NUnit's, AssertJ's,
`cmp.Comparer`, `compareBy`), and that comparer, in a class of its own or on the spot, looks at fewer members than the
type is made of, as the test itself writes its values: `new Line("bolt", 5, "A1")` with one that asks for `Sku` alone.
It blocks where the hunk takes away an equality that had no comparer. What the comparer is handed on to is not followed;
one that compares as many members as there are, or a number within a tolerance, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

LANGUAGES = frozenset({"csharp", "java", "kotlin", "go"})
EQUAL = later(
    r"\bAssert\.(?:Equal|AreEqual|That)\(|\bassert(?:Equals|IterableEquals|ArrayEquals)\(|\.(?:isEqualTo|containsExactly\w*)\("
    r"|\.Should(?:\(\)\.(?:Be|Equal|BeEquivalentTo))?\w*\(|\.ShouldBe\w*\(|\bcmp\.(?:Diff|Equal)\(|\breflect\.DeepEqual\(|\bslices\.Equal\("
    r"|\b(?:assert|require)\.Equal\(|\bshouldBe\b"
)
NAMED = later(
    r"\b(?:class|struct|object)\s+(?P<class>\w+)[^{;]*?\b(?:IEqualityComparer|IComparer|EqualityComparer|Comparator)"
    r"<(?P<of>\w+)\??>[^{;]*\{"
    r"|\b(?P<variable>\w+)(?:\s*:\s*Comparator<\w+>)?\s*:?=\s*(?=cmp\.Comparer\(|Comparator\b|compareBy\b|Comparer<)"
    r"|\bfunc\s+(?P<function>\w+)\((?P<one>\w+), (?P<two>\w+) \*?(?P<type>\w+)\) bool \{"
)
"""A comparer with a name, and its type where the head says it."""
ON_THE_SPOT = later(
    r"\bcmp\.Comparer\(|\.Using(?:<\w+>)?\((?=\(|new |\w+ =>)|\.using(?:Element|Default(?:Element)?)?Comparator\w*\("
    r"|\bcompareBy\b|\bComparer<\w+>\.Create\(|\bslices\.EqualFunc\("
)
PAIRS = (
    later(r"\((?:\w+\??\s+)?(?P<one>\w+)\s*,\s*(?:\w+\??\s+)?(?P<two>\w+)\)\s*(?:=>|->)"),
    later(r"\((?P<one>\w+), (?P<two>\w+) \*?\w+\) bool\b"),
    later(r"\{\s*(?P<one>\w+)(?:\s*:\s*\w+)?,\s*(?P<two>\w+)(?:\s*:\s*\w+)?\s*->"),
)
"""What a function is handed that compares."""
EQUALS = later(
    r"\b(?:bool Equals|int Compare|int compare|fun compare|fun equals)\(\s*(?:final )?(?:\w+\??\s+)?(?P<one>\w+)[^,]*"
    r",\s*(?:final )?(?:\w+\??\s+)?(?P<two>\w+)[^)]*\)"
)
REFERRED = later(r"\b[A-Z]\w*::(?:get)?(?P<member>\w+)|\bit\.(?P<own>\w+)")
WHOLE = frozenset({"equals", "hashcode", "gettype", "tostring", "getclass", "compareto"})
WORTH = later(rb"(?i)compar|using|EqualFunc|\) bool \{")
LONGEST = 300_000
MOST = 1_500
NEAR = 15
"""Lines before an assertion in which what it wants may be written."""


@record
class Comparer:
    """What an equality is asked through: its name, or the text on the spot."""

    name: str
    path: str
    members: int


def comparers(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_test(file, change)]
    if not any(WORTH.search(file.added_text) for file in files):
        return
    texts = {file.path: (change.blobs.after(file.path) or b"")[:LONGEST].decode("utf-8", "replace") for file in files}
    known = [each for path, text in texts.items() for each in _named(path, text)]
    for file in files:
        if file.status == "M":
            yield from _in_file(file, known, texts[file.path])


def _is_test(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    reader = reader_of(spoken)
    if spoken not in LANGUAGES or reader is None or file.status not in "AM" or file.binary:
        return False
    return is_beside_tests(file.path, reader) or "Tests" in file.path


def _in_file(file: FileChange, known: list[Comparer], text: str) -> Iterator[Hit]:
    for hunk in file.hunks:
        removed, added = (
            "\n".join(line.decode("utf-8", "replace") for line in side) for side in (hunk.removed, hunk.added)
        )
        if not EQUAL.search(removed) or ON_THE_SPOT.search(removed):
            continue
        used = [each for each in known if _names(each, added) and not _names(each, removed)]
        used += list(_here(file.path, added))
        around = "\n".join(text.split("\n")[max(0, hunk.new_start - NEAR) : hunk.new_start + len(hunk.added)])
        for each in used:
            if 0 < each.members < max(map(_written, (removed, added, around))):
                yield _hit(file, hunk.new_start, added, each)
                break


def _names(comparer: Comparer, text: str) -> bool:
    return re.search(rf"(?<!class )\b{re.escape(comparer.name)}\b", text) is not None


def _hit(file: FileChange, start: int, added: str, comparer: Comparer) -> Hit:
    lines = added.split("\n")
    at = next((number for number, line in enumerate(lines) if comparer.name[:40] in line), 0)
    own = comparer.path != file.path
    detail = f"{cut(comparer.name, 60)} compares {comparer.members} of the members"
    line = 1 if own else start + at
    return hit_at("test.weakened", comparer.path, line, detail, lines[at].strip())


def _named(path: str, text: str) -> Iterator[Comparer]:
    for match in NAMED.finditer(text):
        name = match["class"] or match["variable"] or match["function"]
        said = _body(text, match.end() - (text[match.end() - 1] == "{"))
        if match["one"]:
            yield Comparer(name, path, _members(said, match["one"], match["two"]))
        else:
            yield Comparer(name, path, _looked_at(said))


def _here(path: str, added: str) -> Iterator[Comparer]:
    for match in ON_THE_SPOT.finditer(added):
        said = _body(added, match.start())
        if members := _looked_at(said):
            yield Comparer(match[0].strip("(."), path, members)


def _body(text: str, start: int) -> str:
    """From here to where what is opened first is closed, and to the end of its statement."""
    deep, opened = 0, False
    for number in range(start, min(len(text), start + MOST)):
        letter = text[number]
        deep += (letter in "([{") - (letter in ")]}")
        opened = opened or deep > 0
        if (opened and deep <= 0 and text[number + 1 : number + 2] in ("\n", ";", "", ",", ")")) or deep < 0:
            return text[start : number + 1]
    return text[start : start + MOST]


def _looked_at(said: str) -> int:
    """How many members a comparer asks of both."""
    for form in (EQUALS, *PAIRS):
        pair = form.search(said)
        if pair is not None and (members := _members(said, pair["one"], pair["two"])):
            return members
    return len({(match["member"] or match["own"]).lower() for match in REFERRED.finditer(said)} - WHOLE)


def _members(said: str, one: str, two: str) -> int:
    of = [
        {name.lower() for name in re.findall(rf"\b{re.escape(each)}[?!]{{0,2}}\.(?:get(?=[A-Z]))?(\w+)", said)} - WHOLE
        for each in (one, two)
    ]
    return len(of[0] & of[1])


def _written(text: str) -> int:
    """Of how many values the objects are made that a test writes down: the most there are."""
    most = 0
    for match in re.finditer(r"(?:\bnew\s+|(?<![\w.])|\.)[A-Z]\w*(?:<\w+>)?(?P<open>[({])", text):
        if re.match(
            r"(?:List|Set|Map|Arrays|Assert\w*|Optional|Tuple|Equal|That|Diff)\b", match[0].split()[-1].lstrip(".")
        ):
            continue
        inside = _body(text, match.start("open"))[1:-1]
        most = max(most, _count(inside))
    return most


def _count(inside: str) -> int:
    deep, count = 0, 1
    for letter in inside:
        deep += (letter in "([{") - (letter in ")]}")
        count += letter == "," and not deep
    return count if inside.strip() else 0


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (comparers,)
