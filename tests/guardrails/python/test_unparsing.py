"""What is written of a tree is what `ast` writes: of every expression of files, and of made-up ones."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.python.unparsing import unparsed

SOURCES = Path(ast.__file__).parent
FILES = ("ast.py", "argparse.py", "dataclasses.py", "enum.py", "typing.py", "unittest/mock.py", "json/decoder.py")

NAMES = st.sampled_from(["a", "b.c", "d[0]", "e()", "f(1, x=2)", "1", "1.5", "-1", "'t'", "b'u'", "None", "...", "1j"])


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    forms = ["({} + {})", "({} ** {})", "({} if {} else {})", "({} and {})", "(not {})", "(-{})", "({} < {} is not {})"]
    forms += [
        "[{}, *{}]",
        "({},)",
        "({}, {})",
        "{{{}: {}, **{}}}",
        "{{{}}}",
        "({}).x",
        "({})[{}]",
        "({})[{}, {}]",
        "({})[{}:{}]",
    ]
    forms += [
        "g({}, *{}, k={}, **{})",
        "({})({})",
        "(lambda x: {})",
        "[x for x in {}]",
        "g(x for x in {})",
        "(y := {})",
    ]
    forms += ["f'{{{}}}'", "(await {})", "(yield {})"]
    return st.sampled_from(forms).flatmap(
        lambda form: st.tuples(*[inner] * _holes(form)).map(lambda each: form.format(*each))
    )


def _holes(form: str) -> int:
    return form.replace("{{", "").replace("}}", "").count("{}")


@pytest.mark.parametrize("name", FILES)
def test_of_every_expression_of_a_file(name: str) -> None:
    trees = [each for each in ast.walk(ast.parse((SOURCES / name).read_bytes())) if isinstance(each, ast.expr)]
    assert len(trees) > 300
    assert [unparsed(each) for each in trees] == [ast.unparse(each) for each in trees]


@given(st.recursive(NAMES, combined, max_leaves=8))
def test_of_any_expression(text: str) -> None:
    try:
        tree = ast.parse(f"async def h():\n {text}").body[0]
    except SyntaxError:  # two quotes of a kind, one in the other
        return
    assert isinstance(tree, ast.AsyncFunctionDef)
    assert unparsed(tree.body[0]) == ast.unparse(tree.body[0])
    assert isinstance(tree.body[0], ast.Expr)
    assert unparsed(tree.body[0].value) == ast.unparse(tree.body[0].value)
