"""Recorded results that tests compare with: goldens, approved files, snapshots of Python's tools, cassettes.

Rules (policy set v2, class G13): one that changed blocks if no product code changed with it, as the test was made to
agree; else it is for a person. So is another file of data beside tests of which a line was taken out or changed, and
which a test compares with: a line that compares, or says what is expected, has its name, which no other file has. Where
that name itself says that it is what is expected, it is a record like the others. New records, and lines that are only
added, are no finding. Records that are gone, and snapshots of JavaScript, have rules of their own. Of insta's, what
stands above the second line of hyphens says where they come from, and nothing of what is wanted; with product code, one
is shown in which most numbers stayed, and another one is not what it was.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.readers import RECORDED, TEST_PLACE
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.record import replace
from ralph.system.patterns import later

JAVASCRIPT = later(r"(?:^|/)__snapshots__/[^/]*\.snap$|\.[cm]?[jt]sx?\.snap$|\.(?:png|jpe?g|gif|webp|[cm]?[jt]sx?)$")
INSTA = later(r"(?:^|/)snapshots/[^/]+\.snap$")
NUMBER = later(rb"(?<![\w.])-?\d+(?:[.,]\d+)*(?![\w])")
HEAD = later(rb"\A---\r?\n(?:[^\n]*\n)*?---\r?\n")
COMPARES = later(r"==|(?i:assert|expect|should|equal|golden|reference)|\b(?:eq|want\w*)\b|\.to(?:Be|Equal)\b")
SAYS_EXPECTED = later(
    r"(?i)(?:^|[._-])(?:expect(?:ed|ations?)?|wanted|goldens?|reference|baseline|approved)(?:[._-]|$)"
)
BEFORE = r"(?:[\"'`})]|%[sv]|\$\w{1,40})"
"""A quote, or the end of a place in a text: `#{name}.golden.txt`, `%s.golden.txt`."""
MOST_FILES = 300
MOST_BYTES = 400_000


def changed_records(change: Change) -> Iterator[Hit]:
    data = [file for file in change.files if _is_data(file)]
    names = Counter(map(posixpath.basename, change.blobs.paths_after())) if data else {}
    data = [file for file in data if names[posixpath.basename(file.path)] == 1]
    lines = _comparing(change, {file.path.partition("/")[0] for file in data}) if data else ""
    named = [file for file in data if _is_named(file.path, lines)]
    records = [file for file in change.files if _is_changed_record(file, change)]
    records += [file for file in named if SAYS_EXPECTED.search(posixpath.basename(file.path))]
    others = replace(change, files=tuple(file for file in change.files if file not in records))
    with_code = not records or Context(others, {}).product_changed
    for file in {file.path: file for file in (*named, *records)}.values():
        alone = file in records and not with_code
        if not alone and INSTA.search(file.path) and not _has_another_number(file, change):
            continue
        yield _hit("test.recorded-changed" if alone else "test.recorded-changed-with-code", file)


def _hit(rule: str, file: FileChange) -> Hit:
    line = next((hunk.new_start for hunk in file.hunks if hunk.removed), 0)
    detail = "a recorded result wants something else"
    return hit_at(rule, file.path, line, detail, "")


def _is_changed_record(file: FileChange, change: Change) -> bool:
    if file.status != "M" or JAVASCRIPT.search(file.path):
        return False
    of_insta = INSTA.search(file.path) is not None
    if not of_insta and not RECORDED.search(file.path):
        return False
    if of_insta:
        before, after = _wanted(file, change)
        if before.split() == after.split():
            return False
    return file.binary or any(hunk.removed for hunk in file.hunks)


def _wanted(file: FileChange, change: Change) -> tuple[bytes, bytes]:
    """Both sides of a snapshot of insta's without their heads."""
    before, after = (HEAD.sub(b"", side(file.path) or b"") for side in (change.blobs.before, change.blobs.after))
    return before, after


def _has_another_number(file: FileChange, change: Change) -> bool:
    before, after = (Counter(NUMBER.findall(side)) for side in _wanted(file, change))
    gone = before - after
    return bool(gone) and 2 * gone.total() <= before.total()


def _is_data(file: FileChange) -> bool:
    if file.status != "M" or file.binary or RECORDED.search(file.path) or not TEST_PLACE.search(file.path):
        return False
    code = language_of(file.path) is not None or JAVASCRIPT.search(file.path)
    return not code and any(hunk.removed for hunk in file.hunks)


def _is_named(path: str, lines: str) -> bool:
    """By the name of the file, or by an ending that is not everybody's, behind what stands for the rest: `.out.txt`."""
    name = posixpath.basename(path)
    ending = name[name.index(".") :] if name.count(".") > 1 else name
    if ending not in lines:
        return False
    return re.search(rf"(?<![\w.-]){re.escape(name)}\b|{BEFORE}{re.escape(ending)}\b", lines) is not None


def _comparing(change: Change, tops: AbstractSet[str]) -> str:
    """The lines of tests that compare something, or say what is expected."""
    beside = (each for each in change.blobs.paths_after() if each.partition("/")[0] in tops)
    found: list[str] = []
    tests = (each for each in beside if language_of(each) and TEST_PLACE.search(each))
    for path in nearest(tests, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        lines = data.decode("utf-8", "replace").split("\n") if len(data) <= MOST_BYTES else ()
        found += (line for line in lines if "." in line and COMPARES.search(line))
    return "\n".join(found)
