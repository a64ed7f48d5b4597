"""Tests that are never collected, or collected empty, and marks that arrive as strings.

Rules (policy set v2, class G02): an empty list of parameters is a skip; so are `__test__ = False` on something
with tests and unittest's own flags; `add_marker("skip")`, code in a string given to `exec`, and `+SKIP` in a doctest
(for a person) are skips in other words. A mark whose name is known only at run time is for a person; a function of
pytest's whose name nobody can read, and that test code calls, is a skip: for no other would the name be hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from ralph.guardrails.model import Hit
from ralph.guardrails.python.names import GETTERS, Names, keyword, positional
from ralph.guardrails.python.skipped.detect import canonical, owner
from ralph.guardrails.python.words import Node, enclosing
from ralph.system.patterns import later

FLAGS = {
    "__test__": (False, "py.not-a-test"),
    "__unittest_skip__": (True, "py.skip"),
    "__unittest_expecting_failure__": (True, "py.xfail"),
}
CALLED = ("parametrize", "fixture", "add_marker", "applymarker", "Mark", "setattr", "exec", "eval")
"""Calls worth a look, besides those by which a name is made at run time."""

MARK = frozenset({"pytest.Mark", "_pytest.mark.Mark", "_pytest.mark.structures.Mark"})
MAKERS = later(r"list|tuple|set|dict|frozenset|iter|range|sorted|zip|filter|map|reversed|enumerate")
TEST_PATH = later(r"(?:^|/)(?:tests?|testing)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$")
IN_CODE = later(r"\b(?:pytest|unittest|mark)\s*\.\s*(?:skip|xfail|exit|expectedFailure|SkipTest)|\bSkipTest\b")
DOCTEST = later(rb"^\s*(?:>>>|\.\.\.).*#\s*doctest:[^\n]*\+SKIP\b", re.MULTILINE)


def collected(names: Names) -> Iterator[Hit]:
    for node in names.references(CALLED):
        if node.type == "call":
            for look in CALLS:
                yield from look(names, node)
        if node.type in ("call", "subscript"):
            yield from _dynamic(names, node)
    for flag in FLAGS:
        for node in names.words.identifiers(flag):
            assignment = enclosing(node, "assignment", "module")
            if assignment is not None and assignment.type == "assignment":
                yield from _flag(names, assignment, node)
    for match in DOCTEST.finditer(names.source.data) if b"doctest:" in names.source.data else ():
        string = enclosing(names.words.node_at(*match.span()), "string")
        if string is not None:
            yield names.source.hit("py.doctest-skip", string, f"doctest {owner(names, string)}")


def _empty_parameters(names: Names, call: Node) -> Iterator[Hit]:
    paths = {canonical(path) for path in names.paths(call.child_by_field_name("function"))}
    values: Node | None = None
    if "pytest.mark.parametrize" in paths:
        values = keyword(names, call, "argvalues") or next(iter(positional(call)[1:]), None)
    elif paths & {"pytest.fixture", "pytest_asyncio.fixture"}:
        values = keyword(names, call, "params")
    if values is not None and is_empty(names, values):
        yield names.source.hit("py.empty-parametrize", call, f"no parameters {owner(names, call)}")


def is_empty(names: Names, node: Node, depth: int = 4) -> bool:
    """True for a collection that is known to hold nothing, written out or by a name that nothing else touches."""
    if node.type in ("list", "tuple", "set", "dictionary"):
        return not [child for child in node.named_children if child.type != "comment"]
    if node.type == "call":
        if not any(map(MAKERS.fullmatch, names.paths(node.child_by_field_name("function")))):
            return False
        arguments = node.child_by_field_name("arguments")
        bare = arguments is not None and not arguments.named_children
        return bare or any(is_empty(names, part, depth) or names.constant(part) == 0 for part in positional(node))
    if node.type == "binary_operator":
        return names.constant(node) in ((), "")
    if node.type == "subscript":
        return names.source.text(node).replace(" ", "").endswith(("[:0]", "[0:0]"))
    if node.type == "list_comprehension":
        return bool(re.search(r"\bif\s+(?:False|0|None)\s*\]$", names.source.text(node)))
    if node.type != "identifier" or depth == 0:
        return False
    name = names.identifier(node)
    bound = names.values(name, node)
    known = bool(bound) and all(isinstance(value, Node) and is_empty(names, value, depth - 1) for value in bound)
    changed = rf"\b{re.escape(name)}\s*(?:\.\w|\+=|\[)"
    return known and not re.search(changed, names.source.data.decode("utf-8", "replace"))


def _string_mark(names: Names, call: Node) -> Iterator[Hit]:
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("attribute") if function is not None else None
    adds = name is not None and names.identifier(name) in ("add_marker", "applymarker")
    if not adds and not names.paths(function) & MARK:
        return
    mark = names.constant(next(iter(positional(call)), None))
    if mark in ("skip", "xfail", "skipif"):
        yield names.source.hit("py.xfail" if mark == "xfail" else "py.skip", call, f"{mark} {owner(names, call)}", None)


def _set_flag(names: Names, call: Node) -> Iterator[Hit]:
    arguments = positional(call)
    if len(arguments) == 3 and "setattr" in names.paths(call.child_by_field_name("function")):
        name = names.constant(arguments[1])
        if isinstance(name, str):
            yield from _flagged(names, call, name, arguments[2])


def _executed(names: Names, call: Node) -> Iterator[Hit]:
    if names.paths(call.child_by_field_name("function")) & {"exec", "eval", "builtins.exec", "builtins.eval"}:
        code = names.constant(next(iter(positional(call)), None))
        if isinstance(code, str) and IN_CODE.search(code):
            yield names.source.hit("py.skip", call, f"exec {owner(names, call)}", None)


def _dynamic(names: Names, node: Node) -> Iterator[Hit]:
    asked = _asked_by_name(names, node)
    if asked is None:
        return
    whose, name, plain = asked
    if plain and "skipTest" in names.texts(name):
        yield names.source.hit("py.skip", node, f"skipTest {owner(names, node)}", None)
    owners = {canonical(path) for path in names.paths(whose)}
    if not owners & {"pytest", "pytest.mark", "unittest"} or names.texts(name):
        return
    if "pytest" in owners and _is_called(names, node) and _is_test_code(names):
        yield names.source.hit("py.skip", node, f"dynamic {owner(names, node)}", None)
    elif plain:
        yield names.source.hit("py.dynamic-mark", node, f"dynamic {owner(names, node)}")


def _asked_by_name(names: Names, node: Node) -> tuple[Node, Node, bool] | None:
    """Whose member is asked for by which name, and whether that is done in the plain way, by `getattr`."""
    if node.type == "subscript":
        whose, name = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        if whose is None or name is None:
            return None
        if whose.type == "attribute" and names.source.text(whose).endswith(".__dict__"):
            return whose.named_children[0], name, False
        inside = positional(whose) if whose.type == "call" else []
        is_vars = inside and names.paths(whose.child_by_field_name("function")) & {"vars", "builtins.vars"}
        return (inside[0], name, False) if is_vars else None
    function, given = node.child_by_field_name("function"), positional(node)
    if function is None or not given:
        return None
    if len(given) > 1 and "getattr" in names.paths(function):
        return given[0], given[1], True
    if function.type == "call" and names.paths(function.child_by_field_name("function")) & GETTERS:
        asked = positional(function)
        return (given[0], asked[0], False) if asked else None
    if function.type == "attribute" and names.source.text(function).endswith((".__getattribute__", ".__getattr__")):
        return function.named_children[0], given[0], False
    return None


def _is_called(names: Names, node: Node) -> bool:
    """What is asked for, or a member of it, is called there, or under a name that it is given."""
    if "methodcaller" in names.source.text(node.child_by_field_name("function") or node):
        return True
    child, above = node, node.parent
    while above is not None and above.type in ("attribute", "parenthesized_expression"):
        child, above = above, above.parent
    if above is None or above.type != "assignment":
        return above is not None and above.child_by_field_name("function") == child
    left = above.child_by_field_name("left")
    used = names.words.identifiers(names.identifier(left)) if left is not None and left.type == "identifier" else ()
    return any(each.parent is not None and each.parent.child_by_field_name("function") == each for each in used)


def _is_test_code(names: Names) -> bool:
    return TEST_PATH.search(PurePosixPath(names.source.path).as_posix()) is not None


def _flag(names: Names, assignment: Node, name: Node) -> Iterator[Hit]:
    """`__test__ = ...` and `x.__test__ = ...`."""
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    target = left.child_by_field_name("attribute") if left is not None and left.type == "attribute" else left
    if target == name and right is not None:
        yield from _flagged(names, assignment, names.identifier(name), right)


def _flagged(names: Names, node: Node, name: str, value: Node) -> Iterator[Hit]:
    if name not in FLAGS:
        return
    bad, rule = FLAGS[name]
    known = names.constant(value)
    if known is not None and bool(known) is not bad:
        return
    if name == "__test__" and not _has_tests(names, node):
        rule = "py.not-a-test-class"
    yield names.source.hit(rule, node, f"{name} {owner(names, node)}", None)


def _has_tests(names: Names, node: Node) -> bool:
    """Does what the flag is set on hold tests? Outside of a class body nobody can tell: only the path can."""
    above = node.parent
    while above is not None and above.type != "class_definition":
        above = above.parent
    if above is None:
        return _is_test_code(names)
    functions = (child for child in names.source.walk(above) if child.type == "function_definition")
    found = (function.child_by_field_name("name") for function in functions)
    return any(name is not None and names.identifier(name).startswith("test") for name in found)


CALLS: tuple[Callable[[Names, Node], Iterator[Hit]], ...] = (
    _empty_parameters,
    _string_mark,
    _set_flag,
    _executed,
)
