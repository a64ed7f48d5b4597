"""How tests are written in languages that are read line by line.

A test begins with its head and reaches to the line that closes it, by how far lines are indented. Groups (suites,
classes) around it are told by the same measure. What asserts is a call of a certain name, a condition, or words between
two values.
"""

from __future__ import annotations

import re

from ralph.record import record
from ralph.system.patterns import later

_CALL = r"(?P<name>{names})\s*(?:<[^()]*>)?\s*\((?P<given>.*)\)"
_TEXT = r"(?P<quote>[\"'`])(?P<title>.+?)(?P=quote)"


@record(kw_only=True)
class Dialect:
    """`head` and `group` have a group `title`, or `plain`, or both, or none for a test without a name."""

    files: re.Pattern[str]
    head: re.Pattern[str]
    group: re.Pattern[str] | None = None
    closes: re.Pattern[str] | None = None
    """What the line begins with that ends a test; None where the next line that is no deeper does."""
    comment: str = "//"
    asks: tuple[re.Pattern[str], ...] = ()
    """With groups `name` and `given` (a call), `condition`, or `subject`, `how` and `wanted`."""
    wanted_first: bool = False
    truthy: bool = False
    """Much is true that is not the one value `true`."""
    marked: re.Pattern[str] | None = None
    """A function that is a test by what stands over it."""
    gives: re.Pattern[str] = later(
        r"(?:(?:const|let|var|val|auto|final|my|local|[\w:<>,*&]+)\s+)?\$?(?P<name>[\w$]+)\s*=\s*(?P<value>[^=~].*)"
    )
    """A value that gets a name."""


