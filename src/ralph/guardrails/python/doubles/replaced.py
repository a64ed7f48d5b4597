"""What a Python test replaces by doubles, and which of it is what it looks at (policy set v2, class G06).

Rules:

- Replaced are the targets of `patch`, `patch.object`, `patch.multiple`, `mocker.patch`, `monkeypatch.setattr` and
  `setattr`, `flexmock(...)` and `when(...)`, attributes given to `x.name = ...` in a test, names given a mock or
  lambda, and what is put into the names of a module or class (`globals()`, `vars(x)`, `x.__dict__`). A spy (`wraps=`,
  `mocker.spy`, `side_effect` of the real thing) replaces nothing.
- Something of the standard library is a collaborator, never the subject.
- It is a fake if a result of the replaced name stands in an assertion: not that it was called, but what it gave.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain

from ralph.guardrails.inventory.model import Check, Fake
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.doubles.stood_in import stood_in
from ralph.guardrails.python.trees import children, parsed_expression
from ralph.record import replace
from ralph.system.patterns import later

PATCH = later(r"(?:^|\.)(?:patch|patch_object)$|(?:^|\.)mocker\.patch$")
PATCH_OBJECT = later(r"(?:^|\.)patch\.object$|(?:^|\.)monkeypatch\.setattr$|^setattr$|(?:^|\.)stub(?:_out)?(?:_with)?$")
PATCH_MULTIPLE = later(r"(?:^|\.)patch\.multiple$")
NAMESPACE = later(r"(?:globals|locals|vars)\(.*\)|.*\.__dict__")
RECEIVES = later(r"(?:^|\.)(?:should_receive|should_call|and_return)$")
DOUBLE = later(
    r"(?:^|\.)(?:Mock|MagicMock|AsyncMock|NonCallableMock|PropertyMock|create_autospec|mock_function|Stub|Fake|Dummy)$"
)
DOUBLE_MADE = later(r"(?:Mock|autospec|Stub|Fake|Dummy)\(.*\)\.\w")
MODULE_MADE = later(r"(?:^|\.)(?:SimpleNamespace|ModuleType|Mock|MagicMock|Fake\w*|Stub\w*)$")
FAKE_NAME = later(r"(?i)_?(?:fake|mock|stub|dummy)")
ABOUT_CALLS = frozenset({"called", "called with", "not called", "assert_called_once"})
SYSTEM = frozenset(sys.stdlib_module_names)


def fakes(nodes: Iterable[ast.AST], line_before: int) -> Iterator[Fake]:
    """Everything that some code replaces. `line_before` is the line before its first."""
    listed = list(nodes)
    for node, name in chain(_replaced(listed), stood_in(listed)):
        yield Fake(name, node.lineno + line_before, node.col_offset + 1, source_of(node))


def _replaced(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call | ast.Assign, str]]:
    for node in nodes:
        if isinstance(node, ast.Call):
            yield from ((node, name) for name in _by_call(node))
        elif isinstance(node, ast.Assign):
            yield from ((node, name) for target in node.targets for name in _by_assignment(target, node.value))


def looked_at(fakes: Iterable[Fake], results: AbstractSet[str], checks: Iterable[Check]) -> tuple[Fake, ...]:
    """Those whose result an assertion is about; of what is replaced as a whole (`billing.`), what it asks."""
    listed = list(fakes)
    found = {fake.name: fake for fake in reversed(listed) if fake.name in results}
    for whole in (fake for fake in listed if fake.name.endswith(".")):
        asks = re.compile(rf"(?<![\w.]){re.escape(whole.name)}(\w+)\(")
        subjects = (check.subject for check in checks if check.relation not in ABOUT_CALLS)
        found |= {name: replace(whole, name=name) for each in subjects for name in asks.findall(each)}
    return tuple(found[name] for name in sorted(found))


def asked_of_doubles(checks: Iterable[Check]) -> Iterator[Fake]:
    """What an assertion is about that a mock of the test's own answered: `Mock().count('a')`."""
    for check in checks:
        tree = parsed_expression(check.subject) if DOUBLE_MADE.search(check.subject) else None
        if not isinstance(tree, ast.Call) or check.relation in ABOUT_CALLS:
            continue
        name, root = name_of(tree).rpartition(".")[2], tree.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Call) and DOUBLE.search(name_of(root)):
            yield Fake(name, check.line, check.column, check.snippet)


