"""Which changed files may hold tests, who reads them, and what of a change is product code."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Protocol

from ralph.guardrails.inventory.model import Inventory
from ralph.guardrails.languages import KEPT, language_of, wants_first_line
from ralph.guardrails.lines.dialects import ENDINGS
from ralph.guardrails.memo import Memo
from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, Change, FileChange
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.record import field, record
from ralph.system.patterns import later

READERS = {
    "python": "ralph.guardrails.python.inventory",
    "javascript": "ralph.guardrails.javascript.inventory",
    "typescript": "ralph.guardrails.javascript.inventory",
    "tsx": "ralph.guardrails.javascript.inventory",
    "vue": "ralph.guardrails.javascript.inventory",
    "go": "ralph.guardrails.golang.inventory",
    "rust": "ralph.guardrails.rust.inventory",
    "java": "ralph.guardrails.jvm.inventory",
    "kotlin": "ralph.guardrails.jvm.kotlin_inventory",
    "csharp": "ralph.guardrails.csharp.inventory",
    "ruby": "ralph.guardrails.ruby.inventory",
    "shell": "ralph.guardrails.bats.inventory",
    **dict.fromkeys(("php", "cpp", *ENDINGS.values()), "ralph.guardrails.lines.inventory"),
    "testscript": "ralph.guardrails.golang.removed.scripts",
}
"""The extractor of each language. Files of other languages are product code, or support of tests."""

DOCUMENTS = later(
    r"(?i)\.(?:md|rst|adoc|txt|png|jpe?g|gif|svg|ico|css|po)$|(?:^|/)(?:docs?|licenses?|changelog)\b[^/]*/"
    r"|(?:^|/)doc\.go$"
)
CALLED_A_DOCUMENT = later(r"(?i)(?:^|/)(?:docs?|licenses?|changelog)\b[^/]*$")
"""By its name alone: source of such a name is source, but for the file that Go keeps a package's description in."""
TEST_PLACE = later(
    r"(?i)(?:^|/)(?:tests?|testing|specs?|__tests__|__mocks__|__snapshots__|testdata|fixtures|e2e|cypress)/"
    r"|(?:^|/)(?:conftest\.py|test_[^/]*|[^/]*[._-](?:tests?|spec)\.\w+)$"
)
"""Where files stand that are no product: tests and their support, whatever the language."""

CALLED_TEST = later(r"(?i)(?:^|/)test[^/]*\.py$")
"""What Python's unittest takes for a file of tests, wherever it looks for some."""

CUTS_OFF = later(
    rb"(?m)^[ \t]*(?:/\*(?!\*)|\*/|\"\"\"[ \t]*$|'''[ \t]*$|=(?:begin|end)\b|#[ \t]*(?:if|endif)\b|if (?:0|False)\b)"
)
"""A line that takes what stands below it out of the code, or in again, and says nothing of it."""
RECORDED = later(
    r"(?i)(?:^|/)(?:tests?|testing|spec|testdata)/(?:[^/]+/)*"
    r"(?:goldens?|golden_files|snapshots|__snapshots__|cassettes|approvals|approved|baselines?|expected(?:_outputs?)?)/"
    r"|\.(?:ambr|golden|approved\.[^/.]+|expected)$|(?:^|/)(?:goldens?|cassettes)/[^/]+\.\w+$"
)
"""Results that tests compare with."""


class Paths(Protocol):
    """The files of one side of the change, for extractors whose runner is configured elsewhere."""

    @property
    def read(self) -> Callable[[str], bytes | None]: ...

    @property
    def all(self) -> Callable[[], frozenset[str]]: ...

    @property
    def memo(self) -> Memo:
        """For what an extractor reads once per side (the configuration of a runner)."""
        ...


class Reader(Protocol):
    """What a module named in `READERS` defines."""

    WORDS: Sequence[str]
    """Regular expressions (see `prefilter`) of which one matches the changed lines of any file that is no test file,
    but gains or loses a test, or the remains of one."""

    def collect(self, source: Source, paths: Paths) -> Inventory: ...

    def is_test_file(self, path: str) -> bool: ...


