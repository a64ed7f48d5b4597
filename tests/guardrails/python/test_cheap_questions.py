"""Cheap questions before dear ones: what they pass over, the dear ones would have found nothing in."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ralph.guardrails.hiding.encoded import SHELL, SHELL_WORDS
from ralph.guardrails.prefilter import may_match
from ralph.guardrails.python import constants
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.product import cases, special
from ralph.guardrails.python.product.functions import functions_of
from ralph.guardrails.python.runner.collected import NAMES
from ralph.guardrails.python.runner.collecting import told_to_leave_out
from ralph.guardrails.python.runner.hooks import _may_tell
from ralph.guardrails.python.runner.trees import code_of, writes
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from tests.guardrails.memory import corpus_texts

CORPUS = corpus_texts(".py")

CONSTANTS = ["'a'", '"b c"', "'é'", "''", "0", "12", "007", "None", "True", "x", "a.b", "a.None", "'a' 'b'", "'\\x41'"]
CONSTANTS += [
    "'\0'",
    "'a\nb'",
    "f'a'",
    "b'a'",
    "'a'+'b'",
    " 'a'",
    "1_0",
    "-1",
    "if",
    "__debug__",
    "é",
    "'\ud800'",
    "9" * 99,
]


@pytest.mark.parametrize("text", CONSTANTS)
def test_a_plain_constant_is_what_the_parser_reads(text: str) -> None:
    _same_constant(text)


@given(st.text("'\"\\aNone.019_ é\n\r\0#", max_size=8))
def test_any_plain_constant_is_what_the_parser_reads(text: str) -> None:
    _same_constant(text)


def _same_constant(text: str) -> None:
    try:
        read = constants._value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        read = None
    assert constants.constant(text) == read
    assert type(constants.constant(text)) is type(read)


TELLING = [
    "config.args[:] = []",
    "config.option.keyword = 'x'",
    "a = sys.argv = ['-k', 'x']",
    "a = b = sys.argv[1:] = ['--co']",
    "sys.argv += ['-k', 'x']",
    "sys.argv: list = ['-k', 'x']",
    "sys.argv.append('--co')",
    "sys.argv \\\n . append('--co')",
    "(\n# why\nsys.argv.extend(['-k x'])\n)",
    "os.environ['PYTEST_' + 'ADDOPTS'] = '-k x'",
    "os.environ.update(PYTEST_ADDOPTS='-k x')",
    "os.environ.setdefault('PYTEST_ADDOPTS', '-k x')",
    "os.putenv('PYTEST_ADDOPTS', '-k x')",
    "x = os.environ.update({'PYTEST_ADDOPTS': '-k x'})",
    "x = [sys.argv.append('--co') for _ in 'a']",
    "f'{sys.argv.append(\"--co\")}'",
    "y, sys.argv = 1, ['-k', 'x']",
    "(y := 1), sys.argv.insert(1, '--co')",
    "setattr(config.option, 'key' + 'word', 'x')",
    "config.option.__setattr__('keyword', 'x')",
    "ｓys.ａrgv.ａppend('--co')",
    "globals().update(collect_ignore=['a'])",
    "globals().setdefault('collect_ignore', ['a'])",
    "setattr(sys.modules[__name__], 'collect_' 'ignore', ['a'])",
    "x = lambda: sys.argv.append('--co')",
]
QUIET = [
    "x = 1",
    "'text'",
    "x = y = compute(1)",
    "x: int = call(a.b)",
    "print(a[1])",
    "x += 1",
    "a.b",
    "call()",
    "# no",
]


@pytest.mark.parametrize("statement", [*TELLING, *QUIET])
def test_a_statement_that_tells_the_runner_something_is_read(statement: str) -> None:
    source = Source("conftest.py", "python", statement.encode())
    for node in source.tree.root_node.named_children:
        if node.type == "expression_statement" and not _may_tell(source, node):
            assert statement in QUIET
            code = code_of(source, node)
            assert code is not None
            assert not list(told_to_leave_out(code))
            assert not [write for write in writes(code) if write.name in NAMES]


@pytest.mark.parametrize("statement", TELLING[:-1])
def test_what_tells_the_runner_something_is_not_passed_over(statement: str) -> None:
    source = Source("conftest.py", "python", statement.encode())
    assert any(_may_tell(source, node) for node in source.tree.root_node.named_children)


BRANCH = re.compile(
    r"\bin [A-Z_]\w+:|\b[A-Z_]\w+\.get\(|\b\w+\.get\(\(|\breturn [A-Za-z_]\w*\[(?:\w+\]|\()"
    r"|(?:==|\bin\b|\bis\b|\bcase\b|\babs\()[^\n]*:\s*(?:#[^\n]*\n\s*)*return\s+[-\d\"'\[({bfr]|\bif\b[^\n]*==|\}\.get\("
)
"""What `may_branch` asks, said at once."""


def test_the_quick_questions_pass_over_nothing_of_the_corpus() -> None:
    asked = 0
    for text in CORPUS:
        source = Source("product.py", "python", text.encode())
        for number, raw in enumerate(source.lines, start=1):
            if special._rule(source, raw.decode(), number) is not None:
                asked += 1
                assert special.TOLD.search(raw)
        for function in functions_of(source):
            assert not BRANCH.search(function.text) or cases.may_branch(function.text)
    assert asked, "the corpus has such lines"


LINES = [
    "'pytest' in sys.modules",
    "PYTEST_CURRENT_TEST",
    "_called_from_test",
    "stack()",
    "sys._getframe(1)",
    "'x/tests/a'",
]
LINES += [
    "import conftest",
    "from a.tests import b",
    "getenv('CI')",
    "environ['CI']",
    "argv[0] 'unittest'",
    "'test' in argv",
]
LINES += [" ", "if ", "open(", "\\", "é", "\n", "x", "running_tests", "inspect.currentframe()", "modules['nose']"]


@given(st.lists(st.sampled_from(LINES), max_size=5).map("".join))
def test_no_line_that_knows_of_tests_is_passed_over(line: str) -> None:
    source = Source("product.py", "python", line.encode())
    for number, raw in enumerate(source.lines, start=1):
        assert special._rule(source, raw.decode(), number) is None or special.TOLD.search(raw)


BRANCHES = [
    "if x ==",
    "in",
    "case 3",
    ":",
    " ",
    "\n",
    "return 5",
    "return  'a'",
    "# why\n",
    "}.get(",
    "x",
    "is",
    "return\tb",
]


@given(st.lists(st.sampled_from(BRANCHES), max_size=8).map("".join))
def test_no_branch_is_passed_over(text: str) -> None:
    assert not BRANCH.search(text) or cases.may_branch(text)


SHELLS = [
    "base64 -d",
    "base64\t--decode",
    "xxd -r",
    "tr A-Za-z",
    "rev",
    "gunzip",
    "|",
    "| sudo bash",
    "|sh",
    "zsh <(",
    "<<<",
]
SHELLS += ["eval $(", "python3 -c `", " ", "\n", "x", "sh <<< $(", "openssl enc -d", ". <("]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(SHELLS), max_size=7).map("".join))
@example("base64 -d x | sh")
@example('eval "$(echo x | base64 -d)"')
@example("tr\tA-Za-z N-ZA-M | bash")
def test_nothing_that_a_shell_runs_is_passed_over(text: str) -> None:
    blob = text.encode()
    for line in blob.split(b"\n"):
        if SHELL.search(line):
            assert SHELL_WORDS.search(line)
            assert may_match(SHELL, blob)


@pytest.mark.parametrize(
    "text", [*CORPUS[::7], "class A:\n  @d\n  def f(self):\n    def g(): pass\n  class B:\n    async def h(): ..."]
)
def test_functions_are_called_by_what_is_around_them(text: str) -> None:
    source = Source("a.py", "python", text.encode())
    names = Names(source)
    for function in functions_of(source):
        around = list[str]()
        node: Node | None = function.node.child_by_field_name("definition") or function.node
        while node is not None:
            if node.type in ("function_definition", "class_definition"):
                name = node.child_by_field_name("name")
                around.insert(0, names.identifier(name) if name is not None else "")
            node = node.parent
        assert function.parts == tuple(around)
        assert function.written.decode() == function.text
