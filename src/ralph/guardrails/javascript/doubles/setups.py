"""Mocks of what tests are about in files that hold no tests: set-up files (policy set v2, class G06).

Rule: a module of the project that a file without tests now mocks (`jest.mock`, `vi.mock`) blocks if a test compares
answers of what is mocked. So does a method or a function of the project that it replaces (`put_in_place`). Mocks of
packages and of collaborators, and what a mock keeps of the real thing, are none. Among tests, a file counts that a
runner loads for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from ralph.guardrails.config.side import resolve
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.doubles.asserted import Asserted
from ralph.guardrails.javascript.doubles.mocks import FAKED, SUFFIXES, Doubles, Mocked
from ralph.guardrails.javascript.doubles.put_in_place import placed
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_support, stem
from ralph.guardrails.javascript.runner.loaded import loaded_files
from ralph.guardrails.javascript.syntax.origins import Path
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.source import Source
from ralph.record import record

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


def put_in_place(change: Change, files: Sequence[Sides]) -> Iterator[Hit]:
    """Of files beside tests alone: a file of the product may give its own methods as it likes."""
    for sides in files:
        beside = is_support(sides.path) or TEST_PLACE.search(sides.path) is not None
        if not beside or len(sides.after.sources) != 1 or (is_test_file(sides.path) and not is_support(sides.path)):
            continue
        head = code(sides.after.sources[0])
        if head.cases.all:
            continue
        known = {each.path for source in sides.before.sources for each in placed(code(source))}
        for hit in _put_in_place(head, known, sides.path, change):
            yield sides.after.in_git_lines(hit)


def _put_in_place(head: Code, known: Container[Path], path: str, change: Change) -> Iterator[Hit]:
    for each in placed(head):
        if each.path not in known and (test := _asked_in(each.path, path, change)):
            name = ".".join(each.path[1:])
            yield head.source.hit(FAKED, each.node, f"{name} is replaced", detail=f"{test} compares answers of {name}")


def _is_loaded(path: str, change: Change) -> bool:
    """For all tests, by its name or by what the configuration of a runner says."""
    return is_support(path) or path in loaded_files(change)


def asserted(source: Source, change: Change) -> Iterator[Hit]:
    """What one file, newly loaded, mocks of what a test compares."""
    if is_test_file(source.path):
        return
    yield from _put_in_place(code(source), (), source.path, change)
    for each in Doubles(code(source)).modules():
        if test := _compared_in(each, source.path, change):
            detail = f"{test} compares answers of {each.module}"
            yield source.hit(FAKED, each.call, f"mock {each.module}", detail=detail)


def _compared_in(mock: Mocked, path: str, change: Change) -> str:
    """The test file that compares what the mock answers; empty for none."""
    for test, about in _tests_about(mock.module, path, change):
        for origin in about.paths:
            if mock.keys is None or (origin[1] if len(origin) > 1 else "default") in mock.keys:
                return test
    return ""


def _asked_in(put: Path, path: str, change: Change) -> str:
    """The test file that compares answers of what is replaced; empty for none."""
    for test, about in _tests_about(put[0], path, change):
        owner, name = put[1:-1], put[-1]
        made = (maker[1:] == owner[:1] and asked == name for maker, asked in about.made)
        if any(origin[1:] == put[1:] for origin in about.paths) or (owner[1:] == ("prototype",) and any(made)):
            return test
    return ""


@record
class About:
    """What one test file compares of a module."""

    paths: tuple[Path, ...]
    made: tuple[tuple[Path, str], ...]
    """Methods of what the module made, each with its maker."""


def _tests_about(module: str, path: str, change: Change) -> Iterator[tuple[str, About]]:
    paths = change.blobs.paths_after()
    target = resolve(paths, path, module, SUFFIXES)
    if target is None:
        return
    name = stem(target)

    def is_of_module(origin: Path, test: str) -> bool:
        return stem(origin[0]) == name and resolve(paths, test, origin[0], SUFFIXES) == target

    for test in nearest(filter(is_test_file, paths), change, MOST_TESTS):
        if (found := _code(test, change, name.encode())) is not None:
            asserted = Asserted(found)
            yield (
                test,
                About(
                    tuple(each for each in asserted.paths if is_of_module(each, test)),
                    tuple(each for each in asserted.handed_on if each[0] and is_of_module(each[0], test)),
                ),
            )


def _code(path: str, change: Change, word: bytes) -> Code | None:
    data, language = change.blobs.after(path), language_of(path)
    if data is None or word not in data or language in (None, "vue"):
        return None
    unmocked = re.search(rb"(?:un|dontM)mock\w*\(\s*[\"'][^\"']*" + re.escape(word), data)
    return None if unmocked else code(Source(path, language or "", data))
