"""C and C++: analyser directives, diagnostic pragmas, disabled tests, coverage marks (policy set v2, G01, G02, G11).

Rules:

- `NOLINT` and its relatives count anywhere in a comment, as clang-tidy reads them;
- a diagnostic pragma counts as `#pragma` and as `_Pragma`; one outside a push and pop reaches on and is a second hit;
- a test is disabled by the `DISABLED_` prefix in a test macro (or a macro that becomes one), by a skip call, by a
  hidden Catch2 tag or a decorator; between `#if` lines about the platform a skip is shown for review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails import directives
from ralph.guardrails.conditions import vocabulary
from ralph.guardrails.directives import directive
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Comment, Source
from ralph.guardrails.tokens import Token, group_end, join, tokens
from ralph.system.patterns import later

CODES = r"(?:\((?P<codes>[^)\n]*)\))?"
TABLE = (
    *directives.COMMON,
    directive("cpp.nolint", "NOLINT", rf"\bNOLINT(?:NEXTLINE)?(?!\w){CODES}"),
    directive("cpp.nolint", "NOLINTBEGIN", rf"\bNOLINTBEGIN(?!\w){CODES}", end=rf"\bNOLINTEND(?!\w){CODES}"),
    directive(
        "cpp.cppcheck-suppress",
        "cppcheck-suppress",
        directives.START + r"cppcheck-suppress(?:-file|-macro)?\b[ \t]*\[?(?P<codes>[\w,\- ]+)?",
    ),
    directive("cpp.cppcheck-suppress", "cppcheck-suppress-begin", directives.START + r"cppcheck-suppress-begin\b"),
    directive("cpp.coverity", "coverity", directives.START + r"coverity\[(?P<codes>[^\]\n]*)\]"),
    directive("cpp.scanner", "flawfinder: ignore", r"\b(?:Flawfinder|RATS|ITS4):[ ]*ignore\b|//-V\d+|-V::\d+"),
)
TEST_MACRO = later(
    r"(?:TYPED_)?TEST(?:_[FPG]|_SUITE(?:_P)?)?|IN_PROC_BROWSER_TEST_F|INSTANTIATE_(?:TYPED_)?TEST_(?:SUITE|CASE)_P"
    r"|REGISTER_TYPED_TEST_SUITE_P|(?:\w+_)?TEST(?:_[FP])?"
)
SKIP_CALLS = frozenset(
    {"GTEST_SKIP", "GTEST_SKIP_", "QSKIP", "QEXPECT_FAIL", "TEST_IGNORE", "TEST_IGNORE_MESSAGE", "SKIP"}
)
DISABLED = later(r"\bDISABLED_\w*")
DECORATORS = frozenset({"skip", "should_fail", "may_fail", "disabled"})
UNINSTRUMENTED = later(r"(?:__)?no_sanitize\w*?(?:__)?|no_profile_instrument_function")
DISABLED = later(r"\bDISABLED_\w*")
DECORATORS = frozenset({"skip", "should_fail", "may_fail", "disabled"})
UNINSTRUMENTED = later(r"(?:__)?no_sanitize\w*?(?:__)?|no_profile_instrument_function")
CATCH_MACRO = later(r"(?:TEMPLATE_|SCENARIO|TEST_CASE|METHOD_AS)\w*")
HIDDEN_TAG = later(r"\[(?:\.[^\]]*|!hide|!mayfail|!shouldfail)\]")
PRAGMA = later(
    r"(?:(?:GCC|clang)\s+diagnostic\s+ignored\s+\\?\"(?P<flag>[^\"\\]*)|warning\s*\(\s*(?:push\s*,\s*\d\s*\)\s*)?"
    r"(?:disable|suppress)\s*:\s*(?P<numbers>[\d\s]+)|(?P<header>(?:GCC|clang)\s+system_header)"
    r"|(?:nv_)?diag_suppress\s+(?P<diag>[\w, ]+))"
)
PUSH = later(r"(?:GCC|clang)\s+diagnostic\s+push|warning\s*\(\s*push|(?:nv_)?diag_push")
POP = later(r"(?:GCC|clang)\s+diagnostic\s+pop|warning\s*\(\s*pop|(?:nv_)?diag_pop")
PLATFORM = vocabulary(
    "_WIN32 _WIN64 WIN32 __APPLE__ __linux__ __unix__ __FreeBSD__ __ANDROID__ _MSC_VER __MINGW32__ __CYGWIN__ IS_WIN"
    " IS_MAC IS_LINUX IS_ANDROID IS_POSIX TARGET_OS_IPHONE __x86_64__ __aarch64__ __arm__ __EMSCRIPTEN__"
    " GTEST_OS_WINDOWS GTEST_OS_LINUX GTEST_OS_MAC Q_OS_WIN Q_OS_MACOS Q_OS_LINUX",
    "defined if ifdef ifndef elif not BUILDFLAG",
)
WORDS = (
    r"nolint",
    r"cppcheck|coverity|flawfinder|//-v\d|-v::",
    r"disabled_|\bdisabled\s*\(",
    r"gtest_skip|qskip|qexpect_fail|test_ignore|(?-i:\bSKIP)\s*\(|\*\s*[\w:]*skip\s*\(|(?:should|may)_fail\s*\(",
    r"\"[^\"]*\[(?:\.|!)[^\"]*\"",
    r"pragma\b.*(?:diagnostic|warning|system_header|suppress)|pragma.*\\\\$",
    r"^\s*(?:gcc|clang)\s+diagnostic|^\s*warning\s*\(",
    r"no_sanitize|gsl::suppress|no_profile|no_coverage",
    *directives.COMMON_WORDS,
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, TABLE, ("//", "/*"))


def pragmas(source: Source) -> Iterator[Hit]:
    """Diagnostic pragmas, line by line: `#pragma` lines and `_Pragma` calls, joined where a backslash joins them."""
    found = [(line, column, text) for line, column, text in _pragma_texts(source)]
    for position, (line, column, text) in enumerate(found):
        if match := PRAGMA.search(text):
            codes = frozenset(
                (match["flag"] or match["numbers"] or match["diag"] or "header").replace(",", " ").split()
            )
            place = Comment("", line, column, line, 0, True)
            key = f"pragma ignored {','.join(sorted(codes))}"
            yield source.hit("cpp.pragma-ignored", place, key, codes)
            if not match["header"] and not _inside_push([other for _, _, other in found], position):
                yield source.hit("comment.unclosed", place, key, codes)


def tests(source: Source) -> Iterator[Hit]:
    words = tokens(source)
    has_tests = b"TEST" in source.data or b"gtest" in source.data
    test = "no test"
    for index, word in enumerate(words):
        if (
            isinstance(word.node, tree_sitter.Node)
            and word.node.type == "preproc_arg"
            and has_tests
            and (match := DISABLED.search(word.text))
        ):
            rule = "cpp.skip-platform" if _under_platform(source, word) else "cpp.test-disabled"
            yield source.hit(rule, word.node, f"define {match[0]}")
        if word.kind != "word" or words[index + 1 : index + 2] == [] or words[index + 1].text != "(":
            continue
        arguments = words[index + 2 : group_end(words, index + 1)]
        if TEST_MACRO.fullmatch(word.text):
            test = join(arguments)
            if hidden := next((a for a in arguments if a.text.startswith("DISABLED_")), None):
                yield source.hit("cpp.test-disabled", hidden.node, f"{word.text} {test}")
        elif CATCH_MACRO.fullmatch(word.text):
            yield from _catch(source, arguments)
        elif word.text in SKIP_CALLS and (word.text != "SKIP" or has_tests):
            rule = "cpp.skip-platform" if _under_platform(source, word) else "cpp.skip"
            yield from source.skips(rule, word.node, f"{word.text} in {test}", always=_is_met_always(words, index))
        elif word.text in DECORATORS and _decorates(words, index):
            yield source.hit("cpp.test-disabled", word.node, f"{word.text} in {join(words[index - 4 : index])}")


def _is_met_always(words: Sequence[Token], index: int) -> bool:
    """The statement stands in the outermost block of its test."""
    deep = 0
    for word in reversed(words[:index]):
        if TEST_MACRO.fullmatch(word.text) or CATCH_MACRO.fullmatch(word.text):
            break
        deep += (word.text == "{") - (word.text == "}")
    return deep == 1 and index > 0 and words[index - 1].text in ("{", "}", ";")


def attributes(source: Source) -> Iterator[Hit]:
    words = tokens(source)
    for before, word, *after in zip(words, words[1:], words[2:], words[3:], strict=False):
        key = f"{word.text} {join(after)}"
        if UNINSTRUMENTED.fullmatch(word.text) and before.text in ("(", "::", "[", ","):
            rule = "cpp.coverage-off" if "profile" in word.text else "cpp.attribute-suppress"
            yield source.hit(rule, word.node, key)
        elif word.text in ("gsl", "clang") and join(after) == ":: suppress":
            yield source.hit("cpp.attribute-suppress", word.node, key)


def _pragma_texts(source: Source) -> Iterator[tuple[int, int, str]]:
    rows = [line.decode("utf-8", "replace") for line in source.lines]
    commented = {row for c in source.comments for row in range(c.line + (not c.alone), c.end_line + 1)}
    quoted = {
        row + source.first_line
        for node in source.walk()
        if "string" in node.type
        for row in range(node.start_point.row + 1, node.end_point.row + 1)
    }
    joined, first = "", 0
    for number, row in enumerate(rows, start=source.first_line):
        first = first if joined else number
        joined += row
        if row.endswith("\\"):
            joined = joined[:-1] + " "
            continue
        if match := re.match(r"\s*(?:#|%:|\?\?=)\s*pragma\b(.*)", joined):
            if first not in commented and first not in quoted:
                yield first, len(joined) - len(joined.lstrip()) + 1, match[1]
        else:
            for call in re.finditer(r"\b(?:_Pragma|__pragma)\s*\(\s*(?:L|u8)?(.*)", joined):
                if first not in commented and joined.count('"', 0, call.start()) % 2 == 0:
                    yield first, call.start() + 1, call[1]
        joined = ""


def _inside_push(texts: list[str], position: int) -> bool:
    depth = 0
    for text in texts[:position]:
        depth += 1 if PUSH.search(text) else -1 if POP.search(text) else 0
    if depth <= 0:
        return False
    for text in texts[position + 1 :]:
        depth += 1 if PUSH.search(text) else -1 if POP.search(text) else 0
        if depth == 0:
            return True
    return False


def _catch(source: Source, arguments: Sequence[Token]) -> Iterator[Hit]:
    tags = next((a for a in arguments[1:] if a.kind == "string" and HIDDEN_TAG.search(a.text)), None)
    if tags is not None:
        yield source.hit("cpp.test-disabled", tags.node, f"{arguments[0].text} {tags.text}")


def _decorates(words: Sequence[Token], index: int) -> bool:
    """`* doctest::skip()`, `* boost::unit_test::disabled()`: a decorator after a star."""
    start = index
    while start >= 2 and words[start - 1].text == "::":
        start -= 2
    off = index + 2 < len(words) and words[index + 2].text == "false"
    framework = any(word.text in ("doctest", "boost", "unit_test", "utf", "ut") for word in words[start:index])
    return start > 0 and words[start - 1].text == "*" and framework and not off


def _under_platform(source: Source, word: Token) -> bool:
    if not isinstance(word.node, tree_sitter.Node):
        return False
    node = word.node
    while (parent := node.parent) is not None:
        if parent.type in ("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_else"):
            head = source.text(parent).split("\n", 1)[0] if parent.type != "preproc_else" else ""
            if PLATFORM.only_platform(re.sub(r"^\s*#\s*", "", head)):
                return True
        node = parent
    return False


DETECTORS = (comment_directives, pragmas, tests, attributes)
