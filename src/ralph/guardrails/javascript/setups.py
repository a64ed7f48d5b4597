"""Mocks of what tests are about in files that hold no tests: set-up files (policy set v2, class G06).

Rule: a module of the project that a file without tests now mocks (`jest.mock`, `vi.mock`) blocks if a test compares
answers of what is mocked. Mocks of packages and of collaborators, and what a mock keeps of the real thing, are none.
Among tests, a file counts that a runner loads for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ralph.guardrails.config.side import resolve
from ralph.guardrails.javascript.asserted import Asserted
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.loaded import loaded_files
from ralph.guardrails.javascript.mocks import FAKED, SUFFIXES, Doubles, Mocked
from ralph.guardrails.javascript.places import is_support, stem
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source

WORDS = (r"\bmock\s*\.\s*module|\.\s*(?:do)?mock\s*\(|setmock|unstable_mockmodule",)
MOST_TESTS = 200


def mocked(change: Change, files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if len(sides.after.sources) != 1 or (is_test_file(sides.path) and not _is_loaded(sides.path, change)):
            continue
        head = code(sides.after.sources[0])
        if head.cases.all:
            continue
        before = {each.module for source in sides.before.sources for each in Doubles(code(source)).modules()}
        for each in Doubles(head).modules():
            if each.module not in before and (test := _compared_in(each, sides.path, change)):
                detail = f"{test} compares answers of {each.module}"
                yield sides.after.in_git_lines(head.source.hit(FAKED, each.call, f"mock {each.module}", detail=detail))


def _is_loaded(path: str, change: Change) -> bool:
    """For all tests, by its name or by what the configuration of a runner says."""
    return is_support(path) or path in loaded_files(change)


def asserted(source: Source, change: Change) -> Iterator[Hit]:
    """What one file, newly loaded, mocks of what a test compares."""
    for each in Doubles(code(source)).modules() if not is_test_file(source.path) else ():
        if test := _compared_in(each, source.path, change):
            detail = f"{test} compares answers of {each.module}"
            yield source.hit(FAKED, each.call, f"mock {each.module}", detail=detail)


def _compared_in(mock: Mocked, path: str, change: Change) -> str:
    """The test file that compares what the mock answers; empty for none."""
    paths = change.blobs.paths_after()
    target = resolve(paths, path, mock.module, SUFFIXES)
    if target is None:
        return ""
    name = stem(target)
    for test in islice((each for each in sorted(paths) if is_test_file(each)), MOST_TESTS):
        found = _code(test, change, name.encode())
        for origin in Asserted(found).paths if found is not None else ():
            member = origin[1] if len(origin) > 1 else "default"
            about = stem(origin[0]) == name and resolve(paths, test, origin[0], SUFFIXES) == target
            if about and (mock.keys is None or member in mock.keys):
                return test
    return ""


def _code(path: str, change: Change, word: bytes) -> Code | None:
    data, language = change.blobs.after(path), language_of(path)
    if data is None or word not in data or language in (None, "vue"):
        return None
    unmocked = re.search(rb"(?:un|dontM)mock\w*\(\s*[\"'][^\"']*" + re.escape(word), data)
    return None if unmocked else code(Source(path, language or "", data))
