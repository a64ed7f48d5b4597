"""What tests are told in their code to let pass: TypeScript and JavaScript (policy set v2, class G05).

Rules, for a file that was there, of tests, of what supports them, or of Storybook:

- More of what makes a check lenient than the base had, and no more of the checks: an accessibility check without some
  rules, parts of the page or impacts; a test of Deno that may leak; a story that is not tested; a request that no
  double answers and that is let by; an `assert` that is not strict.
- What fails tests for what nobody asserts is gone: errors on the console or of the page.
- It is no longer asked whether all answers of a double were fetched (`nock.isDone()`), of which there are as many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx")
PLACE = later(r"(?:^|/)\.storybook/|\.stories\.[jt]sx?$|(?i:(?:^|/)[\w.-]*(?:setup|support|fixtures?)[\w.-]*\.\w+$)")
WORTH = later(
    rb"[aA]xe|[aA]11y|sanitize|tags:|disableSnapshot|onUnhandledRequest|fail-?[oO]n-?[cC]onsole|pageerror|throw|assert|impact|violations"
    rb"|isDone|pendingMocks|\.done\(\)|assertNoPending|\.verify\(\)"
)
AXE = r"\b(?:axe|configureAxe|checkA11y|injectAxe|AxeBuilder|runAxe)\("
BEHIND_EACH = later(r"\bafter(?:Each|All)?\(")


@record
class Row:
    less: re.Pattern[str]
    """What makes a check lenient, or, of what may not be missing, what that is."""
    check: re.Pattern[str] | None
    """The checks; None for what may not be missing."""
    detail: str
    beside: re.Pattern[str] | None = None
    """For what may not be missing: what it is about, of which there has to be as much as before."""
    instead_of: re.Pattern[str] | None = None
    """What the base had in its place, where that has to be told."""


ROWS = (
    Row(
        later(
            r"\.disableRules\(|\.exclude\(|\.include\(|\.withRules\(|\.withTags\(|\benabled:\s*false|\bincludedImpacts\b|\brunOnly\b"
            r"|\bcheckA11y\([^()]*,\s*true\s*\)|\bcheckA11y\(\s*[\"'`]|violations\s*\.filter\("
        ),
        later(AXE),
        "an accessibility check leaves something out",
    ),
    Row(later(r"\bsanitize(?:Ops|Resources|Exit):\s*false"), later(r"\bDeno\.test\("), "a test may leak what it opens"),
    Row(
        later(
            r"tags:\s*\[[^\]]*[\"']!test[\"']|\ba11y:\s*\{[^{}]*(?:disable:\s*true|test:\s*[\"'](?:off|todo)[\"'])|\bdisableSnapshot:\s*true"
        ),
        later(r"export (?:const \w+|default)"),
        "a story is not tested",
    ),
    Row(
        later(
            r"\.listen\(\s*\)|onUnhandledRequest:\s*[\"'](?:bypass|warn)[\"']|shouldFailOn\w+:\s*false"
            r"|silenceMessage:\s*\(\w*\)\s*=>\s*true"
        ),
        later(r"\.listen\(|\bfailOnConsole\("),
        "what fails tests by itself is let pass",
    ),
    Row(
        later(r"\bfailOnConsole\(|from\s+[\"']vitest-fail-on-console[\"']"),
        None,
        "messages on the console no longer fail tests",
    ),
    Row(
        later(r"\.on\(\s*[\"']pageerror[\"'],[^;]*?\bthrow\b|\.on\(\s*[\"']pageerror[\"'],[^;]*?\.push\("),
        None,
        "errors of the page no longer fail tests",
    ),
    Row(
        later(
            r"(?:expect|assert|\bok|[eE]qual)\w*\([^\n]*(?:isDone|pendingMocks)\(|(?:isDone|pendingMocks)\(\)[^\n;]*[\s{]*throw\b"
            r"|(?<=\w)\.done\(\)|\.assertNoPendingInterceptors\(\)|\b\w*[hH]ttp\w*\.verify\(\)"
        ),
        None,
        "nobody asks any more whether all answers were fetched",
        beside=later(r"\.reply(?:WithError)?\(|\.replyOnce\(|\.expectOne\(|\bfetchMock\.(?:get|post|once|mock)\w*\("),
    ),
    Row(
        later(
            r"(?:from|require\()\s*[\"'](?:node:)?assert[\"'](?!\)\.strict)[\s\S]*?"
            r"\b(?:assert|t)\.(?:e|deepE|notE|notDeepE)qual\("
        ),
        later(r"(?:from|require\()\s*[\"'](?:node:)?assert(?:/strict)?[\"']"),
        "comparisons are no longer strict",
        instead_of=later(
            r"[\"'](?:node:)?assert/strict[\"']|[\"']assert[\"']\)\.strict\b|\bstrict as assert\b|\{\s*strict\b"
        ),
    ),
)


def lenient(change: Change) -> Iterator[Hit]:
    for file in change.files:
        named = file.path.endswith(ENDINGS) and (TEST_PLACE.search(file.path) or PLACE.search(file.path))
        if file.status == "M" and not file.binary and named and WORTH.search(file.changed_text):
            yield from _judged(file, change)


def _judged(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (
        (side(file.path) or b"").decode("utf-8", "replace") for side in (change.blobs.before, change.blobs.after)
    )
    for row in (each for each in ROWS if each.instead_of is None or each.instead_of.search(before)):
        was, now = (len(row.less.findall(side)) for side in (before, after))
        if row.check is None:
            fewer = now < was and (not now if row.beside is None else _is_as_much(row, before, after))
            lost = fewer and not _moved(row.less, file, change) and _has_tests(after)
        else:
            asked, asks = (len(row.check.findall(side)) for side in (before, after))
            lost = now > was and 0 < asks <= asked and _may_count(row, before, after)
        if lost:
            line = _line(row, file)
            yield hit_at("test.weakened", file.path, line, row.detail, "")


def _may_count(row: Row, before: str, after: str) -> bool:
    """What was said of all is said of parts now: `withTags` in the place of another."""
    return sum(map(len, row.less.findall(after))) > sum(map(len, row.less.findall(before)))


def _is_as_much(row: Row, before: str, after: str) -> bool:
    """What it is about is there as before, and nothing asks behind each test."""
    was, now = (len(row.beside.findall(side)) if row.beside is not None else 0 for side in (before, after))
    hooks = (match.end() for match in BEHIND_EACH.finditer(after))
    return 0 < was <= now and not any(row.less.search(after, start, after.find("});", start) + 1) for start in hooks)


def _moved(pattern: re.Pattern[str], file: FileChange, change: Change) -> bool:
    others = (each for each in change.files if each.path != file.path and each.path.endswith(ENDINGS))
    return any(pattern.search(each.added_text.decode("utf-8", "replace")) for each in others)


def _has_tests(after: str) -> bool:
    return re.search(r"\b(?:test|it|describe|beforeEach|afterEach|beforeAll|afterAll)\b", after) is not None


def _line(row: Row, file: FileChange) -> int:
    """Where it is said, or where it no longer is."""
    for number, line in file.added():
        if row.check is not None and row.less.search(line.decode("utf-8", "replace")):
            return number
    return next((hunk.new_start for hunk in file.hunks), 1)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (lenient,)
