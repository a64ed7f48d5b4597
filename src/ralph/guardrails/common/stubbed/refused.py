"""A refusal that became an answer, while the test that wanted it went (policy set v2, class G19): all languages.

Rule: where the base refused (`return 0, ErrRange`, `throw`, `raise`, `Err(...)`) and the head gives a constant or
nothing in the same place, it blocks if tests that expect a failure are gone and nothing came in their place. Where the
error that was told of is defined no more, a person looks: the refusal was given up as a whole; and so where tests and
callers ask for what is given instead (`absent_instead`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.stubbed.absent_instead import is_asked_for
from ralph.guardrails.common.stubbed.dropped import MILD, PLAIN
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import stripped
from ralph.system.patterns import later

EXPECTS = later(
    rb"\b(?:pytest\.|assert)?[rR]aises(?:Regex|Message|_with_message)?\b|assert_?[tT]hrow\w*|assertFailsWith|should_?[tT]hrow\w*|\bThrows\w*\s*[<(]"
    rb"|\.toThrow\w*\(|\brejects\b|\braise_error\b|\bassert_raises\b|should_panic|\.is_err\(\)|\bunwrap_err\(|\bErr\("
    rb"|\bErrorIs\(|\berrors\.(?:Is|As)\(|\berr == nil\b|\b(?:assert|require)\.Error\w*\(|\bexpectException"
)
REFUSES = {
    "go": later(r"return\b.*\b(?:Err[A-Z]\w*|err[A-Z]\w*|errors\.New\(.*|fmt\.Errorf\(.*)\)?(?:\s*//.*)?"),
    "rust": later(r"(?:return\s+)?Err\(.*\);?|(?:anyhow::)?(?:bail|panic)!\(.*\);?"),
    "python": later(r"raise\b.*"),
    "ruby": later(r"(?:raise|fail)\b.*"),
    **dict.fromkeys(("java", "kotlin", "csharp", "javascript", "typescript", "tsx", "php"), later(r"throw\b.*")),
}
NAMED = later(r"\b(?:Err[A-Z]\w*|err[A-Z]\w*)\b")
_VALUE = r"(?:-?\d[\w.]*|\"\"|''|None|null|nil|undefined|[fF]alse|[tT]rue|\[\]|\{\}|\(\)|[\w.]+\{\}|string\.Empty)"
GIVES = later(
    rf"(?:return\b\s*)?(?:(?:Ok|Some)\({_VALUE}\)|{_VALUE}(?:\s*,\s*{_VALUE})*)?\s*;?\s*(?:(?://|\#).*)?|pass|return;?|\#.*|//.*"
)


def refused(change: Change) -> Iterator[Hit]:
    found = [hit for file in change.files for hit in _in_file(file, change)]
    if found and _without_tests(change):
        yield from found


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    spoken = language(file, change)
    reader = reader_of(spoken)
    refuses = REFUSES.get(spoken or "")
    if file.status != "M" or refuses is None or is_support(file.path):
        return
    if reader is not None and reader.is_test_file(file.path):
        return
    for hunk in file.hunks:
        removed, added = (list(filter(None, stripped(side))) for side in (hunk.removed, hunk.added))
        was = next((line for line in removed if refuses.fullmatch(line)), None)
        if was is None or not added or len(added) > len(removed) or not all(map(GIVES.fullmatch, added)):
            continue
        line, text = hunk.new_start, added[0]
        milder = _given_up(was, file.path, change) or is_asked_for(file, line + len(added) - 1, added[-1], change)
        rule = MILD if milder else PLAIN
        detail = f"`{was}` became `{text}`, and what tested it is gone"
        yield hit_at(rule, file.path, line, detail, text, key=text)


def _given_up(refusal: str, path: str, change: Change) -> bool:
    """The error had a definition in this file, and has none any more."""
    before, after = change.blobs.before(path) or b"", change.blobs.after(path) or b""
    names = (re.escape(name.encode()) for name in NAMED.findall(refusal))
    return any(re.search(rb"\b%s\s*=" % name, before) and not re.search(rb"\b%s\b" % name, after) for name in names)


def _without_tests(change: Change) -> bool:
    """Tests that expect a failure are gone, and nothing stands where they stood."""
    for file in change.files:
        reader = reader_of(language(file, change))
        if reader is None or not reader.is_test_file(file.path):
            continue
        for hunk in file.hunks:
            if any(map(EXPECTS.search, hunk.removed)) and not any(line.strip(b" \t\r{}()[];") for line in hunk.added):
                return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (refused,)
