"""New helpers of tests that let be near what had to be equal (policy set v2, class G05): all languages.

Rule: a function beside tests is new and compares with a tolerance (`toBeCloseTo`, `approx`, `InDelta`, `be_within`,
`abs(a - b) < 2`). A test wanted exactly a number, and calls it with that number instead. It blocks where the tolerance
lets another number of its kind pass: a whole one beside a whole one, one that is off by more than a hundredth beside
another. What is divided before it is compared (`cents / 100`) makes the tolerance so much wider.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.record import record
from ralph.system.patterns import later

NEAR = later(
    rb"(?i)close_?to|approx|almost|delta|epsilon|within|offset|toleran|\babs\b|isclose|abs_diff|assert_?equals?\([^\n]*,[^\n]*,"
)
DIGITS = later(
    r"toBeCloseTo\(\s*[^\n]*?,\s*([\w.]+)\s*\)\s*(?:;|$)|assertAlmostEquals?\([^\n]*places\s*=\s*(\w+)"
    r"|Assert\.Equal\([^\n]*,\s*(?:precision:\s*)?(\d+|\w*[pP]recision\w*|digits)\s*\)"
)
"""How many digits after the point have to be the same."""
DELTA = later(
    r"\.(?:closeTo|approximately)\([^\n]*,\s*([\w.]+)\s*\)|\bInDelta\([^\n]*,\s*([\w.]+)\s*[,)]"
    r"|assert_in_delta[ (][^\n]*,\s*([\w.]+)\)?\s*$|\b(?:be_within|Within|within|offset)\(\s*([\w.]+)\s*\)"
    r"|BeApproximately\([^\n]*,\s*([\w.]+)|\b(?:delta|epsilon|abs|abs_tol)\s*=\s*([\w.]+)"
    r"|\b(?:abs|Abs)\b[^\n]*?(?:<=?|>=?)\s*([\w.]+)|\bassertEquals\([^\n]*,[^\n]*,\s*([\w.]+)\s*\)"
)
"""How far off it may be."""
DIVIDED = later(r"/\s*(?P<by>\d[\d_]*)(?:\.0+)?\b")
WHOLE = later(r"-?\d[\d_]*")
NUMBER = r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?![\w.])"
WANTED = later(rf"(?:\.(?:toBe|toEqual|toStrictEqual|equal|eql|isEqualTo|Be)\(|[=!]==?|\beq[ (])\s*({NUMBER})")
EQUALS = later(r"\b(?:\w*[eE]quals?|assert_eq!?)\w*\s*[ (]")
"""Of such an assertion nobody can tell which of its numbers is wanted."""
ASSERTS = later(r"(?i)\b(?:assert\w*|expect|should|require|t\.(?:is|Error\w*|Fatal\w*)|if)\b")
COMMENT = later(r"\s*(?://|#(?!\[)|\*|/\*)")
HUNDREDTH = 0.01
MOST_NUMBERS = 400


@record
class Helper:
    name: str
    line: int
    slack: float
    text: str


def tolerant(change: Change) -> Iterator[Hit]:
    helpers = [
        (file, helper) for file in change.files if _may_hold(file, change) for helper in _new_helpers(file, change)
    ]
    if not helpers:
        return
    tests = [file for file in change.files if file.status == "M" and _is_beside(file, change)]
    for file, helper in helpers:
        number = next((each for test in tests for each in _now_near(test, helper)), "")
        if number:
            detail = f"{helper.name}: {number} had to be equal, and may be off by {helper.slack:g} now"
            yield hit_at("test.weakened", file.path, helper.line, detail, helper.text, key=helper.name)


def _may_hold(file: FileChange, change: Change) -> bool:
    if file.status not in "AM" or file.binary or not _is_beside(file, change):
        return False
    return is_in(NEAR, file.changed_text)


def _is_beside(file: FileChange, change: Change) -> bool:
    return is_beside_tests(file.path, reader_of(language(file, change)))


def _new_helpers(file: FileChange, change: Change) -> Iterator[Helper]:
    known = {name for _, name, _, _ in functions_of(change.blobs.before(file.path) or b"")}
    after = change.blobs.after(file.path) or b""
    lines = after.decode("utf-8", "replace").split("\n")
    for number, name, head, body in functions_of(after):
        text = f"{head}\n{body}"
        if name not in known and NEAR.search(text.encode()) and (slack := _slack(text, lines)) is not None:
            yield Helper(name, number + 1, slack, head.strip())


def _slack(text: str, lines: Sequence[str]) -> float | None:
    """The widest tolerance with which a function compares; None for none that can be read."""
    found: list[float] = []
    for line in text.split("\n"):
        if COMMENT.match(line):
            continue
        scale = max((float(match["by"].replace("_", "")) for match in DIVIDED.finditer(line)), default=1.0)
        digits = _given(DIGITS.search(line), lines)
        delta = _given(DELTA.search(line), lines)
        if digits is not None and 0 <= digits < MOST_NUMBERS:
            found.append(scale * 10**-digits / 2)
        elif delta is not None:
            found.append(scale * delta)
    return max(found, default=None)


def _given(match: re.Match[str] | None, lines: Sequence[str]) -> float | None:
    """The number, or what a constant or a parameter of that name is by itself."""
    text = next(filter(None, match.groups()), "") if match is not None else ""
    if text and not re.match(r"\d|\.\d", text):
        held = re.compile(rf"\b{re.escape(text)}\b\s*(?::\s*[\w.]+\s*)?=\s*([\d_.]+)")
        text = next((each[1] for line in lines if (each := held.search(line))), "")
    try:
        return float(text.replace("_", "").rstrip("dfm."))
    except ValueError:
        return None


def _now_near(test: FileChange, helper: Helper) -> Iterator[str]:
    """The numbers that a file wanted exactly, and hands to the helper now."""
    removed, added = _sides(test)
    called = re.compile(rf"(?<![\w.]){re.escape(helper.name)}\b[ (!](.*)")
    still = Counter(number for line in added for number in _wanted(line))
    gone = Counter(number for line in removed for number in _wanted(line)) - still
    for line in added:
        match = called.search(line)
        for number in re.findall(NUMBER, match[1]) if match is not None else ():
            plain = number.replace("_", "")
            if gone[plain] and _lets_others_pass(plain, helper.slack):
                yield plain


def _sides(file: FileChange) -> tuple[list[str], list[str]]:
    removed = [line.decode("utf-8", "replace") for hunk in file.hunks for line in hunk.removed]
    return removed, [line.decode("utf-8", "replace") for hunk in file.hunks for line in hunk.added]


def _wanted(line: str) -> Iterator[str]:
    if ASSERTS.search(line) and not COMMENT.match(line):
        found = re.findall(NUMBER, line) if EQUALS.search(line) else WANTED.findall(line)
        yield from (number.replace("_", "") for number in found)


def _lets_others_pass(number: str, slack: float) -> bool:
    if WHOLE.fullmatch(number):
        return slack >= 1
    return slack > abs(float(number)) * HUNDREDTH


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (tolerant,)
