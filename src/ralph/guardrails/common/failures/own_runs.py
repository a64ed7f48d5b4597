"""Programs and classes of tests that say themselves what becomes of a failure: C++, PHPUnit, XCTest (G04, G05, G08).

Rules, for lines that a change adds to a file of tests:

- C++: a `main` whose exit code is no longer that of `RUN_ALL_TESTS()`, or that ends the process with success, blocks;
  so does one that chooses tests itself (`GTEST_FLAG_SET(filter, "…")`).
- PHPUnit and XCTest: a class that overrides what runs its tests, or takes their failures, and neither hands them on
  nor throws, blocks (`runTest`, `onNotSuccessfulTest`, `record`, `invokeTest`).
- A class of tests of the base that is none any more (`abstract`, no `XCTestCase`), and a test that is none by its
  parameters, are not run. A test of the base that leaves where its answer is not there demands less (`guard … else`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

FILES = later(
    r"(?i)(?P<cpp>\.(?:c|cc|cpp|cxx))$|(?P<php>(?:^|/)tests?/.*\.php|Test\.php)$|(?P<swift>Tests?(?:/.*|[^/]*)\.swift)$"
)
ENDINGS = (".c", ".cc", ".cpp", ".cxx", ".php", ".swift")
WORDS = later(
    rb"RUN_ALL_TESTS|gtest_filter|GTEST_FLAG|\bexit\s*\(|\b(?:runTest|runBare|onNotSuccessfulTest)\b|\boverride\b"
    rb"|\babstract\s+class\b|\bclass\b|\bguard\b|\bfunc\s+test|\.run\("
)
UNHEARD = later(r"(?:\(void\)\s*|static_cast<void>\(\s*|std::ignore\s*=\s*)?(?:::)?RUN_ALL_TESTS\(\)\)?\s*;")
ZERO = later(
    r"\bRUN_ALL_TESTS\(\)\s*(?:\?\s*(?P<same>\w+)\s*:\s*(?P=same)\b|[&*]\s*0\b|&&\s*(?:0|false)\b|,\s*(?:0|EXIT_SUCCESS)\b)"
    r"|\b0\s*[&*]\s*RUN_ALL_TESTS\(\)"
)
KEPT = later(r"\b(?P<name>\w+)\s*=\s*(?:::)?RUN_ALL_TESTS\(\)\s*;")
RETURNED = later(r"\breturn\s+(?:::)?RUN_ALL_TESTS\(\)|\b(?:exit|if)\s*\(\s*!?\s*(?:::)?RUN_ALL_TESTS\(\)")
CHOSEN = later(
    r"(?:GTEST_FLAG\(\s*filter\s*\)|FLAGS_gtest_filter)\s*=\s*\"(?!\*?\")|GTEST_FLAG_SET\(\s*filter\s*,\s*\"(?!\*?\")"
    r"|(?:GTEST_FLAG\(\s*repeat\s*\)\s*=|GTEST_FLAG_SET\(\s*repeat\s*,)\s*0\b"
)
EXITS = later(r"(?<![\w.>])(?:std::|::)?(?:_|quick_)?[eE]xit\(\s*(?:0|EXIT_SUCCESS)\s*\)\s*;")
CHILD = later(r"\b(?:v?fork|EXPECT_EXIT|ASSERT_EXIT|EXPECT_DEATH|ASSERT_DEATH)\s*\(|-h\b|--help|usage", re.IGNORECASE)
OVERRIDES = {
    "php": later(r"(?:(?:public|protected|final)\s+)*function\s+(?P<name>runTest|runBare|onNotSuccessfulTest)\s*\("),
    "swift": later(
        r"(?:(?:public|open|final)\s+)*override\s+(?:(?:class|static)\s+)?"
        r"(?:func\s+(?P<name>record|recordFailure|invokeTest|perform)\s*\(|var\s+(?P<suite>defaultTestSuite)\b)"
    ),
}
HANDS_ON = later(r"\b(?:super|parent)\s*(?:\.|::)|\bthrow\b")
TAKES = later(r"\bcatch\b")
PASSES = later(r"\b(?:throw|fail|XCTFail)\b")
ABSTRACT = later(r"abstract\s+class\s+(?P<name>\w+)")
XCTEST = later(r"\bclass\s+(?P<name>\w+)\s*:\s*(?P<parents>[\w., ]+)")
TEST_CASE = later(r"\bXCTestCase\b")
HELD = later(r"\w*(?:TestCase|Tests?|Base)\b")
METHOD = later(r"\bfunc\s+(?P<name>test\w*)\s*\((?P<given>[^)]*)\)(?:\s*(?:async|throws))*\s*(?:->\s*(?P<gives>\w+))?")
LEAVES = later(r"guard\b.+\belse\s*\{\s*return\s*\}")
HEAD = later(r"(?:@Test\b.*)?\bfunc\s+\w+\s*\(|@Test\b.*")
ASSERTS = later(r"\bXCTAssert\w*\(|#expect\(|#require\(")
BEHIND = 8
"""Lines behind a line that leaves, in which the test asserts."""


def own_runs(change: Change) -> Iterator[Hit]:
    for file in change.files:
        found = FILES.search(file.path) if file.path.lower().endswith(ENDINGS) else None
        if found is None or file.binary or file.status == "D" or WORDS.search(file.added_text) is None:
            continue
        lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
        asked = {"cpp": _main, "php": _overrides, "swift": _overrides}[found.lastgroup or ""]
        moved = {line for other in change.files if other.path != file.path for line in _removed(other)}
        yield from (hit for hit in asked(file, lines, found.lastgroup or "") if hit.snippet not in moved)
        if file.status == "M" and found.lastgroup != "cpp":
            yield from _classes(file, found.lastgroup or "")
        if file.status == "M" and found.lastgroup == "swift":
            yield from _guards(file, lines)


def _added(file: FileChange) -> Iterator[tuple[int, str]]:
    for number, line in file.added():
        if text := line.decode("utf-8", "replace").strip():
            yield number, text


def _removed(file: FileChange) -> Iterator[str]:
    for hunk in file.hunks:
        yield from (line.decode("utf-8", "replace").strip() for line in hunk.removed)


def _main(file: FileChange, lines: Sequence[str], _spoken: str) -> Iterator[Hit]:
    text = "\n".join(lines)
    if "RUN_ALL_TESTS" not in text:
        return
    for number, line in _added(file):
        kept = KEPT.search(line)
        dropped = kept is not None and len(re.findall(rf"\b{kept['name']}\b", text)) == 1
        unheard = UNHEARD.match(line) is not None and RETURNED.search(text) is None
        if dropped or unheard or ZERO.search(line):
            yield hit_at("test.exit", file.path, number, "the program's exit code is not that of its tests", line)
        elif CHOSEN.search(line):
            yield hit_at("test.not-run", file.path, number, "the program chooses tests itself", line)
        elif EXITS.search(line) and not CHILD.search("\n".join(lines[max(number - 6, 0) : number])):
            yield hit_at("test.exit", file.path, number, "the program ends with success", line)


def _overrides(file: FileChange, lines: Sequence[str], spoken: str) -> Iterator[Hit]:
    for number, line in _added(file):
        match = OVERRIDES[spoken].match(line)
        if match is None:
            continue
        body = _body(lines, number - 1)
        if HANDS_ON.search(body) is None or (TAKES.search(body) and not PASSES.search(body)):
            name = next(filter(None, match.groups()))
            yield hit_at("test.weakened", file.path, number, f"the tests' own {name} takes their failures", line)


def _body(lines: Sequence[str], at: int) -> str:
    """What a function holds, by how far its lines are indented."""
    first, depth = lines[at], len(lines[at]) - len(lines[at].lstrip())
    if "{" in first and first.rstrip().endswith("}"):
        return first.partition("{")[2]
    found: list[str] = []
    for line in lines[at + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth and line.strip() != "{":
            break
        found.append(line)
    return "\n".join(found)


def _classes(file: FileChange, spoken: str) -> Iterator[Hit]:
    """Of the base's classes and methods those that nothing collects any more."""
    gone = "\n".join(_removed(file))
    for number, line in _added(file):
        why = _of_php(line, gone) if spoken == "php" else _of_swift(line, gone)
        if why:
            yield hit_at("test.not-run", file.path, number, why, line)