@record
class Side:
    """One side of the change: how to read a file, and all paths there are."""

    read: Callable[[str], bytes | None]
    all: Callable[[], frozenset[str]]
    memo: Memo = field(default_factory=Memo)


def before(change: Change) -> Side:
    return Side(change.blobs.before, change.blobs.paths_before)


def after(change: Change) -> Side:
    return Side(change.blobs.after, change.blobs.paths_after)


def files_with_tests(change: Change) -> list[FileChange]:
    return [file for file in change.files if _may_hold_tests(file, change)]


def may_run(file: FileChange, change: Change, side: Side) -> bool:
    """False for a file of the product, as its name tells, of which the language's runner takes no test."""
    asked = getattr(reader_of(language(file, change)), "is_passed_over", None)
    return asked is None or file.binary or not asked(file.path, side)


def inventory(file: FileChange, change: Change, side: Side) -> Inventory:
    """One side of a file. One that is no readable text holds no tests: they are lost."""
    data, spoken = side.read(file.path), language(file, change)
    if data is None:
        return Inventory()
    reader = reader_of(spoken)
    if spoken is None or reader is None:
        return Inventory(product=b"" if is_support(file.path) else data)
    try:
        text = one_line_end(spoken, decoded(spoken, data))
    except UnreadableError:
        return Inventory()
    return reader.collect(Source(file.path, spoken, text), side)


def lends(source: Source, mark: re.Pattern[str]) -> bool:
    """A file without any mark of a test is there for others: what it asks is asked of their answers. Ask it of a
    function that others can call: one that is like a test may have been one, and has lost its mark."""
    return source.memo.once("lends", lambda: mark.search(source.data.decode("utf-8", "replace")) is None)


def is_beside_tests(path: str, reader: Reader | None) -> bool:
    """A file of tests, or one that stands where they do; `reader`: that of its language."""
    return TEST_PLACE.search(path) is not None or (reader is not None and reader.is_test_file(path))


@lru_cache(maxsize=KEPT)
def is_support(path: str) -> bool:
    """Documents, and what stands beside tests."""
    if CALLED_A_DOCUMENT.search(path) and language_of(path) is None:
        return True
    return bool(DOCUMENTS.search(path) or TEST_PLACE.search(path) or RECORDED.search(path))


def holds_tests(path: str, spoken: str | None) -> bool:
    """Of a language with a reader, and where tests stand, or called as one."""
    reader = reader_of(spoken)
    return reader is not None and (TEST_PLACE.search(path) is not None or reader.is_test_file(path))


def stands_among_tests(path: str, spoken: str | None) -> bool:
    """The same of a file in any language: a recording, a script or a helper beside them, too."""
    return TEST_PLACE.search(path) is not None or holds_tests(path, spoken)


def written_otherwise(paths: Paths, language: str) -> frozenset[str]:
    """The code of a side in other languages."""
    return paths.memo.once(
        ("not in", language),
        lambda: frozenset(path for path in paths.all() if language_of(path) not in (None, language)),
    )


@cache
def reader_of(language: str | None) -> Reader | None:
    return importlib.import_module(READERS[language]) if language in READERS else None


def language(file: FileChange, change: Change) -> str | None:
    if MODE_SYMLINK in (file.old_mode, file.new_mode) or MODE_GITLINK in (file.old_mode, file.new_mode):
        return None
    if not wants_first_line(file.path):
        return language_of(file.path) or ENDINGS.get(f".{file.path.lower().rpartition('.')[2]}")
    content = change.blobs.after(file.path) or change.blobs.before(file.path) or b""
    return language_of(file.path, content.partition(b"\n")[0])


def _may_hold_tests(file: FileChange, change: Change) -> bool:
    reader = reader_of(language(file, change))
    if reader is None:
        return False
    lines = file.changed_text
    named = reader.is_test_file(file.path) or CALLED_TEST.search(file.path) or TEST_PLACE.search(file.path)
    words = prefilter(tuple(reader.WORDS))
    if named or file.binary or words.matches(lines):
        return True
    if CUTS_OFF.search(lines) and words.matches(change.blobs.after(file.path) or b""):
        return True
    run = getattr(reader, "may_be_program", None)  # of languages whose tests need no framework
    return run is not None and bool(run(file, change))
