"""Reports of runs that are committed instead of made by a run (class G17).

Rules: a new report is shown. One that is new or edited was written by hand if it counts tests and lists none (unless it
did before, and counts more failures now), or counts no failure and lists one; and nothing measured a new one if the run
that wrote it is gone, or if a script that runs no tests shows or copies it in the place of one that did. One that was
edited to say something better was written by hand if nothing else changed that a run may notice; else it is shown, as
is one in a folder of tests or of documents, which may be a sample.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.evidence.remeasured import compared, is_edited, is_measurable
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.config.patterns import TEST_FOLDERS, is_sample
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NAME = later(
    r"(?:junit|test-?results?|test-?report|coverage|cobertura|lcov|jacoco|clover|surefire)[\w.-]*\.(?:xml|info|json|html|lcov)$|TEST-[\w.]+\.xml$|\.coverage$",
    re.IGNORECASE,
)
NO_REPORT = later(r"schema|config|template|\.test\.|\.spec\.")
SHOWS = frozenset(("cat", "cp", "mv", "install", "ln", "head", "tail", "less", "xmllint", "touch"))
MADE, BY_HAND, BETTER = "evidence.report-added", "evidence.fake-output", "evidence.report-better"
COUNTED: tuple[tuple[re.Pattern[bytes], bytes], ...] = (
    (later(rb"<testsuites?\b[^>]*\btests=[\"'][1-9]"), b"<testcase"),
    (later(rb"<Counters\b[^>]*\btotal=[\"'][1-9]"), b"<UnitTestResult"),
    (later(rb"\"numPassedTests\"\s*:\s*[1-9]"), b"assertionResults"),
)
"""What a report says about its tests, and how it lists them."""
SUITE = later(rb"<testsuite\b[^>]*>")
FAILED = later(rb"\b(failures|errors)=[\"'](\d{1,6})[\"']")
LISTED = {b"failures": later(rb"<failure\b"), b"errors": later(rb"<error\b")}


def report_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    if file.status == "D" or not _is_called_report(file):
        if is_edited(change, file):
            yield from _better(change, file)
        return
    name, data = posixpath.basename(file.path), change.blobs.after(file.path) or b""
    if _lists_none(data) and not _is_worse(change.blobs.before(file.path) or b"", data):
        yield hit_at(BY_HAND, file.path, 0, f"{name} counts tests and lists none")
    elif _hides_failures(data):
        yield hit_at(BY_HAND, file.path, 0, f"{name} lists failures and counts none")
    elif is_report(file):
        yield hit_at(MADE, file.path, 0, f"{name} is a report of a run")
    else:
        yield from _better(change, file)


def _better(change: Change, file: FileChange) -> Iterator[Hit]:
    """An edited report that says something better than before."""
    blobs, name = change.blobs, posixpath.basename(file.path)
    verdict = compared(blobs.before(file.path) or b"", blobs.after(file.path) or b"")
    if not verdict:
        return
    alone = not is_measurable(change, lambda other: _is_called_report(other) or is_edited(change, other))
    if verdict == "better" and alone and not _may_be_sample(file.path):
        yield hit_at(BY_HAND, file.path, 0, f"{name} says something better, and nothing changed that a run may notice")
    elif verdict == "better" or alone:
        yield hit_at(BETTER, file.path, 0, f"{name} says something else than before")


def _may_be_sample(path: str) -> bool:
    folders = path.lower().split("/")[:-1]
    return not TEST_FOLDERS.isdisjoint(folders) or any("sample" in folder for folder in folders)


def unmeasured_hits(
    change: Change, old: Sequence[Gate], new: Sequence[Gate], shown: Sequence[tuple[str, Sequence[str]]]
) -> Iterator[Hit]:
    """`shown`: the commands of the head's changed files, each with its file."""
    for path in (file.path for file in change.files if is_report(file)):
        makers = [gate for gate in old if _names(gate.path, gate.words, path)]
        if any(_names(gate.path, gate.words, path) for gate in new):
            continue
        left = {gate.words[0] for gate in new}
        if makers and not any(gate.words[0] in left for gate in makers):
            yield hit_at(BY_HAND, path, 0, f"{makers[0].text}, which wrote it, is gone")
            continue
        testing = {gate.path for gate in new if gate.kind in ("test", "coverage")}
        tested = {gate.path for gate in old if gate.kind in ("test", "coverage")} - testing
        for place, words in shown:
            if place in tested and words[0] in SHOWS and _names(place, words[1:], path):
                yield hit_at(BY_HAND, path, 0, f"{cut(' '.join(words), 100)} stands in {place} where tests were run")
                break


def is_report(file: FileChange) -> bool:
    """A new one."""
    return file.status == "A" and _is_called_report(file)


def _is_called_report(file: FileChange) -> bool:
    name = posixpath.basename(file.path)
    return NAME.search(name) is not None and not NO_REPORT.search(name) and not is_sample(file.path)


def _lists_none(data: bytes) -> bool:
    return any(counts.search(data) is not None and listed not in data for counts, listed in COUNTED)


def _hides_failures(data: bytes) -> bool:
    return any(number == 0 and LISTED[kind].search(data) is not None for kind, number in _counted(data).items())


def _is_worse(was: bytes, now: bytes) -> bool:
    """It never listed tests, and counts more failures than before: nobody embellishes that."""
    return _lists_none(was) and sum(_counted(now).values()) > sum(_counted(was).values())


def _counted(data: bytes) -> dict[bytes, int]:
    """How many failures and errors the suites count."""
    counted: dict[bytes, int] = {}
    for suite in SUITE.findall(data):
        for kind, number in FAILED.findall(suite):
            counted[kind] = counted.get(kind, 0) + int(number)
    return counted


def _names(place: str, words: Sequence[str], path: str) -> bool:
    """True if a command of that place names the file, from the root or from its own folder."""
    folder = posixpath.dirname(place)
    given = (re.split(r"[=:]", word)[-1].strip("\"'") for word in words)
    return any(path in (posixpath.normpath(word), posixpath.normpath(posixpath.join(folder, word))) for word in given)
