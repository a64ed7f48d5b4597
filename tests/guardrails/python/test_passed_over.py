"""What is not read, parsed or tried: nothing would have been found in it."""

from __future__ import annotations

import ast
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.common.product.asked import _in_one_call, _words, anywhere
from ralph.guardrails.hiding.characters import UNUSUAL, hidden
from ralph.guardrails.inventory.readers import Side
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.imports.tried import TRIES, may_try, missing, needing
from ralph.guardrails.python.inventory import collect, is_passed_over
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.removed.undone import _definitions, _may_be_defined
from ralph.guardrails.python.trees import walk
from ralph.guardrails.source import Source
from tests.guardrails.memory import corpus_texts

CORPUS = corpus_texts(".py")
TRIED = [
    "try:\n    import x\nexcept ImportError:\n    x = None\nif x:\n    y = 1\n",
    "try: import x\nexcept: x = None\nif x:\n    y = 1\n",
    "try: \\\nimport x\nexcept Exception: x = None\nif x is not None:\n    y = 1\n",
    "try:\n\tfrom x import z; w = 1\nexcept ModuleNotFoundError:\n\tpass\nelse:\n\ty = 1\n",
    "try: w = 1; import x; y = 2\nexcept ImportError: pass\n",
    "HAS = bool(find_spec('x'))\nif HAS:\n    y = 1\n",
    "def f():\n  try:\n    import x\n    y = 1\n  except (ImportError, OSError):\n    pass\n",
    "HAS = ﬁnd_spec('x')\nif HAS:\n    y = 1\ntry:\n    pass\nexcept ImportError:\n    pass\n",
]


@pytest.mark.parametrize("text", [*TRIED, *CORPUS])
def test_no_tried_import_is_passed_over(text: str) -> None:
    data = text.encode()
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    lines = range(1, text.count("\n") + 1)
    if TRIES.search(data) and (list(needing(tree)) or any(missing(tree, line) for line in lines)):
        assert may_try(data)
    if text in TRIED:
        assert list(needing(tree))
        assert may_try(data)


FILES = {
    "tests/helpers.py": b"def drops(f): pass\n\n\nkeeps = lambda f: f\n",
    "tests/test_it.py": b"import tests.helpers\nimport tests.helpers as h, \\\n tests.helpers as\\\n hh\n"
    b"from tests.helpers import drops as d, keeps\nfrom .helpers import drops\n\n\ndef own(f): pass\n",
}


def test_every_decorator_that_is_known_is_looked_up() -> None:
    side = Side(FILES.get, lambda: frozenset(FILES))
    source = Source("tests/test_it.py", "python", FILES["tests/test_it.py"])
    known = _definitions(source, side)
    assert {"own", "d", "keeps", "drops", "h.drops", "hh.keeps", "tests.helpers.drops"} <= known.keys()
    assert all(_may_be_defined(name, source, side) for name in known)
    assert not _may_be_defined("pytest.mark.skip", source, side)


SETTINGS = b"[tool.pytest.ini_options]\npython_files = ['check_*.py']\n"


@pytest.mark.parametrize("text", CORPUS[::5])
@pytest.mark.parametrize("path", ["src/shop/app.py", "check_it.py", "conftest.py", "testing.py", "a/tests/b.py"])
def test_what_is_passed_over_holds_no_tests(path: str, text: str) -> None:
    files = {path: text.encode(), "pyproject.toml": SETTINGS}
    side = Side(files.get, lambda: frozenset(files))
    found = collect(Source(path, "python", text.encode()), side)
    if is_passed_over(path, side):
        assert path == "src/shop/app.py"
        assert not found.tests
        assert not any(ghost.twin for ghost in found.ghosts)


CONSTANTS = ["'a b'", '"it\'s"', "1.5", "-3", "(2, 'x')", "('a', 1.0)", "[1, 2]", "{'k': b'v'}", "''", "...", "x.y"]


@given(st.sampled_from(CONSTANTS), st.lists(st.sampled_from([*CONSTANTS, "f(", ")", ",", " ", "\n", "=="]), max_size=6))
def test_a_test_that_has_a_constant_has_its_words(constant: str, parts: list[str]) -> None:
    text = "".join(parts)
    if anywhere(constant).search(text) or (constant[0] == "(" and _in_one_call(constant).search(text)):
        assert all(word in text for word in _words(constant))


@pytest.mark.parametrize("text", CORPUS[::3])
def test_a_walk_meets_what_the_standard_library_s_meets(text: str) -> None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    assert walk(tree) == [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    for node in walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            assert source_of(node) == ast.unparse(node)


@given(st.text("a é\t\n\f\r\x00\x1b\x7f\x80\u200b\u202e\ufeff\u2028\u00ad", max_size=12), st.booleans())
def test_what_is_hidden_is_unusual(text: str, first: bool) -> None:
    assert all(UNUSUAL.fullmatch(text[index]) for index, _ in hidden(text, first=first))
    assert {match.start() for match in UNUSUAL.finditer(text)} >= {
        index for index, each in enumerate(text) if not each.isascii() or (each < " " and each not in "\t\n\f")
    }


BOUND = [
    "a = b",
    "b = a",
    "a = a or pytest",
    "b = pytest.mark",
    "a = a.skip",
    "c = (a if b else c)",
    "b = getattr(c, 'x')",
]


@given(st.lists(st.sampled_from(BOUND), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_what_a_name_stands_for_is_the_same_whoever_asked_before(lines: list[str], chance: Random) -> None:
    data = "\n".join(["import pytest", *lines]).encode()
    alone, asked = Source("a.py", "python", data), Source("a.py", "python", data)
    others = [node for node in asked.walk() if node.is_named]
    chance.shuffle(others)
    before, now, fresh = Names(asked), Names(asked), Names(alone)
    for node in others:
        before.paths(node)
    for node, same in zip(asked.walk(), alone.walk(), strict=True):
        assert now.paths(node) == fresh.paths(same)
