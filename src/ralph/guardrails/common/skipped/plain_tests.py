"""Tests of languages without a reader of their own, line by line (policy set v2, classes G02 and G05).

Rules:

- Swift (XCTest, Testing), Elixir (ExUnit), Dart (test, flutter_test), Scala (ScalaTest, munit), Perl (Test::More), R
  (testthat), Lua (busted), F#, Gherkin and Robot: a mark, argument or call that keeps a test from running blocks. Under
  a condition that is not written down as a constant, and at a test that is new itself, a person looks.
- PHPUnit and XCTest: an assertion that compared something with a constant, and that only asks in the same place whether
  it is there or of which type, demands less.
- A line that only moved says nothing, nor does one in a comment or in a text over several lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import stripped
from ralph.system.patterns import later

FILES = later(
    r"(?i)(?P<swift>Tests?(?:/.*|[^/]*)\.swift)$|(?P<elixir>_test\.exs)$|(?P<dart>_test\.dart)$"
    r"|(?P<php>tests?/.*\.php|Test\.php)$|(?P<scala>(?:Test|Spec|Suite)s?\.scala)$|(?P<perl>(?:^|/)x?t/.*\.t)$"
    r"|(?P<r>tests/testthat/.*\.r)$|(?P<lua>_spec\.lua)$|(?P<fsharp>Tests?(?:/.*|[^/]*)\.fs)$"
    r"|(?P<gherkin>\.feature)$|(?P<robot>\.robot)$"
)
ENDINGS = (".swift", ".exs", ".dart", ".php", ".scala", ".t", ".r", ".lua", ".fs", ".feature", ".robot")
_OFF = r"(?:skip(?:ped)?|ignored?|wip|pending|disabled?|todo|broken|quarantined?|not[-_]?(?:implemented|ready|run))"
"""Tags that runs leave out, as they are commonly called."""
SKIPS = {
    "swift": later(
        r"throw XCTSkip\(.*|try XCTSkip(?:If\(\s*true|Unless\(\s*false)\b.*|XCTExpectFailure\(.*"
        r"|(?:@Test|@Suite)\(.*\.disabled\((?!if:).*"
    ),
    "dart": later(r"@Skip\(.*|(?!//)(?:.*\W)?(?:skip:\s*(?:true\b|[rR]?['\"])|solo:\s*true\b|markTestSkipped\().*"),
    "elixir": later(r"@(?:tag|moduletag|describetag)[ (]+(?::skip\b|\[?\s*skip:(?!\s*(?:false|nil)\b)).*"),
    "scala": later(
        r"ignore\s*\(\s*\".*|(?!//).*\"\s+ignore\s*\{.*|@Ignore\b.*|(?:pending|cancel\(.*\)|assume\(\s*false\b.*)"
        r"|test\(\s*\".*\"\.ignore\b.*|(?!//).*\bin\s+pending\b.*"
    ),
    "perl": later(
        r"(?!\#)(?!.*\b(?:if|unless)\b).*\bskip_all\b\s*(?:=>|\().*"
        r"|(?:SKIP:\s*\{\s*)?(?:todo_)?skip\b[ (]+[\"'](?!.*\b(?:if|unless)\b).*"
    ),
    "r": later(r"(?:testthat::)?skip\(.*"),
    "lua": later(r"pending\s*\(.*|(?:it|describe)\s*\(\s*[\"'].*#(?:skip|pending)\b.*"),
    "fsharp": later(r"\[<.*\b(?:Skip\s*=|Ignore\b).*>\].*|\(?ptest\w*\b.*"),
    "gherkin": later(rf"(?i)@(?:.*\s@)?{_OFF}\b.*"),
    "robot": later(
        rf"(?i)\[Tags\](?:.*\s)?(?:robot:(?:skip|exclude)|{_OFF})(?:\s.*)?|(?:skip|pass execution)(?:\s{{2,}}.*)?"
    ),
}
CONDITIONAL = {
    "dart": later(r"@(?:TestOn|OnPlatform)\(.*|(?!//)(?:.*\W)?(?:skip:(?!\s*(?:false|null)\b)|testOn:|onPlatform:).*"),
    "swift": later(
        r"try XCTSkip(?:If|Unless)\(.*|.+\bthrow XCTSkip\(.*|(?:@Test|@Suite)\(.*\.(?:disabled\(if:|enabled\(if:).*"
    ),
    "scala": later(r"assume\(.*"),
    "perl": later(r"(?!\#).*\bskip(?:_all)?\b.*\b(?:if|unless)\b.*"),
    "r": later(r"(?:testthat::)?skip_(?:if|on|unless)\w*\(.*"),
    "gherkin": later(r"(?i)@(?:.*\s@)?(?:flaky|unstable|manual)\b.*"),
    "robot": later(
        r"(?i)(?:skip|pass execution) (?:if|unless)\b.*|\[Tags\](?:.*\s)?(?:robot:skip-on-failure|flaky)(?:\s.*)?"
    ),
}
BRANCH = later(r"(?:\}?\s*else|if|guard|case|default|catch|switch|for|while|\#if\w*)\b.*")
TESTS = {
    "swift": later(r"(?:@Test\b.*)?\bfunc\s+\w+\s*\(.*|@Test\b.*"),
    "dart": later(r"(?:test|testWidgets|group)\(.*"),
    "elixir": later(r"(?:test|describe)\s+\".*"),
    "scala": later(r"(?:test|ignore)\s*\(\s*\".*|(?:it|they)?\s*\"?.*\"\s+(?:in|should|ignore)\b.*|def test\w*.*"),
    "perl": later(r"subtest\b.*|(?:ok|is|is_deeply|like|isnt|cmp_ok)\b.*"),
    "r": later(r"test_that\(.*"),
    "lua": later(r"(?:it|describe|pending)\s*\(.*"),
    "fsharp": later(r"let\s+``?.*|\[<.*(?:Fact|Test).*"),
    "gherkin": later(r"(?:Scenario(?: Outline)?|Feature|Example)\s*:.*"),
    "robot": later(r"[A-Z](?!.*\s{2}).*"),
}
AWAY = later(
    r"^(?://+|\#+)\s*|(?<=\bfunc )(?:x|_|x_|[dD]isabled_?|[sS]kip(?:ped)?_?|off_)(?=test)|^private\s+(?=func test)"
)
"""Before a test's name or line: nothing runs it."""
CLASS = later(r"@(?:moduletag|describetag)\b|@Suite\b|@(?:Skip|TestOn|OnPlatform)\b")
_VALUE = r"(?:-?\d[\d._]*|\"[^\"\n]*\"|'[^'\n]*'|\[[^\[\]$\n]*\])"
_SAYS = r"(?:,\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*)?"
EXACT = {
    "php": later(
        rf"(?:\$this->|self::|static::)assert(?:Same|Equals)\(\s*{_VALUE}\s*,\s*(?P<subject>.+?)\s*{_SAYS}\)\s*;"
    ),
    "swift": later(rf"XCTAssertEqual\(\s*(?:try\s+)?(?P<subject>.+?)\s*,\s*{_VALUE}\s*{_SAYS}\)"),
}
WEAK = {
    "php": later(
        r"(?:\$this->|self::|static::)assert(?:Is(?!Not)\w+|NotNull|NotEmpty|NotFalse|InstanceOf|GreaterThan\w*|LessThan\w*)\((?P<about>.+)\)\s*;"
        r"|(?:\$this->|self::|static::)assertTrue\(\s*(?:(?P<always>true)|(?:is_\w+|isset)\((?P<asked>.+)\))\s*\)\s*;"
    ),
    "swift": later(
        r"XCTAssert(?:NotNil|GreaterThan\w*|LessThan\w*|NoThrow|NotEqual)\((?P<about>.+)\)"
        r"|XCTAssert(?:True)?\(\s*(?:(?P<always>true)|(?P<asked>.+\bis\s+\w+|.+[<>].+))\s*\)"
    ),
}


