"""Product code that asks whether it is being tested (policy set v2, class G07).

Rules:

- It blocks to look for the test runner: the environment variables of pytest, tox and nox, `"pytest" in sys.modules` or
  in the command line, any of them that begins so, `_called_from_test`, a look up the stack for a test file, an import
  of a test module or a conftest.
- So it does to look for what pytest and unittest put in the place of the streams and handlers of a process.
- So it does to ask whether something is a double: by the name of its class, or by what only a double has.
- A switch of a general kind (TESTING, CI) blocks where it chooses a constant result, and is for a person else; so is a
  path of a test file in product code, and an import of a package of tests.
- Product code that stops the measurement of coverage that runs around it blocks; what saves it before it ends the
  process does not.
- Code that a test runner loads itself (a plugin, which imports pytest) may know it; what builds or documents the
  project may know tox and nox: a person looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Hit
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (
    r"hasattr\([^\n]*(?:assert_|mock_|call_args|return_value|side_effect)|[\"']\w*Mock[\"']|[\"']unittest\.mock",
    r"coverage\b[^\n]*\.current\(\)",
    r"\b(?:TOX|NOX)_|COVERAGE_RUN|COV_CORE_|TEST_(?:TMPDIR|SRCDIR|WORKSPACE)|PYTEST_|sys\.modules|_called_from_test|running_tests?|sys\.argv|cmdline\(",
    r"startswith\([^\n]*pytest|__module__[^\n]*_pytest|_pytest[^\n]*__module__|[\"'](?:LogCaptureHandler|EncodedFile|CaptureIO|DontReadFromInput|_CapturingHandler)[\"']",
    r"\.(?:IS_)?TEST(?:S|ING|_MODE|_RUN)?\b",
    r"inspect\.(?:stack|currentframe)|extract_stack|_getframe|format_stack",
    r"\b(?:import|from)\s+(?:\.*[\w.]*\.)?(?:tests?|conftest|test_\w+)\b|import_module\(\s*[\"'](?:tests?\.|test_|conftest)",
    r"[\"'](?:\w+_)?(?:TEST(?:S|ING|_MODE|_ENV|_RUN)?|UNITTESTS?|CI)[\"']",
    r"[\"'][^\"'\n]*(?:\btests?/|\btest_\w+\.(?:py|json|csv|ya?ml|txt)|conftest\.py)",
)
RUNNER = later(
    r"PYTEST_(?:CURRENT_TEST|VERSION|XDIST\w*|RUN\w*|ADDOPTS|PLUGINS|DISABLE\w*)|_called_from_test"
    r"|[\"'](?:TOX_(?:ENV_(?:NAME|DIR)|WORK_DIR|PARALLEL_ENV|TESTENV_\w+)|NOX_CURRENT_SESSION)[\"']"
    r"|[\"']_?(?:pytest|py\.test|unittest|nose2?|doctest|hypothesis)(?:[.\w]*)[\"']\s*(?:not\s+)?in\s+[\w.]*(?:modules|argv)\b"
    r"|modules(?:\.get\(|\[)\s*[\"']_?(?:pytest|unittest|nose|hypothesis)[.\w]*[\"']"
    r"|[\"'](?:pytest|py\.test|unittest)[\"']\s*(?:not\s+)?in\s+[^\n]*(?:argv|cmdline\()|argv\[0\][^\n]*(?:pytest|py\.test|unittest)"
    r"|[\"'](?:LogCaptureHandler|EncodedFile|CaptureIO|DontReadFromInput|_CapturingHandler)[\"']"
    r"|__module__\b[^\n\"']*[\"']_pytest\b|[\"']_pytest[.\w]*[\"']\s*(?:==|in)\s*[^\n]*__module__"
)
PREFIXED = later(
    r"\bstartswith\(\s*\(?\s*[\"'](?:PYTEST|_?pytest|UNITTEST|unittest|NOSE|nose)|(?:\bre\.\w+|match\w*|\bcase)\(\s*r?[\"']\^?_?PYTEST"
    r"|[\"'](?:PYTEST_?|_?pytest|unittest)[\"']\s+in\s+\w+\b(?!\s*\.)"
)
"""A part of a name, of which only what it is asked of tells the meaning:"""
OF_ALL = later(r"\b(?:environ|sys\.modules|sys\.argv)\b")
ANY = later(r"\b(?:any|all|next|filter)\s*\(|\b(?:bool|len)\(\s*[\[{]")
"""whether something that has it is there, and not which of them are left out,"""
ASKED = later(r"\s*(?:el)?if\b[^\n]*:\s*(?:return\b.*)?$")
ANSWERED = later(r"\s*return\b")
"""or what is given back as soon as one is found."""
OF_BOTH = later(
    r"\{[^{}\n]*[\"'](?:pytest|_pytest|unittest)[\"'][^{}\n]*\}(?:\s*&|\.(?:isdisjoint|intersection|issubset)\()[^\n]*\b(?:modules|argv)\b"
    r"|\b(?:modules|argv)\b[^\n]*(?:&\s*\{|\.(?:isdisjoint|intersection)\(\s*[\[({])[^\n]*[\"'](?:pytest|_pytest|unittest)[\"']"
)
SETS_OPTIONS = later(r"[\"']PYTEST_ADDOPTS[\"']\s*(?:\]\s*=(?!=)|:)")
"""It asks for nothing; the options themselves are judged where commands are."""
IS_DOUBLE = later(
    r"hasattr\(\s*[\w.]+\s*,\s*[\"'](?:assert_\w*called\w*|mock_calls|call_args\w*|return_value|side_effect|_mock_\w+)[\"']"
    r"|__(?:qual)?name__\s*(?:==|in)\s*[\[({]?\s*[\"'](?:Magic|Async|NonCallable)?Mock[\"']"
    r"|[\"'](?:Magic|Async|NonCallable)?Mock[\"']\s*(?:==|in)\s*[^\n]*__(?:qual)?name__"
    r"|[\"']unittest\.mock[\"']\s*(?:==|in)|__module__\s*(?:==|\.startswith\()\s*[\"']unittest\.mock"
)
MEASURED = later(r"\b[Cc]overage(?:\.\w+)*\.current\(\)")
STOPS = later(rb"\.(?:stop|erase|exclude)\(")
STACK = later(r"\b(?:inspect\.)?(?:stack|currentframe|extract_stack|_getframe|format_stack|walk_stack)\(")
TEST_NAME = later(r"[\"'][^\"'\n]*(?:test|conftest)[^\"'\n]*[\"']", re.IGNORECASE)
SWITCH = later(
    r"(?:environ(?:\.get\(|\[)|getenv\()\s*[\"']((?:\w+_)?(?:TEST(?:S|ING|_MODE|_ENV|_RUN)?|UNITTESTS?|CI)"
    r"|COVERAGE_RUN|COV_CORE_\w+|TEST_(?:TMPDIR|SRCDIR|WORKSPACE))[\"']"
    r"|\b\w*(?:settings|config|conf)\.(?:IS_)?TEST(?:S|ING|_MODE|_RUN)?\b"
    r"|[\"']test[\"']\s*(?:not\s+)?in\s+[\w.]*argv\b|\brunning_tests?\b"
)
TEST_IMPORT = later(
    r"^\s*(?:from\s+(?:\.*[\w.]*\.)?(?P<from>tests?|conftest|test_\w+)(?:\.\S*)?\s+import|import\s+(?P<import>tests?|conftest|test_\w+)\b)"
)
LOADED = later(r"import_module\(\s*[\"'](?:[\w.]*\.)?(?P<name>tests?|test_\w+|conftest)[\"']")
TEST_PATH = later(r"[\"'](?:[^\"'\n]*/)?(?:tests?/[^\"'\n]*|test_\w+\.(?:py|json|csv|ya?ml|txt)|conftest\.py)[\"']")
TEST_DATA = later(
    r"(?:open|read\w*|loads?|Path)\([^\n]*[\"'](?:[^\"'\n]*/)?tests?/[^\"'\n]*(?:expected|golden|answer|solution)[^\"'\n]*[\"']"
)
"""What tests want, read by what they test."""
PLUGIN = later(
    rb"(?m)^\s*(?:import|from)\s+_?pytest\b|\bpytest_plugins\b|^def pytest_\w+\(|^\s*(?:import|from)\s+unittest\b"
)
OF_ENVIRONMENTS = later(r"\b(?:TOX|NOX)_")
BUILDS = later(r"(?:^|/)(?:setup|noxfile|tasks|dodo|conf|hatch_build|build)\.py$")
TOLD = later(
    rb"\.current\(\)|[TN]OX_|COVERAGE_RUN|COV_CORE_|TEST|cmdline|modules|argv|stack\(|frame\(|environ|getenv|called_from_test"
    rb"|test(?<!pytest)(?:s?\b|_)|Mock\b|unittest\.mock|hasattr\(|_pytest\b|LogCapture|EncodedFile|CaptureIO|DontRead|_Capturing"
)
"""One of these stands in every line that `_rule` has anything to say of: it is asked for in one step."""


def knows_tests(source: Source) -> Iterator[Hit]:
    """Of one side of a file: places where product code asks whether it is being tested."""
    if is_support(source.path) or is_test_file(source.path):
        return
    for row in _rows(source.data):
        number, raw = source.first_line + row, source.lines[row]
        line = raw.decode("utf-8", "replace")
        rule = _rule(source, line, number)
        if rule is not None:
            place = source.tree.root_node.descendant_for_point_range(*2 * ((row, len(raw) - len(raw.lstrip())),))
            if place is not None and "comment" not in place.type and not _is_prose(place):
                mild = rule == "py.detects-tests" and _may_know(source, line)
                yield source.hit("py.test-mode" if mild else rule, place, line.strip())


def _may_know(source: Source, line: str) -> bool:
    if PLUGIN.search(source.data) is not None:
        return True
    return BUILDS.search(source.path) is not None and OF_ENVIRONMENTS.search(line) is not None


def _rows(data: bytes) -> Iterator[int]:
    """The lines, from 0, that may tell something."""
    row, start, last = 0, 0, -1
    for match in TOLD.finditer(data):
        row += data.count(b"\n", start, match.start())
        start = match.start()
        if row != last:
            yield row
        last = row


def _rule(source: Source, line: str, number: int) -> str | None:
    code = line.partition("  #")[0]
    if MEASURED.search(code):
        return "py.no-cover" if STOPS.search(source.data) and b".save()" not in source.data else None
    if (RUNNER.search(code) and not SETS_OPTIONS.search(code)) or IS_DOUBLE.search(code) or OF_BOTH.search(code):
        return "py.detects-tests"
    if PREFIXED.search(code) and _asks_for_any(source, number - source.first_line):
        return "py.detects-tests"
    imported = TEST_IMPORT.match(code)
    if imported:
        name = imported["from"] or imported["import"]
        return "py.imports-tests" if name.startswith("test_") or name == "conftest" else "py.test-mode"
    if (loaded := LOADED.search(code)) is not None:
        return "py.imports-tests" if loaded["name"].startswith(("test_", "conftest")) else "py.test-mode"
    if STACK.search(code):
        around = "\n".join(each.decode("utf-8", "replace") for each in source.lines[max(0, number - 3) : number + 4])
        return "py.detects-tests" if TEST_NAME.search(around) else None
    if SWITCH.search(code):
        following = " ".join(each.decode("utf-8", "replace") for each in source.lines[number : number + 2])
        return "py.detects-tests" if _chooses_constant(code, following) else "py.test-mode"
    if TEST_DATA.search(code):
        return "py.detects-tests"
    return "py.test-mode" if TEST_PATH.search(code) and re.search(r"open|read|load|Path|import", code) else None


def _asks_for_any(source: Source, row: int) -> bool:
    """Whether there is one that is called so, in one expression or in a loop that gives back what it found."""
    around = [each.decode("utf-8", "replace") for each in source.lines[max(0, row - 2) : row + 3]]
    at = min(row, 2)
    if not OF_ALL.search("\n".join(around)):
        return False
    if ANY.search("\n".join(around[max(0, at - 2) : at + 1])):
        return True
    return ASKED.match(around[at]) is not None and (
        "return" in around[at] or bool(ANSWERED.match("".join(around[at + 1 : at + 2])))
    )


def _chooses_constant(code: str, following: str) -> bool:
    """`if <switch>: return 5`, or the same as an expression."""
    if re.match(r"\s*(?:el)?if\b", code):
        return re.search(r"\breturn\s+(?:[-\d\"'\[({]|True|False|None)", code + " " + following) is not None
    return re.search(r"(?:return|=)\s*(?:[-\d\"'\[({]\S*|True|False|None)\s+if\b|\bor\b.*\breturn\b", code) is not None


def _is_prose(place: Node) -> bool:
    """A docstring, or a text over several lines."""
    string = enclosing(place, "string")
    return string is not None and string.parent is not None and string.parent.type == "expression_statement"
