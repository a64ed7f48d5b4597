"""Files that lend tests their helpers; `Carts.checkCart(cart, 5)` is one of the class in `Carts.java`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import tree_sitter

from ralph.guardrails.inventory.readers import Paths, is_beside_tests, reader_of
from ralph.guardrails.inventory.truth import HELPER
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

PACKAGE = later(rb"(?m)^[ \t]*package\s+([\w.]+)")
MOST_FILES = 400
"""Of more files of tests the rest is not looked through."""
CLASS = later(r"[A-Z]\w*")
ASSERTING = later(
    r"(?:Assert(?:ion|er|or)?s?|Checks?|Checker|Verif(?:y|iers?|ications?)|Expect(?:ation)?s?)$|^Assert[A-Z]"
)
"""The name of a class that is there to check something, whatever its functions are called: `CartAssert.Holds`."""
OF_FRAMEWORKS = later(
    r"Assert(?:ions|j|That)?|(?:Soft|Collection|String|File|Classic|Fluent)Assert(?:ions)?|Mockito|BDDMockito|Verify|Truth|Ensure"
    r"|Preconditions|Objects|Requires?|Contract|Debug"
)


def called_on(receiver: tree_sitter.Node, name: str) -> str:
    """`Carts.checkCart`, where that looks like a helper of a class of the project; empty, else."""
    written = text_of(receiver)
    ours = CLASS.fullmatch(written) is not None and OF_FRAMEWORKS.fullmatch(written) is None
    return f"{written}.{name}" if ours and (HELPER.match(name) or ASSERTING.search(written)) else ""


def files_of(owner: str, source: Source, paths: Paths) -> list[str]:
    """Files that are called like a class: the one beside it, or else those among tests, or else all others."""
    name = f"{owner}{source.path[source.path.rindex('.') :]}"
    beside = f"{source.path.rpartition('/')[0]}/{name}".removeprefix("/")
    if beside in paths.all():
        return [beside]
    found, reader = files_called(name, paths), reader_of(source.language)
    return [path for path in found if is_beside_tests(path, reader)] or found


def files_called(name: str, paths: Paths) -> list[str]:
    """All files of that name, wherever they stand."""
    return paths.memo.once("files by name", lambda: _by_name(paths)).get(name, [])


def defining(
    name: str, source: Source, paths: Paths, pattern: re.Pattern[bytes], without: re.Pattern[str] | None = None
) -> list[str]:
    """The other files among tests, or beside this one, in which `pattern` finds that name, but for those that `without`
    finds."""
    folder, ending = source.path.rpartition("/")[0], source.path[source.path.rindex(".") :]
    reader = reader_of(source.language)

    def index(wanted: Callable[[str], bool]) -> Mapping[str, list[str]]:
        files = (path for path in paths.all() if path.endswith(ending) and wanted(path))
        taken = sorted(path for path in files if without is None or not without.search(path))
        return _defined(taken[:MOST_FILES], paths, pattern)

    by_tests = paths.memo.once(("among tests", pattern), lambda: index(lambda path: is_beside_tests(path, reader)))
    beside = paths.memo.once(("in", folder, pattern), lambda: index(lambda path: path.rpartition("/")[0] == folder))
    return sorted({*by_tests.get(name, ()), *beside.get(name, ())} - {source.path})


def package_of(data: bytes) -> str:
    """What a file says that it stands in."""
    match = PACKAGE.search(data)
    return match[1].decode("utf-8", "replace") if match is not None else ""


def source_at(path: str, language: str, paths: Paths) -> Source | None:
    """One side of a file; None if it is not there, or cannot be read."""
    return read_source(path, language, paths.read(path))


def _by_name(paths: Paths) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(paths.all()):
        found[path.rpartition("/")[2]].append(path)
    return found


def _defined(files: Iterable[str], paths: Paths, pattern: re.Pattern[bytes]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in files:
        for name in {match.decode("utf-8", "replace") for match in pattern.findall(paths.read(path) or b"")}:
            found[name].append(path)
    return found
