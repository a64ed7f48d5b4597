"""A moment of the tests' clock that product code knows (policy set v2, class G07): all languages.

Rule: the change has product code ask whether something is one certain moment (`time === 1_700_000_000_000`, or a new
constant that is that), and the tests of the base have that moment, which the file did not: it blocks. A moment is a
number of seconds or of milliseconds since 1970, from 2001 on, or a date with a time. What is only counted from
(`time - EPOCH`), or lies within bounds, is no such question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.product.special import BESIDE
from ralph.guardrails.inventory.readers import TEST_PLACE, is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

WORTH = later(rb"\d(?:(?:_?\d){8}|\d{3}-\d\d-\d\d[T ]\d)")
"""What may be a moment, however its digits are grouped."""
DIGITS = later(r"\d{4}(?:\d{5}|-\d\d-\d\d)")
"""The same without signs between groups of digits."""
MOMENT = r"(?<![\w.])(?:1[0-9]{9}|2[0-4][0-9]{8})(?:[0-9]{3})?(?![\w.])"
DATED = r"[\"'`]\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\"'`]*[\"'`]"
SEPARATED = later(r"_(?<=\d_)(?=\d)|n(?<=\dn)\b|L(?<=\dL)\b")
"""What does not change a number. Its letters stand first: nothing else in a text is looked at then."""
GIVEN = later(
    rf"\b(?P<name>[A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?:new Date\(|Instant\.\w+\()?(?P<what>{MOMENT}|{DATED})\)?\s*;?\s*$"
)
NOTE = later(r"(?:(?<![:\w])//|(?<!\S)#|^\s*\*).*")
MOST_TESTS = 200
LONGEST = 400


def known_moments(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        reader = reader_of(spoken)
        product = reader is not None and not reader.is_test_file(file.path) and not is_support(file.path)
        if not product or file.binary or BESIDE.search(file.path) or not WORTH.search(file.added_text):
            continue
        for number, moment, line in _asked(file, _plain(change.blobs.after(file.path))):
            if moment not in _plain(change.blobs.before(file.path)) and _is_of_tests(moment, change):
                detail = f"it asks whether something is {moment}, as tests have it"
                yield hit_at("code.special-case", file.path, number, detail, line)


def _asked(file: FileChange, text: str) -> Iterator[tuple[int, str, str]]:
    """The first added line that asks for each moment."""
    lines = (_code(line) for line in text.split("\n") if DIGITS.search(line))
    named = {match["name"]: match["what"] for line in lines if (match := GIVEN.search(line))}
    names = "|".join(rf"\b{re.escape(each)}\b" for each in named)
    some = f"{MOMENT}|{DATED}" + (f"|{names}" if names else "")
    equal = r"(?:(?<![<>=!])===?|!==?|\.(?:equals|Equals|is|eq)\(|\bcase\b)"
    form = re.compile(rf"{equal}\s*(?P<right>{some})|(?P<left>{some})\s*[=!]==?(?![<>])")
    may = re.compile(b"|".join((WORTH.pattern, *(re.escape(each).encode() for each in named))))
    seen: set[str] = set()
    for number, raw in file.added():
        line = _code(SEPARATED.sub("", raw.decode("utf-8", "replace"))) if may.search(raw) else ""
        match = form.search(line) if len(line) <= LONGEST else None
        what = (match["right"] or match["left"]) if match is not None else ""
        moment = named.get(what, what)
        if moment and moment not in seen:
            seen.add(moment)
            yield number, moment, line.strip()


def _code(line: str) -> str:
    return NOTE.sub("", line)


def _plain(data: bytes | None) -> str:
    return SEPARATED.sub("", (data or b"").decode("utf-8", "replace"))


def _is_of_tests(moment: str, change: Change) -> bool:
    paths = (path for path in change.blobs.paths_before() if TEST_PLACE.search(path) or is_support(path))
    bare = moment.strip("\"'`")
    return any(bare in _plain(change.blobs.before(path)) for path in nearest(paths, change, MOST_TESTS))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (known_moments,)