_BRACES, _END = later(r"[})\]]"), later(r"end\b")
DIALECTS: dict[str, Dialect] = {
    "php": Dialect(
        files=later(r"(?i)(?:^|/)tests?/.*\.php$|Test\.php$"),
        head=later(
            rf"(?:(?:public|final|static|abstract)\s+)*function\s+(?P<plain>test\w*)\s*\(|(?:it|test)\(\s*{_TEXT}\s*,.*"
        ),
        marked=later(r"(?:(?:public|final|static)\s+)*function\s+(?P<plain>\w+)\s*\("),
        group=later(r"(?:final\s+|abstract\s+)*class\s+(?P<plain>\w+)|describe\(\s*[\"'](?P<title>.+?)[\"']"),
        closes=_BRACES,
        asks=(
            later(r"(?:\$this->|self::|static::|Assert::|parent::)" + _CALL.format(names=r"assert\w+|expect\w+|fail")),
            later(r"expect\((?P<subject>.*?)\)(?P<how>(?:->\w+)*->to\w+)\((?P<wanted>.*)\)"),
        ),
        wanted_first=True,
    ),
    "cpp": Dialect(
        files=later(
            r"(?i)(?:^|/)(?:tests?|unittests?|googletest)/.*|[^/]*[._-]?tests?[._-]?[^/]*\.(?:c|cc|cpp|cxx|h|hpp)$"
        ),
        truthy=True,
        head=later(
            r"(?:TYPED_)?TEST(?:_[FP])?\s*\(\s*(?P<title>\w+\s*,\s*\w+)\s*\)|(?:TEST_CASE|SCENARIO|TEST_CASE_METHOD)\s*"
            r"\((?:\s*\w+\s*,)?\s*\"(?P<words>[^\"]+)\"|BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\s*\(\s*(?P<boost>\w+)"
            r"|START_TEST\s*\(\s*(?P<check>\w+)|(?:static\s+)?void\s+(?P<plain>test_?\w+)\s*\("
        ),
        closes=later(r"[})\]]|END_TEST"),
        asks=(
            later(
                _CALL.format(
                    names=r"(?:EXPECT|ASSERT)_\w+|BOOST_(?:CHECK|REQUIRE|TEST|WARN)_\w+|TEST_(?:ASSERT|FAIL)\w*"
                    r"|(?:REQUIRE|CHECK)_(?:FALSE|THROWS\w*|NOTHROW\w*|THAT|EQ|NE|LT|GT|LE|GE)"
                    r"|assert_\w+|ck_assert\w*|QCOMPARE|FAIL|ADD_FAILURE|cr_(?:assert|expect)\w*"
                )
            ),
            later(r"(?:REQUIRE|CHECK|BOOST_(?:TEST|CHECK|REQUIRE)|QVERIFY2?|assert)\s*\((?P<condition>.*)\)"),
        ),
    ),
    "swift": Dialect(
        files=later(r"Tests?(?:/.*|[^/]*)\.swift$"),
        head=later(
            r"(?:@Test(?:\(.*\))?\s+)?(?:@\w+\s+)*(?:(?:public|internal|override|final|private)\s+)*"
            r"func\s+(?P<plain>test\w*|`[^`]+`)\s*\(|@Test.*?\bfunc\s+(?P<title>\w+)\s*\("
        ),
        group=later(
            r"(?:@\w+(?:\(.*\))?\s+)*(?:(?:public|final|private)\s+)*(?:class|struct|actor|extension)\s+(?P<plain>\w+)"
        ),
        closes=_BRACES,
        asks=(
            later(_CALL.format(names=r"XCTAssert\w+|XCTFail|XCTUnwrap|expect(?:NoDifference|Equal)")),
            later(r"(?:try\s+)?(?:await\s+)?(?:XCTAssert|#expect|#require|precondition)\((?P<condition>.*)\)"),
        ),
    ),
    "elixir": Dialect(
        files=later(r"_test\.exs$"),
        truthy=True,
        head=later(r"(?:test|property)\s+\"(?P<title>[^\"]+)\".*"),
        group=later(r"describe\s+\"(?P<title>[^\"]+)\"|defmodule\s+(?P<plain>[\w.]+)"),
        closes=_END,
        comment="#",
        asks=(
            later(r"(?P<name>(?:assert|refute)_\w+|flunk)[\s(](?P<given>.*?)\)?(?:\s+do)?"),
            later(r"(?P<not>refute)[\s(]\s*(?P<condition>.*?)"),
            later(r"assert\s+(?P<condition>.*)|assert\((?P<other>.*)\)"),
        ),
    ),
    "dart": Dialect(
        files=later(r"_test\.dart$"),
        head=later(rf"(?:test|testWidgets|testGoldens|blocTest\S*)\(\s*{_TEXT}\s*,.*"),
        group=later(rf"group\(\s*{_TEXT}\s*,.*"),
        closes=_BRACES,
        asks=(
            later(r"(?:await\s+)?" + _CALL.format(names=r"expect(?:Later|Async\w*)?|fail|verify(?:Never|InOrder)?")),
        ),
    ),
    "scala": Dialect(
        files=later(r"(?:Test|Spec|Suite)s?\.scala$"),
        head=later(
            rf"(?:test|property)\s*\(\s*{_TEXT}.*|def\s+(?P<plain>test\w*).*"
            r"|(?:it|they|\"[^\"]+\")?\s*(?:should|must|can)?\s*\"(?P<words>[^\"]+)\"\s+in\b.*"
        ),
        group=later(r"(?:final\s+)?class\s+(?P<plain>\w+)|\"(?P<title>[^\"]+)\"\s+(?:should|when|must|can)\s*\{"),
        closes=_BRACES,
        asks=(
            later(
                _CALL.format(
                    names=r"assert(?:Equals|Result|True|False|NotEquals|Throws|NoDiff|Matches)\w*|intercept|fail"
                )
            ),
            later(r"assert\((?P<condition>.*)\)"),
            later(
                r"(?P<subject>.+?)\s+(?P<how>(?:should|must)(?:Not)?(?:Be|Equal|_==|_!=|Matchers?)?\b(?:\s+(?:not\s+)?"
                r"(?:be|equal|contain|have|include|startWith|endWith|matchPattern)\b)?)\s*\(?(?P<wanted>.*?)\)?"
            ),
        ),
        wanted_first=False,
    ),
    "lua": Dialect(
        files=later(r"_spec\.lua$"),
        truthy=True,
        head=later(rf"it\s*\(\s*{_TEXT}\s*,.*"),
        group=later(rf"describe\s*\(\s*{_TEXT}\s*,.*"),
        closes=_END,
        comment="--",
        asks=(later(r"assert\.?(?P<name>[\w.]*)\s*\((?P<given>.*)\)"),),
        wanted_first=True,
    ),
    "r": Dialect(
        files=later(r"(?i)tests/testthat/.*\.r$"),
        head=later(rf"(?:testthat::)?(?:test_that|it)\(\s*{_TEXT}\s*,.*"),
        group=later(rf"(?:testthat::)?describe\(\s*{_TEXT}\s*,.*"),
        closes=_BRACES,
        comment="#",
        asks=(later(r"(?:testthat::)?" + _CALL.format(names=r"expect_\w+|stopifnot|fail")),),
    ),
    "fsharp": Dialect(
        files=later(r"Tests?(?:/.*|[^/]*)\.fs$"),
        head=later(
            r"(?:\[<.*>\]\s*)?let\s+(?:rec\s+)?(?:``(?P<title>[^`]+)``|(?P<plain>\w+))\s*\(\s*\)\s*(?::\s*\w+\s*)?=.*"
            r"|testCase\s+\"(?P<words>[^\"]+)\".*"
        ),
        asks=(
            later(r"(?:Assert|Expect)\." + _CALL.format(names=r"\w+")),
            later(r"(?P<subject>.+?)\s*\|>\s*(?P<how>should\s+(?:not'?\s+)?\(?\w+)\s+(?P<wanted>.*)"),
            later(r"(?:test|assert)\s*<@\s*(?P<condition>.*?)\s*@>"),
        ),
        wanted_first=True,
    ),
    "julia": Dialect(
        files=later(r"(?:^|/)test/.*\.jl$"),
        head=later(r"@testset\s+\"(?P<title>[^\"]+)\".*"),
        closes=_END,
        comment="#",
        asks=(
            later(r"@(?P<name>test_throws|test_logs|test_warn|inferred)\s+(?P<given>.*)"),
            later(r"@test\s+(?P<condition>.*)"),
        ),
    ),
    "zig": Dialect(
        files=later(r"\.zig$"),
        head=later(r"test\s+\"(?P<title>[^\"]+)\"\s*\{.*"),
        closes=_BRACES,
        asks=(
            later(
                r"(?:try\s+)?(?:std\.)?(?:testing\.)?"
                + _CALL.format(names=r"expect(?:Equal|Error|Approx|String|Format)\w*")
            ),
            later(r"(?:try\s+)?(?:std\.)?(?:testing\.)?expect\((?P<condition>.*)\)"),
        ),
        wanted_first=True,
    ),
    "solidity": Dialect(
        files=later(r"\.t\.sol$"),
        head=later(r"function\s+(?P<plain>(?:test|invariant|statefulFuzz)\w*)\s*\("),
        group=later(r"contract\s+(?P<plain>\w+)"),
        closes=_BRACES,
        asks=(
            later(
                r"(?:vm\.)?"
                + _CALL.format(
                    names=r"assert(?:Eq|NotEq|True|False|Gt|Ge|Lt|Le|Approx)\w*|expectRevert|expectEmit|expectCall|fail"
                )
            ),
            later(r"(?:assert|require)\((?P<condition>.*?)\)"),
        ),
    ),
}
ENDINGS = {
    ".swift": "swift",
    ".exs": "elixir",
    ".dart": "dart",
    ".scala": "scala",
    ".lua": "lua",
    ".r": "r",
    ".fs": "fsharp",
    ".jl": "julia",
    ".zig": "zig",
    ".sol": "solidity",
    ".feature": "gherkin",
    ".robot": "robot",
    ".txtar": "testscript",
}
"""Languages that only these rules know by the names of their files."""
