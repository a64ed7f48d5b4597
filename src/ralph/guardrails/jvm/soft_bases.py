"""Java and Kotlin: collectors of failures, for tests of other files or of other tools, that nobody asks (class G05).

Rules (see `soft` for AssertJ's, where they stand in the file of their tests):

- AssertJ's `SoftAssertions` and TestNG's `SoftAssert` keep what fails until `assertAll()` is called; JUnit's
  `ErrorCollector` and Truth's `Expect` fail the test where they are its `@Rule`.
- A file that makes one, where neither it nor a class that is made of its classes asks or hands it on, drops the
  failures of all tests that use it. It blocks where one of them asserted at the base, and was heard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from ralph.guardrails.jvm.soft import ASKED, HANDED
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

GATE = later(
    rb"SoftAssert\w*\(\)|ErrorCollector\(\)|\bExpect\.create\(\)|\bassertAll\b|SoftAssertionsExtension|@Rule\b"
)
MADE = later(
    r"\b(?P<name>[a-z]\w*)\s*(?::\s*[\w.]+\s*)?=\s*(?:new\s+)?(?:\w+\.)*"
    r"(?:(?P<own>(?:BDD|Java6)?SoftAssertions)\(\)|SoftAssert\(\)|ErrorCollector\(\)|Expect\.create\(\))"
)
USED = r"(?<![\w.])(?:this\.)?%s\.(?:assert\w+|check\w+|that|then|fail\w*)\s*[(<]"
ASSERTS = later(r"\bassert\w*\s*\(|\.(?:assert|check)\w+\(|\bexpect\.that\(|\bverify\(")
CLASS = later(r"\bclass\s+([A-Z]\w*)")
SOURCES = (".java", ".kt", ".groovy")
MOST_FILES = 600
"""In a tree of more sources nobody knows what is made of a class."""

Read = Callable[[str], bytes | None]


def unasked_collectors(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith(SOURCES) and file.status in "AM" and is_in(GATE, file.changed_text):
            yield from _unasked(file, change)


def _unasked(file: FileChange, change: Change) -> Iterator[Hit]:
    text = _text(file.path, change.blobs.after)
    for made in MADE.finditer(text):
        name = made["name"]
        if not _is_dropped(name, [text]):
            continue
        heirs = _heirs(file.path, text, change)
        texts = {file.path: text, **{path: _text(path, change.blobs.after) for path in heirs}}
        if not _is_dropped(name, list(texts.values())):
            continue
        uses = [path for path, each in texts.items() if re.search(USED % name, each)]
        told = made["own"] and file.path in uses  # the reader of its tests tells it
        if not told and any(_was_heard(path, file.path, name, change) for path in uses):
            line = text.count("\n", 0, made.start()) + 1
            detail = f"nobody asks {name} for the failures that it collects"
            yield hit_at("test.weakened", file.path, line, detail, made[0].strip())


def _heirs(path: str, text: str, change: Change) -> list[str]:
    """The files with classes that are made of one of this file."""
    names = "|".join(map(re.escape, dict.fromkeys(CLASS.findall(text))))
    sources = [each for each in sorted(change.blobs.paths_after()) if each.endswith(SOURCES) and each != path]
    if not names or len(sources) > MOST_FILES:
        return []
    made_of = re.compile(rf"\bextends\s+(?:\w+\.)*(?:{names})\b|:\s*(?:\w+\.)*(?:{names})\b\s*(?:<[^>]*>)?\(")
    return [each for each in sources if made_of.search(_text(each, change.blobs.after))]


def _was_heard(path: str, place: str, name: str, change: Change) -> bool:
    """The file asserted at the base, and not by a collector that nobody asked."""
    before = _text(path, change.blobs.before)
    around = [before, *([_text(place, change.blobs.before)] if place != path else ())]
    used = any(re.search(USED % name, each) for each in around)
    made = any(made["name"] == name for made in chain.from_iterable(map(MADE.finditer, around)))
    return ASSERTS.search(before) is not None and not (used and made and _is_dropped(name, around))


def _is_dropped(name: str, texts: list[str]) -> bool:
    return not any(ASKED.search(text) or re.search(HANDED % (name, name, name), text) for text in texts)


def _text(path: str, read: Read) -> str:
    return (read(path) or b"").decode("utf-8", "replace")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unasked_collectors,)
