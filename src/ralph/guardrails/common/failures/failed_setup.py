"""Tests that are not run because what they need could not be made ready, and end with success (class G08).

Rules, for what a change adds to a file of tests, of which there were others before:

- A program of tests, or what its runner calls before the first one, that ends with 0 where the set-up failed
  (`err != nil`, a `catch`, a `rescue`, `Err(…)`, `!connect()` above `RUN_ALL_TESTS`), blocks: each test failed there
  before.
- So does one that runs the tests only where nothing failed, and ends with 0 otherwise.
- Where no more than a variable or a word of the command decides, it is for a person (`exits` of each language).
- A signal, the end of an input, a word of help and a child that a test starts may end so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

WORDS = later(rb"(?i)\bexit|\bhalt\b|\breturn\b|\.Run\(\)|\bdie\b")


@record
class Ending:
    """How a language ends a program with success, and says that something failed."""

    ends: re.Pattern[str]
    failed: re.Pattern[str]
    within: re.Pattern[str] | None = None
    """The head of the function in which it must stand; None: anywhere."""
    file: re.Pattern[str] | None = None
    """What the file holds, or is called, if its language has no name for files of tests."""
    before: re.Pattern[str] | None = None
    """What runs the tests: it must not stand above."""
    rule: str = "test.exit"


PLACE = later(r"(?i)(?:^|/)[\w.-]*tests?/")
"""Where projects of tests stand, as .NET calls them."""
CAUGHT = later(r"\bcatch\b|\bexcept\b")
SET_UP = r"BeforeAll|BeforeSuite|BeforeTestExecution|TestExecutionListener|LauncherSessionListener|ProjectConfig"
JVM = r"\b(?:System\.exit|Runtime\.getRuntime\(\)\.(?:exit|halt)|exitProcess)\(0\)"
ENDINGS: Mapping[str, Ending] = {
    "go": Ending(
        ends=later(r"\bos\.Exit\(0\)|\breturn(?:\s+0)?\s*(?:\}|$)"),
        failed=later(r"\bif\b.*\b\w*[eE]rr\w*\s*!=\s*nil\b"),
        within=later(r"^func\s+\w+\(\s*\w+\s+\*testing\.M\s*\)"),
        before=later(r"\.Run\(\)"),
        rule="go.exit-in-test",
    ),
    "ruby": Ending(
        ends=later(r"(?<![\w.:])(?:(?:Kernel|Process)\.)?exit!?(?:\(\s*(?:0|true)?\s*\)|\s+(?:0|true))?\s*(?:\}|$)"),
        failed=later(r"(?:^|\s|;)rescue\b"),
        file=later(r"\bRSpec\.configure\b|\bminitest\b|\btest/unit\b|_helper\.rb\n|/(?:support|env)\b"),
    ),
    "java": Ending(ends=later(JVM), failed=CAUGHT, file=later(SET_UP)),
    "kotlin": Ending(ends=later(JVM), failed=later(r"\bcatch\b|\.(?:onFailure|getOrElse)\b"), file=later(SET_UP)),
    "csharp": Ending(
        ends=later(r"\bEnvironment\.Exit\(0\)"),
        failed=CAUGHT,
        file=later(
            r"\[(?:ModuleInitializer|AssemblyInitialize|OneTimeSetUp|SetUpFixture|BeforeTestRun)\b|\bIAsyncLifetime\b"
        ),
    ),
    "rust": Ending(
        ends=later(r"\bprocess::exit\(0\)"),
        failed=later(r"\bErr\(.*?(?:=>|=\s)|\.is_err\(\)|\.(?:unwrap_or_else|map_err)\(\|"),
        file=later(r"(?:^|/)tests/|#\[cfg\(test\)\]"),
    ),
    "php": Ending(
        ends=later(r"\b(?:exit|die)\b\s*(?:\(\s*(?:0|[\"'].*)?\s*\))?\s*;"),
        failed=later(r"\bcatch\b|\bif\s*\(\s*!"),
        file=later(r"(?i)bootstrap[^/]*\.php\n"),
    ),
    "cpp": Ending(
        ends=later(r"\breturn\s+(?:0|EXIT_SUCCESS)\s*;|\b_?[eE]xit\(\s*(?:0|EXIT_SUCCESS)\s*\)\s*;"),
        failed=later(r"\bcatch\b|\bif\s*\(\s*!\s*\w|\bif\b.*(?:!=\s*(?:0|OK\b)|<\s*0|==\s*(?:nullptr|NULL|false|-1))"),
        within=later(r"\bmain\s*\("),
        file=later(r"\bRUN_ALL_TESTS\b|\bCatch::Session\b|\bdoctest::Context\b"),
        before=later(r"\bRUN_ALL_TESTS\(|\.run\("),
    ),
}
NO_FAILURE = later(
    r"(?i)interrupt|signal|systemexit|\beof|end.?of.?file|broken.?pipe|epipe|cancel|closed|help|usage|argc|argv|getenv|env\b"
)
CHILD = later(r"\bv?fork\b|\b(?:spawn|popen|Open3|EXPECT_EXIT|ASSERT_EXIT)\b|(?i:child|subprocess)")
ONLY_IF = later(r"\bif\b.*\b\w*[eE]rr\w*\s*==\s*nil\b")
ELSE = later(r"\belse\b|\bFatal|\bpanic\(|Exit\([1-9]|(?<![=!])=\s*1\b|return\s+1\b")
NAMED = later(r"\*testing\.M\s*\)\s*\(\s*\w+\s+int\s*\)|func TestMain\(")
"""A bare `return` of it ends with 0."""
NEAR = 12
"""Lines above, in which a test may start the program that ends here."""


def failed_setup(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language_of(file.path) if file.status in "AM" and not file.binary else None
        if spoken is None or spoken not in ENDINGS or WORDS.search(file.added_text) is None:
            continue
        text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
        asked = _is_of_tests(file.path, spoken, text)
        found = list(_ends(file, text.split("\n"), ENDINGS[spoken], change)) if asked else []
        if found and _had_tests(file.path, spoken, change):
            yield from found


def _is_of_tests(path: str, spoken: str, text: str) -> bool:
    reader, wanted = reader_of(spoken), ENDINGS[spoken].file
    if reader is not None and reader.is_test_file(path):
        return True
    stands = TEST_PLACE.search(path) is not None or PLACE.search(path) is not None
    return stands and (wanted is None or wanted.search(f"{path}\n{text}") is not None)


def _had_tests(path: str, spoken: str, change: Change) -> bool:
    """In Go those of its folder, which is a program of its own."""
    reader, folder = reader_of(spoken), path.rpartition("/")[0]
    return any(
        language_of(other) == spoken and (reader.is_test_file(other) if reader else TEST_PLACE.search(other))
        for other in change.blobs.paths_before()
        if spoken != "go" or other.rpartition("/")[0] == folder
    )


def _ends(file: FileChange, lines: Sequence[str], ending: Ending, change: Change) -> Iterator[Hit]:
    for number, added in file.added():
        line = added.decode("utf-8", "replace")
        if not (ending.ends.search(line) or (ending.before and ending.before.search(line))):
            continue
        above = lines[: number - 1]
        function = _function(above, ending)
        if function is None or CHILD.search("\n".join(above[-NEAR:])):
            continue
        head, said = _head(line, above, ending)
        if any(map(ELSE.search, said)):
            continue
        passes = _passes(line, head, function, ending)
        if (passes or _runs_only_if(line, head, function, lines[number - 1 :], ending)) and not _moved(
            added, file, change
        ):
            yield hit_at(ending.rule, file.path, number, "success where the set-up failed", line)


def _moved(line: bytes, file: FileChange, change: Change) -> bool:
    others = (other for other in change.files if other.path != file.path)
    return any(line.strip() == gone.strip() for other in others for gone in other.removed())


def _passes(line: str, head: str, function: Sequence[str], ending: Ending) -> bool:
    if not ending.ends.search(line) or not ending.failed.search(head) or NO_FAILURE.search(head):
        return False
    if ending.before is not None and any(map(ending.before.search, function[1:])):
        return False
    if ending.rule != "go.exit-in-test" or not re.search(r"\breturn\s*(?:\}|$)", line):
        return True
    return NAMED.search(function[0]) is not None and not any("os.Exit(" in each for each in function)


def _runs_only_if(line: str, head: str, function: Sequence[str], rest: Sequence[str], ending: Ending) -> bool:
    """Of Go: nothing is said of what becomes of a set-up that failed."""
    if ending.rule != "go.exit-in-test" or not ONLY_IF.search(head) or not re.search(r"\.Run\(\)", line):
        return False
    end = next((at for at, each in enumerate(rest) if each.startswith("}")), len(rest))
    return not any(map(ELSE.search, (*function[1:], *rest[:end])))


def _function(above: Sequence[str], ending: Ending) -> Sequence[str] | None:
    """The lines above from the head of the function on, if it is the one that is asked about."""
    if ending.within is None:
        return above
    for at in range(len(above) - 1, -1, -1):
        if above[at][:1] not in ("", " ", "\t", "}", "{", "/", "#"):
            return above[at:] if ending.within.search(above[at]) else None
    return None


def _head(line: str, above: Sequence[str], ending: Ending) -> tuple[str, Sequence[str]]:
    """What must have happened for a line to be reached, and what stands between: its own beginning, or the line that it
    is indented below."""
    found = ending.ends.search(line) or (ending.before and ending.before.search(line))
    own = line[: found.start()] if found else ""
    if ending.failed.search(own) or re.search(r"\bif\b", own):
        return own, ()
    deep = depth(line)
    for at in range(len(above) - 1, -1, -1):
        if above[at].strip() and depth(above[at]) < deep and above[at].strip() != "{":
            return above[at], above[at + 1 :]
    return "", ()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (failed_setup,)