def plain_tests(change: Change) -> Iterator[Hit]:
    plain = (file for file in change.files if file.path.lower().endswith(ENDINGS))
    listed = [(file, found.lastgroup or "") for file in plain if (found := FILES.search(file.path)) is not None]
    if not any(hunk.added for file, _ in listed for hunk in file.hunks):
        return
    moved = Counter(stripped(chain.from_iterable(hunk.removed for file, _ in listed for hunk in file.hunks)))
    for file, spoken in listed:
        if spoken in SKIPS:
            yield from _skips(file, spoken, change, moved)
            yield from _put_away(file, spoken, change)
        if spoken in EXACT and file.status == "M":
            yield from _weakened(file, spoken, change)


def _skips(file: FileChange, spoken: str, change: Change, moved: Counter[str]) -> Iterator[Hit]:
    lines: list[str] = []
    for hunk in file.hunks:
        for number, line in enumerate(stripped(hunk.added), start=hunk.new_start):
            conditional = spoken in CONDITIONAL and CONDITIONAL[spoken].fullmatch(line) is not None
            plain = SKIPS[spoken].fullmatch(line) is not None
            if not (plain or conditional):
                continue
            lines = lines or stripped((change.blobs.after(file.path) or b"").split(b"\n"))
            plain = plain and not (number > 1 and BRANCH.fullmatch(lines[number - 2]) and not line.startswith("@"))
            if moved[line]:
                moved[line] -= 1
            elif not _in_text(lines[: number - 1]):
                new = file.status == "A" or (CLASS.match(line) is None and _is_new(lines, number, spoken, file, change))
                rule = "py.skip-new-test" if new else "test.not-run" if plain else "py.skip-condition"
                yield _hit(rule, file, number, line, "it is skipped")


