"""Product code that gives tests other answers than everybody else (policy set v2, class G07).

Rules:

- A function that reads a test's source and gives back something that it found there blocks: it has its answers from
  what asks it.
- A switch that tests set (a variable of the environment, a name of a module) blocks where it decides what is computed
  from what the function was given: both ways compute with the same arguments, or the condition measures them, too; so
  it does where it alone gives a constant for an answer.
  One that only chooses a collaborator (a mailer, a store) or a name for something (a folder, an address) is for a
  person, who is shown the switch anyway.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import is_constant, source_of
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

ADDED = later(
    rb"[\"'][^\"'\n]*(?:\btest_\w+|\w_test|\bconftest)\.py[\"']|(?i:environ|getenv)[^\n]*TEST|\b_?(?:[A-Z]+_)*TEST(?:S|ING|_MODE)?\b"
    rb"|^\s*if (?:\w+\.)*_?(?:is_|in_|under_)?test(?:ing|s|_mode)?:"
)
"""Of the lines added to a file: without any such line nothing here can have happened."""
TEST_SOURCE = later(r"(?:^|/)((?:test_\w+|\w+_test|conftest)\.py)$")
READS = later(r"(?:^|\.)(?:open|read_text|read_bytes|read|readlines|getsource|getlines)$")
VARIABLE = later(
    r"(?:environ(?:\.get\(|\[)|getenv\()\s*[\"'](\w*TEST\w*)[\"']|[\"'](\w*TEST\w*)[\"']\s+in\s+(?:os\.)?environ\b"
)
FLAG = later(r"(?:^|\.)(_?(?:[A-Z]+_)*TEST(?:S|ING|_MODE)?|_?(?:is_|in_|under_)?test(?:ing|s|_mode)?)$")
NOTHING = frozenset({"None", "True", "False", "''", "0", "[]", "{}", "()"})
"""Answers that stand for none."""
COMPUTING = frozenset(
    {"sorted", "list", "tuple", "set", "dict", "reversed", "sum", "min", "max", "abs", "round", "int", "float", "len"}
)
MOST_FILES = 400
"""So many files of tests are asked what they set."""


def names_tests(text: bytes) -> bool:
    """Few lines have the word without which the form cannot match, and the form is dear."""
    if b"test" not in text and b"TEST" not in text:
        return False
    return any((b"test" in line or b"TEST" in line) and ADDED.search(line) for line in text.split(b"\n"))


def answers(after: Iterable[Function], change: Change) -> Iterator[Hit]:
    """In functions of the head that the base did not have so."""
    for function in after:
        tree = function.tree() if names_tests(function.written) else None
        if tree is None:
            continue
        for node in _read_out(tree, change.blobs.paths_after()):
            yield _hit(function, node, f"{tree.name} gives what it reads in a test")
        for name, node in _switched(tree):
            if _is_set(name, change):
                yield _hit(function, node, f"{tree.name} answers otherwise if {name} is set, which tests do")


def _read_out(tree: Tree, paths: frozenset[str]) -> Iterator[ast.AST]:
    """Returns of something that comes from a file with tests."""
    if not any(isinstance(each, ast.Call) and READS.search(source_of(each.func)) for each in walk(tree)):
        return
    names = {path.rpartition("/")[2] for path in paths if is_test_file(path)}
    tainted: set[str] = set()
    nodes = [each for each in walk(tree) if isinstance(each, ast.stmt | ast.NamedExpr)]
    for node in sorted(nodes, key=lambda each: each.lineno):
        match node:
            case ast.Assign(targets=targets, value=value):
                given = targets
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                given = [target]
            case ast.For(target=target, iter=value):
                given = [target]
            case ast.With(items=[ast.withitem(context_expr=value, optional_vars=ast.expr() as target)]):
                given = [target]
            case _:
                continue
        if _is_tainted(value, tainted, names):
            tainted |= {part.id for each in given for part in walk(each) if isinstance(part, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Return) and node.value is not None and _is_tainted(node.value, tainted, names):
            yield node


def _is_tainted(value: ast.expr, tainted: set[str], names: set[str]) -> bool:
    for part in walk(value):
        match part:
            case ast.Name(id=name) if name in tainted:
                return True
            case ast.Constant(value=str() as path) if (found := TEST_SOURCE.search(path)) and found[1] in names:
                return True
    return False


def _switched(tree: Tree) -> Iterator[tuple[str, ast.AST]]:
    """Switches that decide what is given back, and where."""
    arguments = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    for node in walk(tree):
        match node:
            case ast.Return(value=ast.IfExp(test=test, body=one, orelse=other)):
                both = _is_computed(one) and _is_computed(other) and source_of(one) != source_of(other)
                if both and _names(one) & _names(other) & arguments:
                    yield from ((name, node) for name in _switches(test))
            case ast.If(test=test, body=[*_, ast.Return(value=ast.expr() as one)]) if _is_computed(one):
                if _names(one) & arguments:
                    yield from ((name, node) for name in _switches(test))
            case ast.If(test=ast.Name() | ast.Attribute() as test, body=[ast.Return(value=ast.expr() as one)]):
                if is_constant(one) and source_of(one) not in NOTHING:
                    yield from ((name, node) for name in _switches(test))
            case ast.If(test=ast.BoolOp(op=ast.And()) as test, body=[*_, ast.Return(value=ast.expr()) | ast.Raise()]):
                asked = [each for each in test.values if not any(_switches(each))]
                if any(_measures(each) and _names(each) & arguments for each in asked):
                    yield from ((name, node) for name in _switches(test))


def _is_computed(value: ast.expr) -> bool:
    """Arithmetic, or one of Python's own functions: neither a collaborator nor a name for something is made."""
    for part in walk(value):
        match part:
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr() | ast.Lambda():
                return False
            case ast.Call(func=ast.Name(id=name)) if name in COMPUTING:
                continue
            case ast.Call():
                return False
    return isinstance(value, ast.Call | ast.BinOp | ast.ListComp | ast.Subscript)


def _measures(test: ast.expr) -> bool:
    """It compares sizes."""
    return any(
        isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for part in walk(test) for op in getattr(part, "ops", ())
    )


def _switches(test: ast.expr) -> Iterator[str]:
    for found in VARIABLE.finditer(source_of(test)):
        yield found[1] or found[2]
    for part in walk(test):
        if isinstance(part, ast.Name | ast.Attribute) and (flag := FLAG.search(source_of(part))) is not None:
            yield flag[1]


def _names(tree: ast.AST) -> set[str]:
    return {each.id for each in walk(tree) if isinstance(each, ast.Name)}


def _is_set(name: str, change: Change) -> bool:
    """What stands beside tests gives the variable, or the name of a module, a value."""
    form = re.compile(
        rb"(?:environ\[\s*|setenv\(\s*|setdefault\(\s*|putenv\(\s*|setattr\([^\n]*)[\"'][\w.]*%s[\"']|\.%s\s*=(?!=)|^\s*%s\s*=(?!=)"
        % ((re.escape(name.encode()),) * 3),
        re.MULTILINE,
    )
    paths = change.blobs.paths_after()
    places = (each for each in paths if each.endswith((".py", ".ini", ".toml", ".cfg")) and _is_tests(each))
    return any(form.search(change.blobs.after(each) or b"") for each in nearest(places, change, MOST_FILES))


def _is_tests(path: str) -> bool:
    return is_test_file(path) or is_support(path) or path in ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")


def _hit(function: Function, node: ast.AST, detail: str) -> Hit:
    line = getattr(node, "lineno", 1) + function.first_line - 1
    return hit_at("py.detects-tests", function.source.path, line, detail, function.source.line_text(line))
