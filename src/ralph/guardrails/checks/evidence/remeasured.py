"""What a report of a run says, and whether anything in a change could have made it say something better (class G17).

Rules: a report counts failures, lists them, gives a rate of what was covered, lists what was not. It is better if one
of these is better and none is worse. A run says the same of the same tree: where nothing else changed but documents,
comments and other reports, nobody measured what is better. What cannot be told is not taken for measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal

from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

Verdict = Literal["better", "mixed", "unknown", ""]

COUNTS = tuple(
    later(pattern)
    for pattern in (
        rb"<testsuites\b[^>]*?\bfailures=[\"'](\d{1,9})",
        rb"<testsuites\b[^>]*?\berrors=[\"'](\d{1,9})",
        rb"<testsuite\b[^>]*?\bfailures=[\"'](\d{1,9})",
        rb"<testsuite\b[^>]*?\berrors=[\"'](\d{1,9})",
        rb"<Counters\b[^>]*?\bfailed=[\"'](\d{1,9})",
        rb"<Counters\b[^>]*?\b(?:error|timeout|aborted)=[\"'](\d{1,9})",
        rb"<(?:test-run|test-suite|assembly|collection)\b[^>]*?\bfailed=[\"'](\d{1,9})",
        rb"\"num(?:Failed\w+|RuntimeErrorTestSuites)\"\s*:\s*(\d{1,9})",
        rb"\"(?:failed|failures|errors?|broken|unexpected)\"\s*:\s*(\d{1,9})",
        rb"<counter\b(?=[^>]*\btype=[\"'](?:LINE|BRANCH))[^>]*?\bmissed=[\"'](\d{1,9})",
    )
)
"""How many failures a report counts: JUnit, TRX, NUnit and xUnit, jest, and what pytest, mocha, CTRF write as JSON;
and what JaCoCo says was missed."""
LISTED = tuple(
    later(pattern)
    for pattern in (
        rb"<failure\b",
        rb"<error\b",
        rb"\b(?:outcome|result)=[\"'](?:Failed|Fail|Error|Timeout|Aborted)[\"']",
        rb"\"(?:status|outcome|state)\"\s*:\s*\"(?:failed|fail|error|broken|timedOut)\"",
        rb"<line\b[^>]*?\bhits=[\"']0[\"']",
        rb"<line\b[^>]*?\bcount=[\"']0[\"']",
        rb"<line\b[^>]*?\bci=[\"']0[\"']",
        rb"(?m)^DA:\d+,0\b",
    )
)
"""What a report lists one by one: failures, and lines that no test ran (Cobertura, Clover, JaCoCo, lcov)."""
RATES = tuple(
    later(pattern)
    for pattern in (
        rb"<coverage\b[^>]*?\bline-rate=[\"']([\d.]{1,20})",
        rb"<coverage\b[^>]*?\bbranch-rate=[\"']([\d.]{1,20})",
        rb"\"totals\"\s*:\s*\{[^{}]*?\"percent_covered\"\s*:\s*([\d.]{1,20})",
        rb"\"total\"\s*:\s*\{(?:[^{}]*\{[^{}]*\}){0,3}?[^{}]*\"lines\"\s*:\s*\{[^{}]*?\"pct\"\s*:\s*([\d.]{1,20})",
        rb"\"total\"\s*:\s*\{(?:[^{}]*\{[^{}]*\}){0,5}?[^{}]*\"branches\"\s*:\s*\{[^{}]*?\"pct\"\s*:\s*([\d.]{1,20})",
    )
)
"""The share of everything that was covered: Cobertura, coverage.py, istanbul."""
SHARES = (
    (later(rb"(?m)^LH:(\d{1,9})"), later(rb"(?m)^LF:(\d{1,9})")),
    (later(rb"(?m)^BRH:(\d{1,9})"), later(rb"(?m)^BRF:(\d{1,9})")),
    (
        later(rb"<metrics\b[^>]*?\bcoveredstatements=[\"'](\d{1,9})"),
        later(rb"<metrics\b[^>]*?\bstatements=[\"'](\d{1,9})"),
    ),
)
"""The same as two numbers, what was covered and what there is: lcov, Clover."""
IS_ONE = later(
    rb"<testsuites?\b|<TestRun\b|<test-run\b|<assemblies\b|<coverage\b[^>]*\b(?:line-rate|generated)=|\"numFailedTests\"\s*:"
    rb"|\"percent_covered\"\s*:|\"reportFormat\"\s*:\s*\"CTRF\"|\"stats\"\s*:\s*\{\s*\"suites\"\s*:|^(?:TN:[^\n]*\n)?SF:"
    rb"|<!DOCTYPE report PUBLIC \"-//JACOCO|\"exitcode\"\s*:[^{}]*\"root\"\s*:"
)
"""A file that is a report, whatever it is called."""
SAYS_MUCH = later(
    rb"(?i)fail|error|rate=|percent|pct|cover|miss|hits|outcome|result|status|state|broken|unexpected|\bci=|count=|^(?:DA|L[HF]|BR[HF]):",
    re.MULTILINE,
)
"""Of a report whose results changed, at least one of these changed; looked at before the whole file is."""
REPORT_SUFFIXES = (".xml", ".trx", ".json", ".info", ".lcov")

PROSE = later(r"(?i)\.(?:md|rst|adoc|markdown|log|png|gif|jpe?g)$|(?:^|/)(?:licen[cs]e|changelog|authors|notice)[^/]*$")
"""What people read."""
HASHED = (
    ".toml",
    ".yml",
    ".yaml",
    ".ini",
    ".cfg",
    ".conf",
    ".properties",
    ".gitignore",
    ".gitattributes",
    ".editorconfig",
)
NO_WORD = later(rb"\s*(?:#(?!!).*)?")


def is_edited(change: Change, file: FileChange) -> bool:
    """By what stands in it, whatever it is called."""
    if file.status != "M" or not file.path.endswith(REPORT_SUFFIXES):
        return False
    told = file.binary or SAYS_MUCH.search(file.changed_text) is not None
    return told and IS_ONE.search(change.blobs.before(file.path) or b"") is not None


def compared(was: bytes, now: bytes) -> Verdict:
    """What the report says now, compared with what it said."""
    old, new = _badness(was), _badness(now)
    if not old or not new:
        return "unknown" if was != now else ""
    less = any(new.get(key, 0.0) < value - 1e-9 for key, value in old.items())
    more = any(value > old.get(key, 0.0) + 1e-9 for key, value in new.items())
    return "" if not less else "mixed" if more else "better"


def is_measurable(change: Change, is_report: Callable[[FileChange], bool]) -> bool:
    """Something else changed that a run may have noticed."""
    return any(_counts(change, file) for file in change.files if not is_report(file))


def _counts(change: Change, file: FileChange) -> bool:
    from ralph.guardrails.inventory.product_changes.noticed import is_noticed

    if PROSE.search(file.path):
        return False
    if file.binary or (file.status == "M" and file.old_mode != file.new_mode):
        return True
    if file.status == "M" and file.path.endswith(HASHED):
        return not all(NO_WORD.fullmatch(line) for line in file.changed_text.split(b"\n"))
    old, new = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    # What is new counts too, whoever calls it: a test may have asked for it all along.
    return (not old and not new) or language_of(file.path) is None or is_noticed(file.path, old, new, (new,))


def _badness(data: bytes) -> dict[str, float]:
    """What is said, each so that less is better. Nothing for what is no report that can be read."""
    said: dict[str, float] = {}
    for counted in COUNTS:
        if numbers := counted.findall(data):
            said[f"{counted.pattern!r}"] = _sum(numbers)
    for rate in RATES:
        if found := rate.search(data):
            said[f"{rate.pattern!r}"] = -_number(found[1])
    for covered, whole in SHARES:
        if (all_of := _sum(whole.findall(data))) > 0:
            said[f"{covered.pattern!r}"] = -_sum(covered.findall(data)) / all_of
    known = bool(said) or IS_ONE.search(data) is not None
    listed = {f"{each.pattern!r}": float(len(each.findall(data))) for each in LISTED}
    return {**said, **listed} if known or any(listed.values()) else {}


def _sum(numbers: Iterable[bytes]) -> float:
    return float(sum(map(int, numbers)))


def _number(text: bytes) -> float:
    return float(text) if re.fullmatch(rb"\d+(?:\.\d*)?|\.\d+", text) else 0.0
