"""Recorded results that tests compare with: goldens, approved files, snapshots of Python's tools, cassettes.

Rules (policy set v2, class G13): one that changed blocks if no product code changed with it, as the test was made to
agree; else it is for a person. New records, and lines that are only added, are no finding. Records that are gone, and
the snapshots of JavaScript's runners, have rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.context import Context
from ralph.guardrails.inventory.readers import RECORDED
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.system.patterns import later

JAVASCRIPT = later(r"\.(?:snap|png|jpe?g|gif|webp|[cm]?[jt]sx?)$")


def changed_records(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_changed_record(file)]
    if not files:
        return
    rule = "test.recorded-changed-with-code" if Context(change, {}).product_changed else "test.recorded-changed"
    for file in files:
        line = next((hunk.new_start for hunk in file.hunks if hunk.removed), 0)
        detail = "a recorded result wants something else"
        yield Hit(rule=rule, path=file.path, line=line, column=min(line, 1), key=detail, snippet="", detail=detail)


def _is_changed_record(file: FileChange) -> bool:
    if file.status != "M" or not RECORDED.search(file.path) or JAVASCRIPT.search(file.path):
        return False
    return file.binary or any(hunk.removed for hunk in file.hunks)
