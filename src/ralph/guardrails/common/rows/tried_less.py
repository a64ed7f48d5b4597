"""How often, how much at once, and how fast a test of the base tries something (policy set v2, classes G05 and G14).

What made-up values try is `fewer_values`'. Rules, for a line of a file of tests that is the same but for this:

- A loop that asserts in its body, or that starts what runs at once, has fewer rounds; a repeated test is repeated less
  often. A tenth, or one, blocks; more is for a person. (Python's loops are the inventory's.)
- What ran at once (a thread, a task, a goroutine) runs one after the other: blocks where the test says that it is about
  that, and is for a person elsewhere.
- The time that something may take grows: ten times blocks, twice is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.inventory.readers import holds_tests, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import bare, depth
from ralph.record import record
from ralph.system.patterns import later

FEWER, SOMEWHAT, WEAKER = "test.fewer-cases", "test.somewhat-weaker", "test.weakened"
SPOKEN = frozenset(
    "python javascript typescript tsx vue go rust java kotlin csharp ruby php swift scala dart".split()  # noqa: SIM905
)
MUCH, SOME = 10, 2
NUMBER = later(r"(?<![\w.])\d[\d_]*(?!\.?\w)|(?<=\.\.)=?\d[\d_]*|(?<![\w.])\d[\d_]*(?=\.(?:\.|times))")
BOUND = later(
    r"(?:\brange(?:Closed)?\((?:\d+,\s*)?|\bRange\(\d+,\s*|[<>]=?\s*|\.\.\s*=?\s*|\b(?:until|downTo)\s+|\blength:\s*"
    r"|\brepeat\(|\bArray\.new\(|Test\(|[rR]epeats?(?:\(|:\s*)|--count[= ])$"
)
"""What stands before the number of rounds."""
LOOPS = later(r"\b(?:for|while|until)\b")
REPEATED = later(r"@RepeatedTest\(|\[Repeat\(|@Repeat\(|\bmark\.repeat\(|\brepeats?:\s*\d|--count[= ]|\brepeatTest\(")
PLAIN_TEST = later(r"^\s*@Test\s*$")
ASKS = later(r"(?i)assert|expect\(|\bt\.(?:Fatal|Error|Fail)|require\.|\.should|verify\(|\bcheck!?\(|XCTAssert")
STARTS = later(
    r"\bThread\b|\bthread::|\bgo func\b|\bgo \w|Task\.Run|\blaunch\b|\basync\b|\.(?:submit|execute)\(|Promise\.all"
    r"|Parallel\.|\bspawn|gather\(|ThreadPool|CompletableFuture|WaitGroup"
)
AT_ONCE = (
    later(r"\bTask\.Run\(\s*(?:async\s*)?\(\)\s*=>\s*(?P<what>.+?)\)(?=[;),]|$)"),
    later(r"\b(?:thread|tokio)::spawn\(\s*(?:async\s+)?(?:move\s+)?(?:\|\|\s*)?(?P<what>.+?)\)(?=[;,]|$)"),
    later(r"\b(?:Thread\.new|Async|launch|async|thread|fork)(?:\([^()]*\))?\s*\{\s*(?P<what>.+?)\s*\}"),
    later(r"\b\w*(?:[pP]ool|[eE]xecutor|[sS]ervice)\w*\.(?:submit|execute)\(\s*\(\)\s*->\s*(?P<what>.+?)\)(?=;|$)"),
    later(r"\bgo (?P<what>func\(|\w[\w.]*\()"),
)
POOL = later(
    r"\b(?:newFixedThreadPool|ThreadPoolExecutor|max_workers\s*=|limitedParallelism|MaxDegreeOfParallelism\s*=)"
)
ABOUT = later(
    r"(?i)concurren|parallel|race|racy|thread|simultan|at_?once|lost_?update|atomic|lock|contention|no_?lost|loses no"
)
TIMED = later(
    r"(?i)elapsed|\bSince\(|duration|\btook\b|assertTimeout|perform_under|\bwithin\b|max_?time|time_?limit|\bTimeout\s*=|deadline"
)
LIMITS = later(r"<=?|>=?|assertTimeout|perform_under|\bwithin\b|lessThan|LessThan|be_within|Timeout\s*=|timeout")
NAMED = later(
    r"(?:const|var)\s+(?P<typed>\w{3,})\s+[\w.]+\s*=|(?:[\w<>]+\s+)*(?P<name>\w{3,})\s*(?::\s*[\w.:]+\s*)?:?=(?!=)"
)
"""A line that gives something a name; Go puts the type behind it."""
UNITS = (
    (later(r"(?i)nano|\bns\b|\dns"), 1e-6),
    (later(r"(?i)micro|\bus\b|\dus"), 1e-3),
    (later(r"(?i)milli|\bms\b|\dms"), 1.0),
    (later(r"(?i)minute|\bmin\b|\dm\b"), 60_000.0),
    (later(r"(?i)hour|\dh\b"), 3_600_000.0),
    (later(r"(?i)second|\bsecs?\b|\ds\b"), 1_000.0),
)
NAMES = later(r"(?i)(?:of|from_?)?(?:nano|micro|milli)?(?:second|minute|hour)s?|(?:of|from_?)?millis|\bms\b")
"""Of units."""
FARTHEST = 40
"""Lines of a body that are looked at."""


def tried_less(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not any(hunk.removed and hunk.added for hunk in file.hunks):
            continue
        spoken = language(file, change)
        if spoken in SPOKEN and holds_tests(file.path, spoken):
            yield from _of_file(file, spoken, change)


@record
class Gone:
    """Lines of a hunk that are gone: by their shape, without what started them at once, and whether one repeated."""

    shapes: Mapping[str, str]
    in_a_row: frozenset[str]
    repeated: bool


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    lines: list[str] = []
    for hunk in file.hunks:
        removed = [line.decode("utf-8", "replace").strip() for line in hunk.removed]
        gone = _gone(removed) if removed and hunk.added else None
        for row, raw in enumerate(hunk.added, start=hunk.new_start - 1) if gone is not None else ():
            line = raw.decode("utf-8", "replace")
            lines = lines or (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
            found = _judged(line.strip(), gone, row, lines, spoken) if gone is not None else None
            if found is not None:
                rule, told = found
                yield hit_at(rule, file.path, row + 1, f"{told}: {line.strip()}", line)


def _gone(removed: Sequence[str]) -> Gone:
    at_once = ((form, was) for was in removed for form in AT_ONCE if form.search(was))
    return Gone(
        shapes={_shape(was): was for was in removed if NUMBER.search(was)},
        in_a_row=frozenset(bare(form.sub(lambda found: found["what"], was)) for form, was in at_once),
        repeated=any(map(REPEATED.search, removed)),
    )


def _judged(line: str, gone: Gone, row: int, lines: Sequence[str], spoken: str) -> tuple[str, str] | None:
    if gone.repeated and PLAIN_TEST.match(line):
        return FEWER, "it is no longer repeated"
    was = gone.shapes.get(_shape(line)) if NUMBER.search(line) else None
    numbers = _numbers(was, line) if was is not None else None
    pooled = numbers is not None and POOL.search(line) is not None and numbers[1] <= 1 < numbers[0]
    if pooled or (bare(line) in gone.in_a_row and not any(form.search(line) for form in AT_ONCE)):
        about = ABOUT.search(" ".join(lines[max(0, row - FARTHEST) : row + 1]))
        return (WEAKER if about else SOMEWHAT), "it runs one after the other"
    if was is None or numbers is None:
        return None
    old, new, start = numbers
    if new < old and _bounds(line, start) and (rounds := _rounds(line, row, lines, spoken)):
        return (FEWER if new * MUCH <= old or new <= 1 else SOMEWHAT), f"{rounds}, {new:g} instead of {old:g} times"
    if spoken != "python" and _is_limit(line, lines):
        factor = _unit(line) * new / (_unit(was) * old) if old else 1.0
        if factor >= SOME:
            return (WEAKER if factor >= MUCH else SOMEWHAT), f"{factor:g} times as long is allowed"
    return None


def _is_limit(line: str, lines: Sequence[str]) -> bool:
    """It says how long something may take, or names the time for a line that does."""
    if TIMED.search(line) and LIMITS.search(line):
        return True
    named = NAMED.match(line)
    name = (named["typed"] or named["name"]) if named is not None else ""
    places = (each for each in lines if name in each and each.strip() != line) if name else ()
    return any(TIMED.search(each) and LIMITS.search(each) for each in places)


def _numbers(was: str, line: str) -> tuple[float, float, int] | None:
    """The one number in which lines of one shape differ, and its place; only the name of a unit may differ, too."""
    old, new = list(NUMBER.finditer(was)), list(NUMBER.finditer(line))
    if len(old) != len(new) or was == line:
        return None
    pairs = [(_value(one), _value(other), other.start()) for one, other in zip(old, new, strict=True)]
    different = [pair for pair in pairs if pair[0] != pair[1]]
    return different[0] if len(different) == 1 else None if different else pairs[0]


def _value(number: re.Match[str]) -> float:
    return float(number[0].lstrip("=").replace("_", ""))


def _shape(line: str) -> str:
    """Without its numbers and units."""
    return bare(NAMES.sub("U", NUMBER.sub("0", line)))


def _unit(line: str) -> float:
    return next((size for form, size in UNITS if form.search(line)), 1.0)


def _bounds(line: str, start: int) -> bool:
    bound = BOUND.search(line[:start])
    if bound is not None and bound[0][0] in "<>":
        return LOOPS.search(line) is not None
    return bound is not None or re.match(r"[\d_]+\.times\b", line[start:]) is not None


def _rounds(line: str, row: int, lines: Sequence[str], spoken: str) -> str:
    if REPEATED.search(line):
        return "it is repeated"
    indent = depth(lines[row])
    body = [line]
    for below in lines[row + 1 : row + FARTHEST]:
        if below.strip(" {}") and depth(below) <= indent:
            break
        body.append(below)
    text = "\n".join(body)
    if STARTS.search(text):
        return "it runs at once"
    return "it is asserted" if spoken != "python" and ASKS.search(text) else ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (tried_less,)
