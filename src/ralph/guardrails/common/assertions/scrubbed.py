"""What a snapshot no longer holds, as a set-up takes it out by its name (policy set v2, class G05).

`ScrubLinesContaining("Total")` takes each line with a total out of what is written and of what is compared: whatever
the product makes of it, the snapshots agree. So do `IgnoreMember("Total")`, a redaction of `.total`, `props("total")`.

Rule: a file beside tests comes to name something to be left out of what is recorded (Verify, Snapshooter, insta,
ApprovalTests, syrupy). It blocks where a recorded result of the base held that and holds it no more, and the product
still speaks of it. What another run, day or machine says otherwise is left out for good reason, by what it is called
(`Elapsed`, `Version`, `Path`) or by its value (a time, an identifier).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_beside_tests, is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORTH = later(rb"(?i)scrub|ignore_?(?:all)?_?(?:member|field|propert)|redact|add_filter|\bprops\(|\bpaths\(")
CALL = later(
    r"(?P<all>\b(?:[sS]crubLinesContaining|ScrubMembers?|IgnoreMembers?|IgnoreFields?|IgnoreAllFields|IgnoreProperty"
    r"|[iI]gnoreProperties|props|paths)(?:<\w+>)?|\bScrubLines)\((?P<given>[^\n]*)"
    r"|\b(?:add_redaction|add_filter|RegExScrubber|GuidScrubber|CreateRegex\w*)\((?P<first>[^\n]*)"
)
TEXT = later(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|(?<![\w.])_?\w*\s*=>\s*\w+\.(\w+)")
WORDS = later(r"[A-Za-z][A-Za-z0-9_ -]*[A-Za-z0-9]")
RECORDED = later(
    r"(?i)\.(?:verified|approved|received)\.\w+$|\.(?:snap|snapshot|ambr|golden)$|(?:^|/)__?snapshots?__?/|(?:^|/)(?:golden|snapshots)/"
)
CHANGES = later(
    r"(?i)time|date|\bday|elapsed|duration|seconds|\bms\b|version|build|commit|revision|host|machine|user|path|dir|folder|file"
    r"|(?:^|[\W_])u?u?id\b|id$|guid|uuid|seed|random|port|\bpid\b|thread|memory|generated|created|updated|modified|expires"
    r"|stamp|hash|digest|etag|nonce|token|copyright|temp|\bat\b|line|stack|trace|cultur|locale|session|cookie|url|address"
)
VALUE_CHANGES = later(
    r"(?i)\d{4}-\d\d-\d\d|\d\d:\d\d|[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{12}|(?:^|\s)(?:/|[A-Z]:\\)\w|\b\d+(?:\.\d+)?\s*(?:ms|s|µs|us|kb|mb|bytes)\b"
)
PLACEHOLDER = later(r"[\[{<][\w *-]+[\]}>]")
SHORTEST = 3
MOST_FILES = 300


def scrubbed(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or not is_in(WORTH, file.added_text):
            continue
        if is_beside_tests(file.path, reader_of(language(file, change))):
            yield from _named(file, change)


def _named(file: FileChange, change: Change) -> Iterator[Hit]:
    removed = {line.strip() for hunk in file.hunks for line in hunk.removed}
    for number, line in file.added():
        match = CALL.search(line.decode("utf-8", "replace")) if line.strip() not in removed else None
        if match is None:
            continue
        texts = [next(filter(None, each.groups()), "") for each in TEXT.finditer(match["given"] or match["first"])]
        for word in _words(texts if match["given"] else texts[:1]):
            path = next(_lost(word, change), "")
            if path and _is_said(word, change):
                detail = f"{word} is left out of what is recorded, which {path} held"
                yield hit_at("test.weakened", file.path, number, detail, line.decode("utf-8", "replace").strip())
                break


def _words(texts: list[str]) -> Iterator[str]:
    for text in texts:
        for part in re.split(r"[|.\[\]]", re.sub(r"\\[a-zA-Z]|[()]", " ", text)):
            match = WORDS.search(part)
            if match is not None and len(match[0]) >= SHORTEST and CHANGES.search(match[0]) is None:
                yield match[0]


def _lost(word: str, change: Change) -> Iterator[str]:
    """Recorded results that lost lines of that name, or their values, which would be the same tomorrow."""
    form = re.compile(rf"(?m)^[^\n]*(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])[^\n]*")
    for file in change.files:
        if file.status != "M" or RECORDED.search(file.path) is None:
            continue
        old, new = (
            (side(file.path) or b"").decode("utf-8", "replace") for side in (change.blobs.before, change.blobs.after)
        )
        was, now = form.findall(old), form.findall(new)
        held = [line for line in was if line not in now]
        less = len(now) < len(was) or any(PLACEHOLDER.search(line) for line in now if line not in was)
        if held and less and not any(map(VALUE_CHANGES.search, held)):
            yield file.path


def _is_said(word: str, change: Change) -> bool:
    """A file of the product has it still."""
    form = re.compile(rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))" + re.escape(word.encode()) + rb"(?![A-Za-z0-9])")
    paths = change.blobs.paths_after()
    product = (path for path in paths if not is_support(path) and RECORDED.search(path) is None)
    return any(form.search(change.blobs.after(path) or b"") for path in nearest(product, change, MOST_FILES))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (scrubbed,)
