"""Classes of tests that no runner makes any more (policy set v2, class G04): Java, Kotlin and C#.

Rules: a class with tests that becomes abstract runs no test, unless another class of the change is built on it; one of
C# that is public no longer is not found by xUnit and MSTest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.system.patterns import later

LANGUAGES = frozenset({"java", "kotlin", "csharp"})
CLASS = later(
    r"(?m)^[ \t]*(?P<words>(?:(?:public|internal|private|protected|static|sealed|final|abstract|open|partial)[ \t]+)*)"
    r"class[ \t]+(?P<name>\w+)"
)
TESTS = later(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b|\[(?:Fact|Theory|Test|TestCase|TestMethod)\b")
WANTS_PUBLIC = later(r"\[(?:Fact|Theory|TestMethod)\b")
SAID = later(rb"\bclass\b")


def unmade(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "A" and language_of(file.path) in LANGUAGES and _says(file):
            yield from _in_file(file.path, change)


def _says(file: FileChange) -> bool:
    return any(SAID.search(line) for hunk in file.hunks for line in hunk.added)


def _in_file(path: str, change: Change) -> Iterator[Hit]:
    before, after = (
        (read(path) or b"").decode("utf-8", "replace") for read in (change.blobs.before, change.blobs.after)
    )
    if not TESTS.search(before) or not TESTS.search(after):
        return
    old = {match["name"]: match["words"].split() for match in CLASS.finditer(before)}
    for match in CLASS.finditer(after):
        name, words = match["name"], match["words"].split()
        if name not in old:
            continue
        why = ""
        if "abstract" in words and "abstract" not in old[name] and not _is_built_on(name, change):
            why = "it is abstract now"
        elif "public" in old[name] and "public" not in words and path.endswith(".cs") and WANTS_PUBLIC.search(after):
            why = "it is public no longer"
        if why:
            line = after.count("\n", 0, match.start("name")) + 1
            snippet = after.split("\n")[line - 1].strip()[:200]
            detail = f"the tests of {name}: {why}"
            yield Hit(rule="test.not-run", path=path, line=line, column=1, key=detail, snippet=snippet, detail=detail)


def _is_built_on(name: str, change: Change) -> bool:
    built = re.compile(rf"(?:\bextends\s+|:\s*)(?:\w+\.)*{name}\b".encode())
    return any(built.search(change.blobs.after(file.path) or b"") for file in change.files)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unmade,)
