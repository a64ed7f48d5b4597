"""Reporters of Minitest that take the place of the one which tells that a test failed (policy set v2, class G08).

Minitest's run passes if all of its reporters say so (`passed?`). Of those that it starts with only the summary counts
failures; an `AbstractReporter`, and a `Reporter`, always say that all is well.

Rule: a file of tests takes the reporters away (`reporter.reporters.clear`, `reporters = […]`, `reject!` of the
summary), and none of those that it puts in their place counts: its class is made from one of the two and has no
`passed?` of its own, or there is none. A class from elsewhere, or with a `passed?`, is taken to count; so is one that
is made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORTH = later(rb"\breporters\b|\bReporter\b")
TAKES = later(
    r"\b[rR]eporters?\.reporters\.(?:clear\b|replace\b|shift\b|(?:reject!|delete_if)[^\n]*[Ss](?:ummary|tatistics))"
    r"|\b[rR]eporter\.reporters[ \t]*=(?!=)"
)
MADE = later(r"\b(?P<name>(?:[A-Z]\w*::)*[A-Z]\w*)\.new\b")
ADDS = later(
    r"\breporters?(?:\.reporters)?[ \t]*(?:<<|\+=|=(?!=)|\.(?:push|unshift|concat|add_reporter|replace)\b)[^\n]*"
)
MUTE = later(r"(?:::)?Minitest::(?:Abstract|Progress)?Reporter|(?:Abstract|Progress)Reporter")
ANSWERS = later(r"\bdef[ \t]+(?:passed\?|method_missing\b)|\b(?:def_)?delegat\w*\b|\bdefine_method\b[^\n]*passed")
"""What a class says itself, or hands on to another one."""
NOTE = later(r"(?m)(?:^|(?<=\s))#(?!\{)[^\n]*")
LONGEST, MOST_FILES = 200_000, 400


def taken_away(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or not file.path.endswith(".rb"):
            continue
        if not is_in(WORTH, file.changed_text):
            continue
        old = _losing(change.blobs.before(file.path))
        found = _losing(change.blobs.after(file.path))
        if found is None or (old is not None and not _adds_a_counter(old[1], file, change, before=True)):
            continue
        number, text = found
        if not _adds_a_counter(text, file, change):
            snippet = text.split("\n")[number - 1].strip()
            detail = "no reporter is left that tells of a failure"
            yield hit_at("ruby.failures-ignored", file.path, number, detail, snippet)


def _losing(data: bytes | None) -> tuple[int, str] | None:
    """Where a file takes the reporters away, and its text without comments."""
    if data is None or len(data) > LONGEST or b"inites" not in data:
        return None
    text = NOTE.sub("", data.decode("utf-8", "replace"))
    match = TAKES.search(text)
    return (text.count("\n", 0, match.start()) + 1, text) if match is not None else None


def _adds_a_counter(text: str, file: FileChange, change: Change, before: bool = False) -> bool:
    added = {match["name"] for line in ADDS.findall(text) for match in MADE.finditer(line)}
    unknown = any(not MADE.search(line) and not re.search(r"=\s*\[\s*\]", line) for line in ADDS.findall(text))
    return unknown or any(_counts(name, text, file, change, before) for name in added)


def _counts(name: str, text: str, file: FileChange, change: Change, before: bool) -> bool:
    """A reporter of this name says whether all is well; one of which nothing is known is taken to."""
    if MUTE.fullmatch(name):
        return False
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        short = name.rpartition("::")[2]
        head = re.compile(rf"(?m)^(?P<deep>[ \t]*)class[ \t]+(?:\w+::)*{short}(?:[ \t]*<[ \t]*(?P<of>[\w:]+))?[^\n]*\n")
        found = next((match for each in _texts(text, file, change, before) if (match := head.search(each))), None)
        if found is None:
            return True
        body = re.split(rf"(?m)^{found['deep']}end\b", found.string[found.end() :], maxsplit=1)[0]
        if ANSWERS.search(body):
            return True
        name = (found["of"] or "").removeprefix("::")
        if not name or MUTE.fullmatch(name) or (name == "Reporter" and "Minitest" in found.string):
            return not name
    return True


def _texts(text: str, file: FileChange, change: Change, before: bool) -> Iterator[str]:
    yield text
    blobs = change.blobs
    known, read = (blobs.paths_before(), blobs.before) if before else (blobs.paths_after(), blobs.after)
    paths = [path for path in sorted(known) if path.endswith(".rb") and path != file.path]
    beside = [path for path in paths if is_test(path) or path.startswith(("test/", "spec/")) or "/test/" in path]
    for path in beside[:MOST_FILES]:
        data = read(path) or b""
        if b"eporter" in data:
            yield NOTE.sub("", data[:LONGEST].decode("utf-8", "replace"))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (taken_away,)
