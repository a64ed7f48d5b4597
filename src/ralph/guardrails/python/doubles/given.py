"""Fixtures and set-ups that gave tests the product and now give them a double (policy set v2, class G06).

Rules, for what a fixture returns or yields, and for what a set-up assigns to `self`:

- At the base it is made by calling something of the project; in the head it is a mock, a `SimpleNamespace` or an object
  of a class that the test file defines, or takes from a file of fakes.
- It blocks if a test compares an answer of a method that the double answers itself: of a mock, any; of a class or a
  namespace, what it defines without asking `super()`. A double of a collaborator, whose answers nobody compares, is
  none, nor is one that overrides something else.
- So does an object of the product of which the fixture newly answers such a method itself (`answered_for`).
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from itertools import chain

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.doubles.answered_for import answered_for
from ralph.guardrails.python.doubles.replaced import DOUBLE, FAKE_NAME, MODULE_MADE
from ralph.guardrails.python.layout import TEST_FILE, is_test_file
from ralph.guardrails.python.lending.scopes import SET_UPS, is_fixture
from ralph.guardrails.python.runner.fixtures import MOST_TESTS, is_own
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(
    rb"(?i)mock|fake|stub|dummy|SimpleNamespace|^\s*class\s+\w+|autospec|=\s*lambda|\bpatch|setattr\(|return_value|side_effect",
    re.MULTILINE,
)
HOLDS = later(rb"fixture|\bsetUp|\bsetup_")
ANY = r"\w+"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@record
class Given:
    """What a test gets under a name (`store`, `self.store`), and where that is written."""

    value: ast.expr
    line: int
    answered: frozenset[str]
    """Its methods that are answered where it is made."""


class Module:
    def __init__(self, tree: ast.Module) -> None:
        nodes = walk(tree)
        self.classes = {each.name: each for each in nodes if isinstance(each, ast.ClassDef)}
        self.origins = dict(chain.from_iterable(map(_origins, nodes)))
        functions = [each for each in nodes if isinstance(each, Function)]
        self.given = dict(chain.from_iterable(map(_given, functions)))
        self._nodes = nodes

    def product(self, value: ast.expr, paths: frozenset[str], place: str) -> bool:
        """It is made by something of the project."""
        if not isinstance(value, ast.Call):
            return False
        first = name_of(value).partition(".")[0]
        origin = self.origins.get(first, "")
        return first not in self.classes and (origin.startswith(".") or is_own(origin, paths, place))

    def answers(self, value: ast.expr) -> str:
        """A pattern of the methods that a double answers itself; empty for none."""
        if not isinstance(value, ast.Call):
            return ""
        name, keywords = name_of(value), {each.arg: each.value for each in value.keywords}
        last = name.rpartition(".")[2]
        if DOUBLE.search(name) and last not in self.classes:
            return "" if "wraps" in keywords else ANY
        if last in self.classes:
            return "|".join(_own_methods(self.classes[last]))
        if FAKE_NAME.match(last):
            return ANY
        if MODULE_MADE.search(name):
            return "|".join(key for key, given in keywords.items() if key and not isinstance(given, ast.Attribute))
        return ""


def replaced(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not is_test_file(file.path):
            continue
        if not any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            continue
        before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
        if HOLDS.search(before) and HOLDS.search(after):
            yield from _compared(file, change, before, after)


def _compared(file: FileChange, change: Change, before: bytes, after: bytes) -> Iterator[Hit]:
    old, new = _module(before), _module(after)
    if old is None or new is None:
        return
    paths = change.blobs.paths_after()
    for name, given in new.given.items():
        was = old.given.get(name)
        if was is None or not old.product(was.value, paths, file.path) or old.answers(was.value):
            continue
        methods = new.answers(given.value) or "|".join(sorted(map(re.escape, given.answered - was.answered)))
        asked = _asked(name, methods, file.path, after, change) if methods else None
        if asked:
            what = "its own answers" if given.answered else cut(source_of(given.value), 60)
            detail = f"{name} is {what}, and tests compare {asked}"
            line = after.split(b"\n")[given.line - 1].decode("utf-8", "replace").strip()
            yield hit_at("test.subject-faked", file.path, given.line, detail, line, key=f"{name} gives a double")


def _module(data: bytes) -> Module | None:
    tree = parsed_module(data)
    return Module(tree) if tree is not None else None


def _asked(name: str, methods: str, path: str, after: bytes, change: Change) -> str:
    """What of the double a test compares: `store.total(`; empty for nothing."""
    form = re.compile(
        rf"(?:\bassert\b[^\n]*|\bassert[A-Z]\w*\([^\n]*|^\s*\w+\s*=\s*(?:await\s+)?)\b({re.escape(name)}\.(?:{methods})\()",
        re.MULTILINE,
    )
    texts: Iterator[bytes | None] = iter((after,))
    if path.endswith("conftest.py"):
        folder = posixpath.dirname(path)
        inner = (each for each in change.blobs.paths_after() if _is_below(each, folder))
        below = nearest(inner, change, MOST_TESTS)
        texts = map(change.blobs.after, below)
    for data in texts:
        found = form.search((data or b"").decode("utf-8", "replace"))
        if found is not None:
            return f"{found[1]})"
    return ""


def _is_below(path: str, folder: str) -> bool:
    return TEST_FILE.search(path) is not None and (not folder or path.startswith(f"{folder}/"))


def _origins(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Imported names and the modules that they come from."""
    if isinstance(node, ast.Import):
        yield from ((each.asname or each.name.partition(".")[0], each.name) for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((each.asname or each.name, "." * node.level + (node.module or "")) for each in node.names)


def _given(function: Function) -> Iterator[tuple[str, Given]]:
    nodes = walk(function)
    values = dict(chain.from_iterable(map(_named, nodes)))
    if is_fixture(function):
        inner = {
            id(part) for each in nodes if isinstance(each, Function) and each is not function for part in walk(each)
        }
        for node in nodes:
            value = node.value if isinstance(node, ast.Return | ast.Yield) and id(node) not in inner else None
            if value is not None:
                at, own = value.lineno, source_of(value)
                if isinstance(value, ast.Name):
                    value = values.get(value.id, value)
                yield function.name, Given(value, at, answered_for(function, own, _maker(value)))
    elif function.name in SET_UPS:
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self" | "cls")) as target], value=value):
                    own = source_of(target)
                    yield f"self.{target.attr}", Given(value, node.lineno, answered_for(function, own, _maker(value)))


def _maker(value: ast.expr) -> str:
    return name_of(value) if isinstance(value, ast.Call) else ""


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if isinstance(item.optional_vars, ast.Name):
                    yield item.optional_vars.id, item.context_expr


def _own_methods(tree: ast.ClassDef) -> Iterator[str]:
    for each in tree.body:
        if isinstance(each, Function) and "super()" not in source_of(each):
            yield re.escape(each.name)
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            yield re.escape(each.targets[0].id)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (replaced,)
