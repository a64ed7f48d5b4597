"""Tolerances of tests that grew, told by the lines that name them (policy set v2, class G05).

Rule: a line is the same but for a number that says how far off a result may be, and the number grew: ten times blocks,
less is for a person. It is asked

- of files of data beside tests (`"tolerance": 0.005`);
- of tests in languages whose assertions are read line by line, and of Rust's `approx`. There the number stands where an
  assertion takes a tolerance (`epsilon = 0.1`), or is given to a name that does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, language, reader_of
from ralph.guardrails.lines.dialects import ENDINGS
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

DATA = later(r"(?i)\.(?:jsonc?|json5|jsonl|ndjson|ya?ml|toml|ini|properties)$")
NUMBER = r"(?P<number>\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
OFF = later(
    r"(?i)[\"']?\b(?P<name>\w*(?:tol(?:erance)?|eps(?:ilon)?|margin|max_?err(?:or)?|max_?diff(?:erence)?|max_?delta))\b[\"']?"
    rf"\s*[:=]\s*[\"']?{NUMBER}"
)
WORTH = later(rb"(?i)tol|eps|margin|max_?(?:err|diff|delta)")
LAST = (
    r"(?:assert\w*With(?:Delta|Accuracy)|assert_in_(?:delta|epsilon)|(?:EXPECT|ASSERT)_NEAR|closeTo|moreOrLessEquals"
    r"|BOOST_\w*_CLOSE\w*|Within(?:Abs|Rel|ULP))[ (][^\n]*,\s*"
)
"""Assertions of which the last argument is a tolerance."""
NAMES = r"\b(?:accuracy|tolerance|epsilon|delta|absoluteTolerance|relativeTolerance)\s*[:=]\s*"
LINES = rf"{LAST}|{NAMES}|\b(?:margin|epsilon|within)\(\s*|\+-\s*|\b[\w:.]*abs\([^\n]*\)\s*<=?\s*"
POSITIONS = {
    "rust": r"_(?:eq|ne)!\([^\n]*\b(?:epsilon|max_relative)\s*=\s*",
    **dict.fromkeys(("php", "cpp", *ENDINGS.values()), LINES),
}
"""By language, what stands in front of a tolerance."""
NAMED = r"(?:[\w$@]+(?:::|\.|->))?[$@]?(?P<held>[A-Za-z_]\w*)\b"
GIVEN = later(rf"(?P<name>\b[A-Za-z_]\w*)[\"']?\s*(?::\s*[\w:.]+\s*)?(?:=|\s)\s*{NUMBER}")
MUCH = 10


@record
class Tolerance:
    name: str
    number: float
    around: str
    """The line without the number."""


def loosened(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary:
            continue
        if DATA.search(file.path):
            if TEST_PLACE.search(file.path) and WORTH.search(file.added_text):
                yield from _grown(file, OFF, frozenset())
            continue
        spoken = language(file, change)
        before_it = POSITIONS.get(spoken or "")
        if before_it is not None and is_beside_tests(file.path, reader_of(spoken)):
            after = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
            held = frozenset(match["held"] for match in re.finditer(f"(?:{before_it}){NAMED}", after))
            yield from _grown(file, re.compile(f"(?P<name>{before_it}){NUMBER}"), held)


def _grown(file: FileChange, form: re.Pattern[str], held: frozenset[str]) -> Iterator[Hit]:
    """`held` are names that stand for a tolerance somewhere in the file."""
    for hunk in file.hunks:
        removed = [said for line in hunk.removed if (said := _tolerance(line, form, held)) is not None]
        was = {said.around: said.number for said in removed}
        for number, raw in enumerate(hunk.added, start=hunk.new_start) if was else ():
            said = _tolerance(raw, form, held)
            old = was.get(said.around) if said is not None else None
            if said is None or old is None or not said.number > old:
                continue
            rule = "test.weakened" if said.number >= MUCH * old else "test.somewhat-weaker"
            detail = f"{said.name} is {said.number:g} where it was {old:g}"
            yield hit_at(rule, file.path, number, detail, raw.decode("utf-8", "replace"))


def _tolerance(raw: bytes, form: re.Pattern[str], held: frozenset[str]) -> Tolerance | None:
    line = raw.decode("utf-8", "replace")
    said = form.search(line)
    if said is None and held:
        said = next((each for each in GIVEN.finditer(line) if each["name"] in held), None)
    if said is None:
        return None
    start, end = said.span("number")
    around = "".join(f"{line[:start]} {line[end:]}".split()).rstrip(",")
    return Tolerance(said["name"].strip(), float(said["number"].replace("_", "")), around)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (loosened,)
