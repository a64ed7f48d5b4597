"""Product code that knows it is being tested (policy set v2, class G07).

Rules:

- It blocks to look for the test runner: pytest's environment variables, `"pytest" in sys.modules` or in the command
  line, `_called_from_test`, a look up the stack for a test file, an import of a test module or a conftest.
- A switch of a general kind (TESTING, CI) blocks where it chooses a constant result, and is for a person else; so is a
  path of a test file in product code, and an import of a package of tests.
- A new branch that gives a constant for constant arguments blocks where a test has both, and they are more than a name
  for something: two numbers, or several values. Else it is for a person. Numbers and texts that stand for nothing in
  particular (0, 1, an empty text) do not count.
- Code that a test runner loads itself (a plugin, which imports pytest) may know it: a person looks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.claims import is_constant, text
from ralph.guardrails.python.functions import Function, Tree
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.trees import walk
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

WORDS = (
    r"PYTEST_|sys\.modules|_called_from_test|running_tests?|sys\.argv|cmdline\(",
    r"\.(?:IS_)?TEST(?:S|ING|_MODE|_RUN)?\b",
    r"inspect\.(?:stack|currentframe)|extract_stack|_getframe|format_stack",
    r"\b(?:import|from)\s+(?:\.*[\w.]*\.)?(?:tests?|conftest|test_\w+)\b|import_module\(\s*[\"'](?:tests?\.|test_|conftest)",
    r"[\"'](?:\w+_)*(?:TEST(?:S|ING|_MODE|_ENV|_RUN)?|UNITTESTS?|CI)[\"']",
    r"[\"'][^\"'\n]*(?:\btests?/|\btest_\w+\.(?:py|json|csv|ya?ml|txt)|conftest\.py)",
)
RUNNER = later(
    r"PYTEST_(?:CURRENT_TEST|VERSION|XDIST\w*|RUN\w*|ADDOPTS|PLUGINS|DISABLE\w*)|_called_from_test"
    r"|[\"']_?(?:pytest|py\.test|unittest|nose2?|doctest|hypothesis)(?:[.\w]*)[\"']\s*(?:not\s+)?in\s+[\w.]*(?:modules|argv)\b"
    r"|modules(?:\.get\(|\[)\s*[\"']_?(?:pytest|unittest|nose|hypothesis)[.\w]*[\"']"
    r"|[\"'](?:pytest|py\.test|unittest)[\"']\s*(?:not\s+)?in\s+[^\n]*(?:argv|cmdline\()|argv\[0\][^\n]*(?:pytest|py\.test|unittest)"
)
STACK = later(r"\b(?:inspect\.)?(?:stack|currentframe|extract_stack|_getframe|format_stack|walk_stack)\(")
TEST_NAME = later(r"[\"'][^\"'\n]*(?:test|conftest)[^\"'\n]*[\"']", re.IGNORECASE)
SWITCH = later(
    r"(?:environ(?:\.get\(|\[)|getenv\()\s*[\"']((?:\w+_)*(?:TEST(?:S|ING|_MODE|_ENV|_RUN)?|UNITTESTS?|CI))[\"']"
    r"|\b\w*(?:settings|config|conf)\.(?:IS_)?TEST(?:S|ING|_MODE|_RUN)?\b"
    r"|[\"']test[\"']\s*(?:not\s+)?in\s+[\w.]*argv\b|\brunning_tests?\b"
)
TEST_IMPORT = later(
    r"^\s*(?:from\s+(?:\.*[\w.]*\.)?(?P<from>tests?|conftest|test_\w+)(?:\.\S*)?\s+import|import\s+(?P<import>tests?|conftest|test_\w+)\b)"
)
TEST_PATH = later(r"[\"'](?:[^\"'\n]*/)?(?:tests?/[^\"'\n]*|test_\w+\.(?:py|json|csv|ya?ml|txt)|conftest\.py)[\"']")
TEST_DATA = later(
    r"(?:open|read\w*|loads?|Path)\([^\n]*[\"'](?:[^\"'\n]*/)?tests?/[^\"'\n]*(?:expected|golden|answer|solution)[^\"'\n]*[\"']"
)
"""What tests want, read by what they test."""
PLUGIN = later(
    rb"(?m)^\s*(?:import|from)\s+_?pytest\b|\bpytest_plugins\b|^def pytest_\w+\(|^\s*(?:import|from)\s+unittest\b"
)
TOLD = later(rb"test|TEST|cmdline|modules|argv|PYTEST_|stack\(|frame\(|environ|getenv")
"""One of these stands in every line that `_rule` has anything to say of: it is asked for in one step."""
TRIVIAL = frozenset(
    {"0", "1", "-1", "2", "''", "None", "True", "False", "0.0", "1.0", "()", "[]", "{}", "b''", "100", "10"}
)
BRANCH = later(
    r"\bin [A-Z_]\w+:|\b[A-Z_]\w+\.get\("
    r"|(?:==|\bin\b|\bis\b|\bcase\b)[^\n]*:\s*(?:#[^\n]*\n\s*)*return\s+[-\d\"'\[({bfr]|\bif\b[^\n]*==|\}\.get\("
)
"""What a branch for constants may look like."""
RETURNS = later(r"return\s+[-\d\"'\[({bfr]")
TABLED = later(r"\bin [A-Z_]\w+:|\b[A-Z_]\w+\.get\(")
TABLE = later(rb"(?ms)^([A-Z_]\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(\{[^\n]*\}|\{.*?^\})")
"""A dictionary of the module, and a look-up in one."""
MOST_TESTS = 300
"""So many test files are searched for a special case."""


def knows_tests(source: Source) -> Iterator[Hit]:
    """Of one side of a file: places where product code asks whether it is being tested."""
    if is_support(source.path) or is_test_file(source.path):
        return
    plugin = PLUGIN.search(source.data) is not None
    for number, raw in enumerate(source.lines, start=source.first_line):
        if not TOLD.search(raw):
            continue
        line = raw.decode("utf-8", "replace")
        rule = _rule(source, line, number)
        if rule is not None:
            place = source.tree.root_node.descendant_for_point_range(
                *2 * ((number - source.first_line, len(raw) - len(raw.lstrip())),)
            )
            if place is not None and "comment" not in place.type and not _is_prose(place):
                mild = plugin and rule == "py.detects-tests"
                yield source.hit("py.test-mode" if mild else rule, place, line.strip())


def _rule(source: Source, line: str, number: int) -> str | None:
    code = line.partition("  #")[0]
    if RUNNER.search(code):
        return "py.detects-tests"
    imported = TEST_IMPORT.match(code)
    if imported:
        name = imported["from"] or imported["import"]
        return "py.imports-tests" if name.startswith("test_") or name == "conftest" else "py.test-mode"
    if STACK.search(code):
        around = "\n".join(each.decode("utf-8", "replace") for each in source.lines[max(0, number - 3) : number + 4])
        return "py.detects-tests" if TEST_NAME.search(around) else None
    if SWITCH.search(code):
        following = " ".join(each.decode("utf-8", "replace") for each in source.lines[number : number + 2])
        return "py.detects-tests" if _chooses_constant(code, following) else "py.test-mode"
    if TEST_DATA.search(code):
        return "py.detects-tests"
    return "py.test-mode" if TEST_PATH.search(code) and re.search(r"open|read|load|Path|import", code) else None


def _chooses_constant(code: str, following: str) -> bool:
    """`if <switch>: return 5`, or the same as an expression."""
    if re.match(r"\s*(?:el)?if\b", code):
        return re.search(r"\breturn\s+(?:[-\d\"'\[({]|True|False|None)", code + " " + following) is not None
    return re.search(r"(?:return|=)\s*(?:[-\d\"'\[({]\S*|True|False|None)\s+if\b|\bor\b.*\breturn\b", code) is not None


def _is_prose(place: Node) -> bool:
    """A docstring, or a text over several lines."""
    string = enclosing(place, "string")
    return string is not None and string.parent is not None and string.parent.type == "expression_statement"


@record
class Case:
    """A branch that gives a constant for constants."""

    node: ast.AST
    given: tuple[str, ...]
    result: str

    @property
    def key(self) -> tuple[tuple[str, ...], str]:
        return (self.given, self.result)

    @property
    def is_plain(self) -> bool:
        """More than a name for something: several values, or a number for a number."""
        constants = [each for each in self.given if each not in TRIVIAL]
        several = len(constants) > 1 or any(each[:1] in "[({" for each in constants)
        return several or (all(map(_is_number, constants)) and _is_number(self.result))


def special_cases(before: Iterable[Function], after: Iterable[Function], change: Change) -> Iterator[Hit]:
    """New branches for what a test asks, in functions that differ between the sides."""
    old = {(function.source.path, function.parts): function for function in before}
    tests: list[str] | None = None
    for function in after:
        if not may_branch(function.text) or not BRANCH.search(function.text):
            continue
        tree = function.tree()
        same = old.get((function.source.path, function.parts))
        found = list(_cases(tree)) if tree is not None else []
        if same is not None and tree is not None:
            found += _looked_up(tree, function.source, same.source)
        if not found or tree is None:
            continue
        earlier = same.tree() if same else None
        known = {case.key for case in _cases(earlier)} if earlier is not None else set()
        for case in found:
            if case.key not in known:
                tests = _tests(change) if tests is None else tests
                if any(asks(test, case.given, case.result) for test in tests):
                    yield _hit(function, case)


def may_branch(text: str) -> bool:
    """Whether a part of `BRANCH` that is quickly found is there: a comparison, a constant result or a table."""
    return "==" in text or "}.get(" in text or (RETURNS.search(text) or TABLED.search(text)) is not None


def _cases(tree: Tree) -> Iterator[Case]:
    arguments = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    for node in walk(tree):
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)]) if is_constant(value):
                yield from _case(node, test, value, arguments)
            case ast.IfExp(test=test, body=value) if is_constant(value):
                yield from _case(node, test, value, arguments)
            case ast.match_case(pattern=ast.MatchValue(value=given), body=[ast.Return(value=ast.expr() as value)]):
                if is_constant(given) and is_constant(value):
                    yield from _made(node, (text(given),), value)
            case ast.Call(func=ast.Attribute(value=ast.Dict() as table, attr="get"), args=[_, _]):
                for key, value in zip(table.keys, table.values, strict=True):
                    if key is not None and is_constant(key) and is_constant(value):
                        yield from _made(node, (text(key),), value)


def _looked_up(tree: Tree, source: Source, before: Source) -> Iterator[Case]:
    """Entries of a new table of the module that answers before anything is computed."""
    for match in TABLE.finditer(source.data):
        name = match[1].decode()
        if match[1] in before.data or not any(_asks(node, name) for node in walk(tree)):
            continue
        try:
            table = ast.parse(match[2].decode("utf-8", "replace"), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            continue
        entries = zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ()
        for key, value in entries:
            if key is not None and is_constant(key) and is_constant(value):
                yield from _made(tree.body[0], (text(key),), value)


def _asks(node: ast.AST, name: str) -> bool:
    """`if x in TABLE: return TABLE[x]`, `TABLE.get(x, computed(x))`: what is not in the table is computed."""
    match node:
        case ast.If(
            test=ast.Compare(ops=[ast.In()], comparators=[ast.Name(id=asked)]),
            body=[ast.Return(value=ast.Subscript(value=ast.Name(id=given)))],
        ):
            return asked == given == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="get"), args=[_, default]):
            return asked == name and any(isinstance(part, ast.Call | ast.BinOp) for part in walk(default))
    return False


def _case(node: ast.AST, test: ast.expr, value: ast.expr, arguments: set[str]) -> Iterator[Case]:
    given: list[str] = []
    for part in walk(test):
        match part:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.In()], comparators=[right]):
                asked, constants = (right, left) if is_constant(left) else (left, right)
                names = {each.id for each in walk(asked) if isinstance(each, ast.Name)}
                if is_constant(constants) and names & arguments:
                    given.append(text(constants))
    if given:
        yield from _made(node, tuple(given), value)


def _made(node: ast.AST, given: tuple[str, ...], value: ast.expr) -> Iterator[Case]:
    case = Case(node, given, text(value))
    if case.result not in ("None", "True", "False", "''", "0", "[]", "{}", "()") and any(
        each not in TRIVIAL for each in given
    ):
        yield case


def _tests(change: Change) -> list[str]:
    paths = sorted(path for path in change.blobs.paths_after() if is_test_file(path))[:MOST_TESTS]
    texts = (change.blobs.after(path) for path in paths)
    return [each.decode("utf-8", "replace") for each in texts if each is not None]


def asks(test: str, given: Iterable[str], result: str) -> bool:
    """A test file has the constants close together."""
    wanted = [_anywhere(each) for each in (*(each for each in given if each not in TRIVIAL), result)]
    if not all(pattern.search(test) for pattern in wanted):
        return False
    lines = test.split("\n")
    for index, line in enumerate(lines):
        near = "\n".join(lines[index : index + 4])
        if wanted[-1].search(line) and all(
            pattern.search("\n".join(lines[max(0, index - 6) : index + 1])) for pattern in wanted
        ):
            return True
        if wanted[0].search(line) and all(pattern.search(near) for pattern in wanted):
            return True
    return False


def _anywhere(constant: str) -> re.Pattern[str]:
    """A constant as it may be written in a test: any blanks, either kind of quotes."""
    parts = re.findall(r"'[^']*'|\"[^\"]*\"|[\w.]+|[^\s\w]", constant.strip("()"))
    quoted = (f"[\"']{re.escape(part[1:-1])}[\"']" if part[:1] in "'\"" else re.escape(part) for part in parts)
    return re.compile(r"(?<![\w.])" + r"\s*".join(quoted) + r"(?![\w])")


def _is_number(constant: str) -> bool:
    return re.fullmatch(r"-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?", constant) is not None


def _hit(function: Function, case: Case) -> Hit:
    line = (
        getattr(case.node, "lineno", getattr(getattr(case.node, "pattern", None), "lineno", 1))
        + function.first_line
        - 1
    )
    detail = f"{' and '.join(case.given)} gives {case.result}, as a test has it"
    return Hit(
        rule="py.special-case" if case.is_plain else "py.special-case-mild",
        path=function.source.path,
        line=line,
        column=1,
        key=detail,
        snippet=function.source.line_text(line),
        detail=detail,
    )
