"""What unittest's `load_tests` leaves out of the tests that were loaded (policy set v2, class G08).

Rules:

- It keeps them if it gives on what it is given, asks a loader for a module or a folder, or names each test of the file.
- It does not if it chooses among them by their names, tells the loader to, or puts a suite together of some of them.
- What it leaves out by type is how nested suites are taken apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

ONE_CLASS = later(r"return \w+\.loadTestsFrom(?:TestCase|Names?)\(")
LOADS = later(
    r"(?i)discover|makeSuite|Doc(?:Test|File)Suite|TestLoader|loadTestsFrom|findTestCases|\bdir\(|__subclasses__"
)
ADDS = later(r"\.addTests?\(|TestSuite\((?!\))")
BY_HAND = later(r"\b(?:id|shortDescription)\(\)|_testMethodName|\bstr\(|__name__")
BY_TYPE = later(r"\b(?:isinstance|issubclass|hasattr|callable)\(")
TOLD = later(r"\.(?:testMethodPrefix|testNamePatterns)\s*=(?!=)")
METHOD = later(rb"(?m)^[ \t]+(?:async[ \t]+)?def[ \t]+(test\w*)")


def leaves_out(code: ast.FunctionDef, data: bytes) -> bool:
    """`data` is the file that defines it."""
    written, names = source_of(code), [each.arg for each in code.args.args]
    if TOLD.search(written) or any(_chooses(test) for test in _conditions(code)):
        return True
    read = {each.id for each in walk(code) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    if read & set(names[1:2]) or re.search(r"discover", written):
        return False
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


def _names_all(data: bytes) -> bool:
    """Each test method of the file stands in it as a text, too."""
    names = METHOD.findall(data)
    return all(re.search(rb"[\"'.]" + re.escape(name) + rb"[\"']", data) for name in names)
