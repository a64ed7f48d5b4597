"""What unittest's `load_tests` leaves out of the tests that were loaded (policy set v2, class G08).

Rules:

- It keeps them if it gives on what it is given, asks a loader for a module or a folder, or names each test of the file.
- It does not if it chooses among them by their names, tells the loader to, or puts a suite together of some of them.
- Nor does it if it names the classes to load one by one, and one of the file's with tests is not among them, unless
  that is one which others of them are derived from.
- What it leaves out by type is how nested suites are taken apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

ONE_CLASS = later(r"return \w+\.loadTestsFrom(?:TestCase|Names?)\(")
LOADS = later(
    r"(?i)discover|makeSuite|Doc(?:Test|File)Suite|TestLoader|loadTestsFrom|findTestCases|\bdir\(|__subclasses__"
)
ADDS = later(r"\.addTests?\(|TestSuite\((?!\))")
BY_HAND = later(r"\b(?:id|shortDescription)\(\)|_testMethodName|\bstr\(|__name__")
BY_TYPE = later(r"\b(?:isinstance|issubclass|hasattr|callable)\(")
TOLD = later(r"\.(?:testMethodPrefix|testNamePatterns)\s*=(?!=)")
NAMED = later(r"\.loadTestsFromTestCase\(|\bmakeSuite\(")
OF_ALL = later(
    r"loadTestsFrom(?:Module|Names?)\b|discover|\bdir\(|\bvars\(|\bglobals\(|getmembers|__subclasses__|sys\.modules"
)
METHOD = later(rb"(?m)^[ \t]+(?:async[ \t]+)?def[ \t]+(test\w*)")


def leaves_out(code: ast.FunctionDef, data: bytes) -> bool:
    """`data` is the file that defines it."""
    written, names = source_of(code), [each.arg for each in code.args.args]
    if TOLD.search(written) or any(_chooses(test) for test in _conditions(code)):
        return True
    read = _read(code)
    if read & set(names[1:2]) or re.search(r"discover", written):
        return False
    if NAMED.search(written) and _names_some(code, data):
        return True
    if names and names[0] in read and ONE_CLASS.search(written) is None:
        return False
    return not ADDS.search(written) or (not LOADS.search(written) and not _names_all(data))


def _conditions(code: ast.FunctionDef) -> Iterator[ast.expr]:
    """Those inside of loops: what they are about is one of many."""
    for node in walk(code):
        if isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.For):
            yield from (part.test for part in walk(node) if isinstance(part, ast.If))


def _chooses(test: ast.expr) -> bool:
    written = source_of(test)
    return BY_HAND.search(written) is not None and BY_TYPE.search(written) is None


def _names_some(code: ast.FunctionDef, data: bytes) -> bool:
    """A class of the file that has tests is named neither in it, nor in what the names in it stand for."""
    tree = parsed_module(data)
    if tree is None:
        return False
    given = {name: each.value for each in tree.body if isinstance(each, ast.Assign) for name in _targets(each)}
    told = _read(code)
    for name in tuple(told):
        told |= _read(given[name]) if name in given else set()
    if OF_ALL.search(source_of(code)) or any(OF_ALL.search(source_of(given[name])) for name in told & given.keys()):
        return False
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    above = {name for each in classes for base in each.bases for name in _read(base)}
    tested = {each.name for each in classes if each.bases and any(map(_is_test, each.body))}
    return bool(told & tested and tested - told - above)


def _targets(assigned: ast.Assign) -> Iterator[str]:
    return (each.id for each in assigned.targets if isinstance(each, ast.Name))


def _read(tree: ast.AST) -> set[str]:
    return {each.id for each in walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _is_test(member: ast.stmt) -> bool:
    return isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) and member.name.startswith("test")


def _names_all(data: bytes) -> bool:
    """Each test method of the file stands in it as a text, too."""
    names = METHOD.findall(data)
    return all(re.search(rb"[\"'.]" + re.escape(name) + rb"[\"']", data) for name in names)
