"""Classes of tests that no runner makes any more (policy set v2, class G04): Java, Kotlin and C#.

Rules: a class with tests that becomes abstract runs no test, unless another class of the change is built on it; one of
C# that is public no longer is not found by xUnit and MSTest. Classes are told by their names: where several have the
same one, as many as before have to be made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from ralph.guardrails.common.skipped.fixtures import Declared, Fixtures
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

LANGUAGES = frozenset({"java", "kotlin", "csharp"})
TESTS = later(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b|\[(?:Fact|Theory|Test|TestCase|TestMethod)\b")
WANTS_PUBLIC = later(r"\[(?:Fact|Theory|TestMethod)\b")
SAID = later(rb"\bclass\b")

Key = str | tuple[str, ...]
Unmade = Callable[[frozenset[str]], bool]
"""Whether a class with these words before it is not made for its tests."""


def unmade(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "A" and language_of(file.path) in LANGUAGES and _says(file):
            yield from _in_file(file, change)


def _says(file: FileChange) -> bool:
    return any(SAID.search(line) for hunk in file.hunks for line in hunk.added)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    blobs = change.blobs
    before, after = ((read(file.path) or b"").decode("utf-8", "replace") for read in (blobs.before, blobs.after))
    if not TESTS.search(before) or not TESTS.search(after):
        return
    sides = (
        Fixtures(file.path, blobs.before, blobs.paths_before),
        Fixtures(file.path, blobs.after, blobs.paths_after),
    )
    added = dict(file.added())
    for why, is_unmade in _reasons(file.path, after):
        for one in _lost(*sides, is_unmade):
            if one.line in added and not ("abstract" in one.words and _is_built_on(one.name, change)):
                yield _hit(file.path, one, why, added[one.line])


def _hit(path: str, one: Declared, why: str, line: bytes) -> Hit:
    detail = f"the tests of {one.name}: {why}"
    snippet = line.decode("utf-8", "replace").strip()
    return hit_at("test.not-run", path, one.line, detail, snippet)


def _reasons(path: str, after: str) -> Iterator[tuple[str, Unmade]]:
    yield "it is abstract now", lambda words: "abstract" in words
    if path.endswith(".cs") and WANTS_PUBLIC.search(after):
        yield "it is public no longer", lambda words: "public" not in words and "abstract" not in words


def _lost(before: Fixtures, after: Fixtures, is_unmade: Unmade) -> Iterator[Declared]:
    """The unmade classes with tests, of places or names that fewer made ones and more unmade ones have than before."""
    names = {one.name for one in before.classes if not is_unmade(one.words)}
    names &= {one.name for one in after.classes if is_unmade(one.words)}
    old, new = (_counted(side, names, is_unmade) for side in (before, after))
    gained, lost = new - old, old - new
    for one in (each for each in after.classes if each.name in names and is_unmade(each.words)):
        if any(gained[key, True] and lost[key, False] for key in _keys(one)) and after.has_tests(one):
            yield one


def _counted(side: Fixtures, names: AbstractSet[str], is_unmade: Unmade) -> Counter[tuple[Key, bool]]:
    """How many classes with tests have a name and are unmade, or not."""
    tested = [one for one in side.classes if one.name in names and side.has_tests(one)]
    return Counter((key, is_unmade(one.words)) for one in tested for key in _keys(one))


def _keys(one: Declared) -> tuple[Key, Key]:
    """Its place in the file, or its name alone if it was moved."""
    return one.parts, one.name


def _is_built_on(name: str, change: Change) -> bool:
    built = re.compile(rf"(?:\bextends\s+|:\s*)(?:\w+\.)*{name}\b".encode())
    return any(built.search(change.blobs.after(file.path) or b"") for file in change.files)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unmade,)
