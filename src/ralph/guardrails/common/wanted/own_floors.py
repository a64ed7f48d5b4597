"""Limits that a project's own scripts hold it to (policy set v2, class G13).

Rule: a script that only stands there to check (`scripts/coverage.py`, `ci/budget.sh`) ends with a failure where a
number is below or above another one, and the other one moved so that less fails. It blocks where the script is about
coverage, mutants, scores, warnings or errors, and is for a person elsewhere, as of sizes and times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

SCRIPTS = later(
    r"(?i)(?:^|/)(?:scripts?|ci|tools?|bin|hack|build|build_tools|tasks|\.github|\.gitlab|\.circleci|dev|devtools|maint)/"
    r"(?:[^/]+/)*[^/]+$|(?:^|/)[^/]*(?:check|cover|gate|verif|budget|threshold|quality|lint)[^/]*$"
)
SPOKEN = later(r"\.(?:py|rb|sh|bash|zsh|pl|php|go|[cm]?[jt]s|ps1|groovy|kts)$|(?:^|/)[^./]+$")
NUMBER = r"-?\d[\d_]*(?:\.\d+)?"
BELOW = later(
    rf"(?:<=?|-l[te]\b)\s*(?P<limit>{NUMBER})\b|(?<![\w.])(?P<first>{NUMBER})\s*(?:>=?|-g[te]\b)\s*[A-Za-z_$\"'(]"
)
"""It fails below the number."""
ABOVE = later(
    rf"(?:(?<![-=])>=?|-g[te]\b)\s*(?P<limit>{NUMBER})\b|(?<![\w.])(?P<first>{NUMBER})\s*(?:<=?|-l[te]\b)\s*[A-Za-z_$\"'(]"
)
FAILS = later(
    r"\b(?:sys\.exit|process\.exit|os\.Exit|SystemExit|exit|abort|die|raise|throw|panic|fail\w*|Fatal\w*|exitCode)\b(?!\s*\(?\s*0\b)"
    r"|\breturn\s+(?:1|[Ff]alse)\b|::error"
)
DEMANDS = later(r"^\s*assert\b|\bassert\w*\(|\b(?:ok|passed|passes|good|is_ok|success)\s*:?=(?!=)")
"""What has to hold: below the number nothing fails."""
ABOUT = later(
    r"(?i)cover|\bcov|percent|mutat|mutant|score|warning|violation|lint|complexity|error|failure|duplicat|type.?check"
)
FARTHEST = 3
AROUND = 12
LONGEST = 300


def lowered(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and not file.binary and _is_script(file.path):
            yield from _of_file(file, change)


def _is_script(path: str) -> bool:
    named = SCRIPTS.search(path) is not None and SPOKEN.search(path) is not None
    return named and TEST_PLACE.search(path) is None


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    lines: list[str] = []
    for number, was, line in file.rewritten():
        moved = _moved(was, line)
        if moved is None:
            continue
        lines = lines or (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
        below = _fails(lines, number, line)
        old, new, fails_below = moved
        if below is None or (new < old) is not (fails_below is below):
            continue
        near = "\n".join((file.path, *lines[max(0, number - AROUND) : number + AROUND]))
        rule = "cfg.coverage.threshold" if ABOUT.search(near) else "check.narrowed-unclear"
        detail = f"the check fails at {new:g} where it failed at {old:g}"
        yield hit_at(rule, file.path, number, detail, line.strip())


def _moved(was: str, now: str) -> tuple[float, float, bool] | None:
    """The number that was, the one that is, and whether it stands behind a "less than"; nothing else may differ."""
    if max(len(was), len(now)) > LONGEST or re.sub(NUMBER, "0", was).split() != re.sub(NUMBER, "0", now).split():
        return None
    for form, below in ((BELOW, True), (ABOVE, False)):
        one, other = form.search(was), form.search(now)
        if one is not None and other is not None:
            old, new = (float((each["limit"] or each["first"]).replace("_", "")) for each in (one, other))
            if old != new:
                return old, new, below
    return None


def _fails(lines: Sequence[str], number: int, line: str) -> bool | None:
    """True if something fails where the comparison holds, False where it does not; None if nothing fails."""
    if DEMANDS.search(line):
        return False
    behind = lines[number - 1 : number + FARTHEST]
    return True if any(FAILS.search(each) for each in behind) else None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (lowered,)