def _put_away(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    """A test that became a comment, or whose name no runner takes for a test's."""
    for hunk in file.hunks:
        removed = [line for line in stripped(hunk.removed) if TESTS[spoken].fullmatch(line)]
        for number, line in enumerate(stripped(hunk.added), start=hunk.new_start):
            bare = AWAY.sub("", line, count=1)
            was = next((each for each in removed if bare == AWAY.sub("", each, count=1) and each != line), None)
            if was is not None and AWAY.search(line) is not None and (spoken != "elixir" or line.startswith("#")):
                yield _hit("test.not-run", file, number, line, f"`{was}` became `{line}`")


def _is_new(lines: Sequence[str], number: int, spoken: str, file: FileChange, change: Change) -> bool:
    """The test that the line is about is one that the base does not have, in a change that takes no line away."""
    if any(hunk.removed for hunk in file.hunks):
        return False
    marks = spoken == "elixir" or lines[number - 1].startswith("@")
    around = lines[number - 1 :] if marks else list(reversed(lines[:number]))
    test = next((line for line in around if TESTS[spoken].fullmatch(line)), "")
    return bool(test) and test not in stripped((change.blobs.before(file.path) or b"").split(b"\n"))


def _weakened(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    kept = Counter(stripped((change.blobs.after(file.path) or b"").split(b"\n")))
    for hunk in file.hunks:
        weak = [
            (number, WEAK[spoken].fullmatch(line)) for number, line in enumerate(stripped(hunk.added), hunk.new_start)
        ]
        for was in stripped(hunk.removed):
            exact = EXACT[spoken].fullmatch(was)
            if exact is None or kept[was]:
                continue
            subject = _bare(exact["subject"])
            others = map(EXACT[spoken].fullmatch, kept)
            still = any(each is not None and _bare(each["subject"]) == subject for each in others)
            for number, match in weak if not still else ():
                if match is not None and (match["always"] or subject in _bare(match["about"] or match["asked"] or "")):
                    yield _hit("test.weakened", file, number, match[0], f"`{was}` became `{match[0]}`")
                    break


def _in_text(before: Sequence[str]) -> bool:
    return sum(line.count('"""') for line in before) % 2 == 1


def _bare(text: str) -> str:
    return "".join(text.split())


def _hit(rule: str, file: FileChange, number: int, line: str, detail: str) -> Hit:
    return hit_at(rule, file.path, number, detail, line, key=line)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (plain_tests,)
