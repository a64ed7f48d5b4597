"""Tests of Twisted's Trial that are marked by an attribute (policy set v2, class G02).

Rule: a test with a `todo` is expected to fail, one with a `skip` is passed over, whoever sets them
(`test_a.todo = "..."` behind the test, `skip = "..."` in its class). An added one blocks, in a file that uses Trial.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORTH = later(rb"(?:^|\.)[ \t]*(?:todo|skip)[ \t]*=")
TRIAL = later(rb"\btwisted\.trial\b")
MARKED = later(r"\s*(?:(?:\w+\.)*(?P<test>\w+)\.)?(?P<mark>todo|skip)\s*=\s*(?!None\b|False\b)\S")


def marked_for_trial(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or not file.path.endswith(".py") or not is_in(WORTH, file.added_text):
            continue
        if not TRIAL.search(change.blobs.after(file.path) or b""):
            continue
        for number, line in ((number, line.decode("utf-8", "replace")) for number, line in file.added()):
            marked = MARKED.match(line)
            if marked is not None and (marked["test"] or line[:1].isspace()):
                rule = "py.xfail" if marked["mark"] == "todo" else "py.skip"
                detail = f"{marked['test'] or 'all tests of a class'}: {marked['mark']}"
                yield hit_at(rule, file.path, number, detail, line.strip())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (marked_for_trial,)
