"""Compares what the descriptions of a build register, base and head (see `model`)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.registered import bazel, cmake, ctest, meson, presets
from ralph.guardrails.registered.model import (
    IGNORED,
    MOST_FILES,
    NOT_RUN,
    PARTLY,
    Entry,
    Found,
    changed,
    compared,
    text_of,
)
from ralph.system.patterns import later

Reader = Callable[[str, str], Iterator[Entry]]
TESTS = later(r"(?i)(?<![a-z])tests?(?![a-z])|\badd_test\b|discover_tests|enable_testing")
BUILD_FILES = ("CMakeLists.txt", "meson.build")
ENABLES = later(r"(?im)^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\s*\))")


def unregistered(change: Change) -> Iterator[Hit]:
    for found in _found(change):
        yield found.hit(change)


def _found(change: Change) -> Iterator[Found]:
    yield from _of_cmake(change)
    yield from _of_meson(change)
    yield from _of_bazel(change)
    files = changed(change, presets.FILES)
    if files:
        sides = (
            Side(change.blobs.before, change.blobs.paths_before()),
            Side(change.blobs.after, change.blobs.paths_after()),
        )
        for file in files:
            yield from presets.worse(file.path, *sides)


def _read(change: Change, files: Sequence[FileChange], reader: Reader) -> tuple[list[Entry], list[Entry]]:
    """What is registered before and after; folders only if they held tests."""
    old, new = (
        [entry for file in files for entry in reader(file.path, text_of(change, file.path, after=after))]
        for after in (False, True)
    )
    return [entry for entry in old if not entry.name.endswith("/") or _holds_tests(change, entry)], new


def _holds_tests(change: Change, entry: Entry) -> bool:
    folder = next(iter(entry.needs), "")
    if re.search(r"(?i)(?:^|/)(?:unit|integration)?_?tests?/$", folder):
        return True
    return any(TESTS.search(text_of(change, posixpath.join(folder, name), after=False)) for name in BUILD_FILES)


def _of_cmake(change: Change) -> Iterator[Found]:
    files = [file for file in changed(change, cmake.FILES) if not is_sample(file.path)]
    if not files:
        return
    old, new = _read(change, files, cmake.entries)
    called = _called(change, {entry.within for entry in new if entry.within})
    new = [entry for entry in new if not entry.within or entry.within in called]
    yield from compared(change, old, new)
    yield from ctest.otherwise(old, new)
    known = {entry.name: entry.command for entry in old}
    fresh = frozenset(entry.name for entry in new if not entry.part and known.get(entry.name) != entry.command)
    said = [
        [each for file in files for each in ctest.said_about_tests(file.path, text_of(change, file.path, after=after))]
        for after in (False, True)
    ]
    yield from ctest.worse({each.key: each for each in said[0]}, said[1], fresh, frozenset(entry.name for entry in new))
    yield from _no_longer_enabled(change, files, new)


def _called(change: Change, functions: set[str]) -> set[str]:
    """Of the functions those that something calls."""
    paths = sorted(path for path in change.blobs.paths_after() if cmake.FILES.search(path)) if functions else []
    texts = [cmake.plain(text_of(change, path, after=True)) for path in paths[:MOST_FILES]]
    forms = {name: re.compile(rf"(?im)^[ \t]*{re.escape(name)}[ \t]*\(") for name in functions}
    return {name for name, form in forms.items() if any(map(form.search, texts))}


def _no_longer_enabled(change: Change, files: Sequence[FileChange], new: Sequence[Entry]) -> Iterator[Found]:
    """Without `enable_testing` CTest finds no test."""
    for file in files:
        before, after = (cmake.plain(text_of(change, file.path, after=each)) for each in (False, True))
        if not ENABLES.search(before) or ENABLES.search(after) or not after:
            continue
        others = (path for path in change.blobs.paths_after() if path.endswith("CMakeLists.txt"))
        if any(ENABLES.search(cmake.plain(text_of(change, path, after=True))) for path in others):
            continue
        if any(not entry.part or TESTS.search(entry.name) for entry in new):
            yield Found(
                rule=NOT_RUN, path=file.path, line=0, detail="enable_testing is gone, so that CTest has no test"
            )


def _of_meson(change: Change) -> Iterator[Found]:
    files = changed(change, meson.FILES)
    old, new = _read(change, files, meson.entries) if files else ([], [])
    yield from compared(change, old, new)
    known = {entry.name: entry for entry in old}
    for entry in new:
        was, asked = known.get(entry.name), entry.traits.get("should_fail", "false")
        if was is not None and asked != was.traits.get("should_fail", "false") and asked != "false":
            rule = IGNORED if asked == "true" else PARTLY
            yield Found(rule=rule, path=entry.path, line=entry.line, detail=f"{entry.name} should fail")


def _of_bazel(change: Change) -> Iterator[Found]:
    files = changed(change, bazel.FILES)
    old, new = _read(change, files, bazel.entries) if files else ([], [])
    yield from compared(change, old, new)
    known = {entry.name: entry for entry in old}
    for entry in new:
        before = known[entry.name].traits if entry.name in known else {}
        for trait, rule in entry.traits.items():
            if trait not in before:
                yield Found(rule=rule, path=entry.path, line=entry.line, detail=f"{entry.name} is {trait}")
    for file in changed(change, bazel.SETTINGS):
        said = {found.detail for found in bazel.options(file.path, text_of(change, file.path, after=False))}
        for found in bazel.options(file.path, text_of(change, file.path, after=True)):
            if found.detail not in said:
                yield found
