"""Python product code, compared before and after (policy set v2, classes G07 and G19).

The rules are those of `stubs`, `settled`, `cases`, `stored_answers` and `answers` in this room, which only a change
with Python product code loads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, ended_by_lf, one_line_end
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.python.product.functions import Function

BUILDS_DOCUMENTS = later(
    r"(?i)(?:^|/)docs?/(?:[^/]+/)*(?:conf|_\w+|\w*(?:ext|example|snippet|demo|tutorial)\w*)(?:/|\.py$)"
)


def product_code(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if language_of(file.path) == "python" and not _is_support(file.path)]
    if not files:
        return
    from ralph.guardrails.python.product import answers, cases, handing, settled, stored_answers, stubs

    touched = []
    for file in files:
        forms = (
            (stubs.ADDED_TO_NEW,)
            if file.status == "A"
            else (
                stubs.ADDED,
                settled.DECIDED,
                cases.TABLED_DATA,
                cases.GIVES,
                cases.MADE_UP,
            )
        )
        added = [ended_by_lf(b"\n".join((*hunk.added, b""))) for hunk in file.hunks]
        adds = any(form.search(each) for each in added for form in forms) or any(map(answers.names_tests, added))
        adds = adds or (file.status != "A" and settled.leaves_early(file, change))
        if adds or handing.gives_a_name(file) or _shrinks(file, change, stubs.GAVE_BACK):
            touched.append(file)
    if not touched:
        return
    old = [each for file in touched for each in _functions(file.path, change.blobs.before(file.path))]
    new = [each for file in touched for each in _functions(file.path, change.blobs.after(file.path))]
    known = {(each.parts[-1], each.text) for each in old}
    kept = {(each.parts[-1], each.text) for each in new}
    before = [each for each in old if (each.parts[-1], each.text) not in kept]
    after = [each for each in new if (each.parts[-1], each.text) not in known]
    lines = chain.from_iterable(hunk.added for file in files for hunk in file.hunks)
    base = chain.from_iterable((change.blobs.before(file.path) or b"").split(b"\n") for file in touched)
    yield from stubs.stubs(before, after, stubs.Lines(lines, base))
    yield from settled.settled(before, after)
    for file in touched:
        gone = {each.parts[-1] for each in before if each.source.path == file.path and len(each.parts) == 1}
        yield from stubs.lambdas(file.path, ended_by_lf(change.blobs.after(file.path) or b""), gone)
    yield from cases.special_cases(before, after, change)
    yield from stored_answers.stored_answers(before, after, change)
    yield from answers.answers(after, change)


def _is_support(path: str) -> bool:
    """Beside tests, or what documents are built with; other code in a folder that is called so is the product's."""
    return bool(TEST_PLACE.search(path) or BUILDS_DOCUMENTS.search(path))


def _shrinks(file: FileChange, change: Change, form: re.Pattern[bytes]) -> bool:
    """Lines are gone, and what is left has the form."""
    shorter = file.status != "A" and any(len(hunk.removed) > len(hunk.added) for hunk in file.hunks)
    return shorter and form.search(ended_by_lf(change.blobs.after(file.path) or b"")) is not None


def _functions(path: str, data: bytes | None) -> Iterable[Function]:
    from ralph.guardrails.python.product.functions import functions_of

    try:
        text = one_line_end("python", ended_by_lf(decoded("python", data or b"")))
    except UnreadableError:
        return ()
    return functions_of(Source(path, "python", text))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (product_code,)