def _of_php(line: str, gone: str) -> str:
    match = ABSTRACT.match(line)
    was = match is not None and re.search(rf"(?m)^(?:final\s+)?class\s+{match['name']}\b", gone)
    return f"{match['name']} is abstract" if match is not None and was else ""


def _of_swift(line: str, gone: str) -> str:
    if (match := XCTEST.search(line)) is not None:
        was = re.search(rf"\bclass\s+{match['name']}\s*:[^\n]*\bXCTestCase\b", gone)
        return f"{match['name']} is no XCTestCase" if was and not HELD.search(match["parents"]) else ""
    method = METHOD.search(line)
    if method is None or not (method["given"].strip() or method["gives"] not in (None, "Void")):
        return ""
    was = re.search(rf"\bfunc\s+{method['name']}\s*\(\s*\)(?![^\n]*->)", gone)
    return f"{method['name']} is none by its form" if was else ""


def _guards(file: FileChange, lines: Sequence[str]) -> Iterator[Hit]:
    new = dict(_added(file))
    for number, line in new.items():
        if LEAVES.match(line) is None:
            continue
        head = next((at for at in range(number - 1, 0, -1) if HEAD.search(lines[at - 1])), None)
        if head is not None and head not in new and any(map(ASSERTS.search, lines[number : number + BEHIND])):
            yield hit_at("test.weakened", file.path, number, "the test leaves before it asserts", line)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (own_runs,)
