"""What a test asks of its own: a property that it replaced, a method that its own subclass overrides (class G06).

Rules (policy set v2):

- A property of a class that a test replaces, by a `PropertyMock`, a `property` or a plain value, is faked if an
  assertion is about that property of an object of that class.
- A method that a class of the test file defines itself is the test's own where an assertion is about what it answers.
  One that asks `super()`, or a method of its name, passes the question on; a decorated one is there for its decorator.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.inventory.model import Check, Fake
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.doubles.replaced import ABOUT_CALLS, PATCH, PATCH_OBJECT
from ralph.guardrails.python.trees import parsed_expression, walk
from ralph.system.patterns import later

CLASS = later(r"(?:\w+\.)*_*[A-Z]\w*$|type\(.+\)$")
MADE = later(r"(?:^|\.)(?:PropertyMock|property|cached_property|Mock|MagicMock)$")
Methods = Mapping[str, frozenset[str]]


def faked_properties(nodes: Iterable[ast.AST], checks: Iterable[Check], line_before: int) -> Iterator[Fake]:
    replaced = [each for node in nodes for each in _replaced(node)]
    asked = list(_asked(checks)) if replaced else []
    for owner, name, node in replaced:
        word = owner.rpartition(".")[2].removeprefix("type(").rstrip(")").strip("_").lower()
        if any(name == attribute and word in root.lower().replace("_", "").split(".") for root, attribute in asked):
            line, column = getattr(node, "lineno", 1) + line_before, getattr(node, "col_offset", 0) + 1
            yield Fake(name, line, column, source_of(node))


def _replaced(node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    """The class, the name of the property, and where it is replaced."""
    match node:
        case ast.Call(func=called, args=[ast.Constant(value=str() as path), *rest], keywords=keywords):
            owner, _, name = path.rpartition(".")
            if _patches(source_of(called)) and CLASS.match(owner) and _is_value(rest, keywords):
                yield owner, name, node
        case ast.Call(func=called, args=[first, ast.Constant(value=str() as name), *rest], keywords=keywords):
            owner = source_of(first)
            if PATCH_OBJECT.search(source_of(called)) and CLASS.match(owner) and _is_value(rest, keywords):
                yield owner, name, node
        case ast.Assign(targets=[ast.Attribute(value=first, attr=name)], value=value):
            if CLASS.match(source_of(first)) and _is_value([value], []):
                yield source_of(first), name, node


def _patches(called: str) -> bool:
    return bool(PATCH.search(called) or PATCH_OBJECT.search(called))


def _is_value(rest: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """What takes the place is no function: it is read, and not called."""
    given = {each.arg: each.value for each in keywords}
    value = rest[0] if rest else given.get("new", given.get("new_callable"))
    if isinstance(value, ast.Call):
        return MADE.search(name_of(value)) is not None and not any(each.arg == "wraps" for each in value.keywords)
    return isinstance(value, ast.Constant) or (value is not None and source_of(value).endswith("PropertyMock"))


def _asked(checks: Iterable[Check]) -> Iterator[tuple[str, str]]:
    """What assertions read: the names on the way to an attribute, and the attribute."""
    for check in checks:
        tree = parsed_expression(check.subject) if check.relation not in ABOUT_CALLS else None
        while isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and len(tree.args) == 1:
            if isinstance(tree.args[0], ast.Starred) or tree.func.id[:1].isupper():
                break
            tree = tree.args[0]  # `len(x.items)`
        if isinstance(tree, ast.Attribute):
            yield _names_to(tree.value), tree.attr


def _names_to(tree: ast.expr) -> str:
    """`Cart.load` of `Cart([3]).load()`: the names, without what is handed over."""
    if isinstance(tree, ast.Attribute):
        return f"{_names_to(tree.value)}.{tree.attr}"
    if isinstance(tree, ast.Call):
        return _names_to(tree.func)
    return tree.id if isinstance(tree, ast.Name) else ""


def answered_by_own(checks: Iterable[Check], methods: Methods) -> frozenset[str]:
    """Names of methods and properties that assertions ask of objects of the file's own classes, which answer them."""
    found: set[str] = set()
    for check in checks if methods else ():
        tree = parsed_expression(check.subject) if check.relation not in ABOUT_CALLS else None
        for node in walk(tree) if tree is not None else ():
            match node:
                case ast.Attribute(value=ast.Call(func=ast.Name(id=name)), attr=asked):
                    if asked in methods.get(name, ()):
                        found.add(asked)
    return frozenset(found)


def methods_of(classes: Iterable[ast.AST]) -> dict[str, frozenset[str]]:
    """What each class that is derived from another one answers itself."""
    return {each.name: frozenset(_answers(each)) for each in classes if isinstance(each, ast.ClassDef) and each.bases}


def _answers(tree: ast.ClassDef) -> Iterator[str]:
    for each in tree.body:
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not _passes_on(each):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.Lambda()):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant() | ast.Lambda()):
                yield name


def _passes_on(tree: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if any(
        source_of(each) not in ("property", "staticmethod", "classmethod", "override") for each in tree.decorator_list
    ):
        return True
    asked = {part.attr for part in walk(tree) if isinstance(part, ast.Attribute)}
    names = {part.id for part in walk(tree) if isinstance(part, ast.Name)}
    return "super" in names or tree.name in asked