def results_in(checks: Iterable[Check]) -> frozenset[str]:
    """Names of functions whose results assertions are about."""
    names: set[str] = set()
    for check in checks:
        if check.relation in ABOUT_CALLS or check.subject.endswith(
            (".called", ".call_count", ".call_args", ".mock_calls")
        ):
            continue
        tree = parsed_expression(check.subject)
        if tree is not None:
            names |= set(_called(tree))
    return frozenset(names)


def _called(tree: ast.expr) -> Iterator[str]:
    """The calls whose result an expression is, not those that only give an argument."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            name = name_of(node).rpartition(".")[2]
            if not _is_system(name_of(node)):
                yield name
            waiting.append(node.func)
            if name in (
                "len",
                "list",
                "str",
                "sorted",
                "dict",
                "set",
                "tuple",
                "bool",
                "int",
                "float",
                "round",
                "repr",
                "next",
            ):
                waiting += node.args
        elif isinstance(node, ast.Attribute):
            waiting.append(node.value)
        elif not isinstance(node, ast.Lambda):
            waiting += children(node)


def _by_call(call: ast.Call) -> Iterator[str]:
    name, arguments = name_of(call), call.args
    keywords = {each.arg: each.value for each in call.keywords}
    if name.endswith(("setitem", "patch.dict", ".update")):
        yield from _put_in_names(call, name)
    if "wraps" in keywords or not arguments:
        return
    first = arguments[0]
    if PATCH_MULTIPLE.search(name):
        yield from (each for each in keywords if each)
    elif PATCH_OBJECT.search(name) and len(arguments) > 1:
        attribute = arguments[1]
        if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
            if not _is_system(source_of(first)) and not _is_real(arguments[2:], keywords):
                yield attribute.value
        elif isinstance(first, ast.Constant) and name.endswith("setattr"):
            yield from _dotted(first)
    elif PATCH.search(name) and isinstance(first, ast.Constant) and not _is_real(arguments[1:], keywords):
        yield from _dotted(first)
    elif RECEIVES.search(name) and isinstance(first, ast.Constant):
        yield str(first.value)


def _put_in_names(call: ast.Call, name: str) -> Iterator[str]:
    """`monkeypatch.setitem(globals(), "total", ...)`, `patch.dict(globals(), total=...)`, `globals().update(...)`."""
    rest = call.args if name.endswith(".update") else call.args[1:]
    holder = name.removesuffix(".update") if rest is call.args else source_of(call.args[0]) if call.args else ""
    if not NAMESPACE.fullmatch(holder):
        return
    if name.endswith("setitem"):
        yield from _texts(rest[:1])
        return
    yield from (each.arg for each in call.keywords if each.arg)
    for table in rest:
        if isinstance(table, ast.Dict):
            yield from _texts(table.keys)


def _texts(values: Iterable[ast.expr | None]) -> Iterator[str]:
    for each in values:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _dotted(target: ast.Constant) -> Iterator[str]:
    """`"pricing.total"`."""
    path = str(target.value)
    if "." in path and not _is_system(path):
        yield path.rpartition(".")[2]


def _by_assignment(target: ast.expr, value: ast.expr) -> Iterator[str]:
    stands_in = isinstance(value, ast.Lambda) or (isinstance(value, ast.Call) and bool(DOUBLE.search(name_of(value))))
    if isinstance(target, ast.Attribute) and not _is_system(source_of(target.value)):
        root = target.value
        instance = isinstance(root, ast.Name) and root.id in ("self", "cls")
        if target.attr in ("return_value", "side_effect") and isinstance(root, ast.Attribute):
            return
        if not instance and (stands_in or (isinstance(value, ast.Name) and FAKE_NAME.match(value.id))):
            yield target.attr
    elif isinstance(target, ast.Name) and stands_in:
        yield target.id
    elif isinstance(target, ast.Subscript) and NAMESPACE.fullmatch(source_of(target.value)):
        yield from _texts((target.slice,))


def _is_real(rest: list[ast.expr], keywords: Mapping[str | None, ast.expr]) -> bool:
    """A spy: what replaces it passes calls on."""
    return "wraps" in keywords or (
        keywords.get("autospec") is not None
        and "return_value" not in keywords
        and not rest
        and "side_effect" in keywords
    )


def _is_system(path: str) -> bool:
    return path.partition(".")[0] in SYSTEM
