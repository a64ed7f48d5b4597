"""Inputs of a kind that a file of tests had and has no more (policy set v2, class G05): all languages.

Rule: text beyond ASCII, or negative numbers, stood in the code of a file of tests; the change takes lines with them out
and leaves none, while as much stands there as before. It is for a person. What arrives in another file of tests moved,
and what the product no longer says either is given up with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain

from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

RULE = "test.somewhat-weaker"
KINDS = {
    "text beyond ASCII": later(
        r"(?:(?![a-zA-Z])[^\W\d_]|[\U0001F300-\U0001FAFF]|\\u\{?(?!00[0-7])[0-9a-fA-F]{4})(?=[^\"'`]*[\"'`])"
    ),
    "negative numbers": later(r"(?:[(,=:{\[]|\breturn)\s*-\d"),
}
NOTE = later(r"(?:(?<![:\w])//|(?<!\S)#|^\s*\*).*")
LONGEST = 400


def easier(change: Change) -> Iterator[Hit]:
    tests, product = list[FileChange](), list[FileChange]()
    for file in change.files:
        reader = reader_of(language(file, change))
        if reader is not None and not file.binary:
            is_test = reader.is_test_file(file.path)
            if is_test or not is_support(file.path):
                (tests if is_test else product).append(file)
    elsewhere = cache(lambda kind: _is_elsewhere(KINDS[kind], tests, product))
    for file in tests if product else ():
        if file.status == "M" and file.lines_added >= file.lines_deleted:
            yield from _in_file(file, elsewhere, change)


def _is_elsewhere(form: re.Pattern[str], tests: list[FileChange], product: list[FileChange]) -> bool:
    """The product gives it up, too, or a file of tests gets it."""
    given_up = (hunk.removed for file in product for hunk in file.hunks)
    added = (hunk.added for file in tests for hunk in file.hunks)
    return any(_has(form, lines) for lines in chain(given_up, added))


def _in_file(file: FileChange, elsewhere: Callable[[str], bool], change: Change) -> Iterator[Hit]:
    removed = [line for hunk in file.hunks for line in hunk.removed]
    for kind, form in KINDS.items():
        if not _has(form, removed) or elsewhere(kind):
            continue
        if not _has(form, (change.blobs.after(file.path) or b"").split(b"\n")):
            line = next((number for number, _ in file.added()), 1)
            detail = f"no test of the file is given {kind} any more"
            yield hit_at(RULE, file.path, line, detail)


def _has(form: re.Pattern[str], lines: Iterable[bytes]) -> bool:
    texts = (line.decode("utf-8", "replace") for line in lines if len(line) <= LONGEST)
    return any(form.search(text) and form.search(NOTE.sub("", text)) for text in texts)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (easier,)
