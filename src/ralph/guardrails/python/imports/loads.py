"""What a file of Python loads, as far as its text tells (class G05: expected values).

Imports count wherever they stand, and so does each text that may name a module, which something may import. Nobody can
tell what a file loads that imports or runs what it works out, or is written for a framework that finds code by itself;
nor what a test notices that starts programs (`programs`) or looks through the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.python.imports import programs
from ralph.guardrails.python.imports.modules import Modules, modules_of
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.record import record
from ralph.system.patterns import later

MAX_BYTES = 1_000_000
"""A larger file is data in the form of code."""
IMPORTERS = later(
    r"import_module|__import__|importorskip|import_(?:from_)?(?:string|path)|import_(?:object|class|attr|name|dotted\w*)"
    r"|load_(?:extension|plugins?|object|class)|symbol_by_name"
)
"""Functions that import what they are told."""
RUNS = later(
    r"exec_module|run_path|run_module|spec_from_file_location|load_source|SourceFileLoader|load_module|resolve_name"
    r"|entry_points|iter_entry_points|load_entry_point|load_setuptools_entrypoints|autodiscover_tasks|extend_path"
    r"|meta_path|path_hooks"
)
"""What loads code of which no import tells."""
EXECUTE = frozenset({"exec", "execfile"})
TELLING = later(rf"\b(?:{IMPORTERS.pattern}|{RUNS.pattern}|exec|execfile|eval)\b".encode())
"""Without any of them only a few kinds of nodes say what a file loads."""
PLAIN = (ast.Import, ast.ImportFrom, ast.Constant, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign)
LOADERS = later(
    r"django|celery|scrapy|airflow|hydra|pyramid|venusian|connexion|stevedore|kedro|dagster|prefect|luigi|odoo|frappe"
    r"|behave|pytest_bdd|robot|lazy_loader|lazy_import|apipkg|dynaconf|alembic|nox|invoke|fabric|sphinx|wagtail"
    r"|rest_framework|pyximport|homeassistant|locust|gunicorn|plone|trytond|gluon|masonite|kivy"
)
"""Libraries that find a project's code by its place, or by what its data say."""
LISTS = later(rb"\b(?:glob|rglob|iglob|walk|listdir|scandir|iterdir)\s*\(")
SOURCE = later(rb"\b__file__\b|\.py[\"']|\b(?:cwd|getcwd)\s*\(|\bimportlib\.resources\b")
IN_TEXT = later(r"\b(?:__import__|import_module)\b|^\s*(?:import|from)\s+\w", re.MULTILINE)
OPTIONAL = later(r"\b(?:ImportError|ModuleNotFoundError|Exception)\b")


@record
class Loaded:
    """What is known of one file."""

    files: frozenset[str]
    """Those of the tree that it names."""
    asks: bool
    """It can ask a program that runs elsewhere."""
    addresses: bool
    """It is a test's, and says where such a program may be."""


def loads(path: str, paths: Paths) -> Loaded | None:
    """None where the file may load more than anybody can tell."""
    return paths.memo.once(("python loads", path), lambda: _loads(path, paths))


def _loads(path: str, paths: Paths) -> Loaded | None:
    data = paths.read(path)
    tree = parsed_module(data) if data is not None and len(data) <= MAX_BYTES else None
    return Loading(path, data or b"", tree, modules_of(paths)).loaded() if tree is not None else None


class Loading:
    """One file."""

    def __init__(self, path: str, data: bytes, tree: ast.Module, modules: Modules) -> None:
        self._path = path
        self._data = data
        self._nodes = walk(tree)
        self._modules = modules
        self._of_tests = is_test_file(path) or is_support(path)

    def loaded(self) -> Loaded | None:
        if self._runs_more():
            return None
        found: set[str] = set()
        told = TELLING.search(self._data) is not None
        for node in self._nodes if told else (each for each in self._nodes if isinstance(each, PLAIN)):
            named = self._named(node)
            if named is not None:
                found |= named
            elif id(node) not in self._optional:
                return None
        asks = bool(self._clients) or programs.ASKS.search(self._data) is not None
        return Loaded(frozenset(found), asks, self._of_tests and programs.ADDRESSES.search(self._data) is not None)

    def _runs_more(self) -> bool:
        if not self._of_tests:
            return programs.starts_own(self._nodes, self._data, self._modules.own_names)
        if self._clients and programs.ANSWERED.search(self._data) is None:
            return True
        looked = LISTS.search(self._data) is not None and SOURCE.search(self._data) is not None
        return looked or programs.starts_unknown(self._nodes, self._data)

    @cached_property
    def _clients(self) -> list[str]:
        """The libraries by which it can ask, but for those that the tree is about."""
        named = {each.name for node in self._nodes if isinstance(node, ast.Import) for each in node.names}
        named |= {node.module or "" for node in self._nodes if isinstance(node, ast.ImportFrom) and not node.level}
        tops = {name.partition(".")[0] for name in named}
        return [top for top in tops if programs.CLIENTS.fullmatch(top) and not self._modules.absolute(self._path, top)]

    def _named(self, node: ast.AST) -> frozenset[str] | None:
        match node:
            case ast.Import(names=names):
                return _together(self._module(each.name, ()) for each in names)
            case ast.ImportFrom():
                return self._taken(node)
            case ast.Constant(value=str() as text):
                return self._modules.mentioned(self._path, text) | self._beside(text)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if self._of_tests:
                return None if programs.runs_something(node) else frozenset()
            case ast.Assign(targets=[ast.Name(id="pytest_plugins" | "__path__")], value=value):
                return frozenset() if _is_written_out(value) else None
            case ast.Call(func=func):
                return self._called(node, _name(func))
            case ast.Name() | ast.Attribute() if RUNS.fullmatch(_name(node)) or self._is_handed_on(node):
                return None
        return frozenset()

    def _taken(self, node: ast.ImportFrom) -> frozenset[str] | None:
        if any(each.asname and IMPORTERS.fullmatch(each.name) for each in node.names):
            return None
        members = [each.name for each in node.names if each.name != "*"]
        if node.level:
            return self._modules.relative(self._path, node.level, node.module or "", members)
        return self._module(node.module or "", members)

    def _is_handed_on(self, node: ast.AST) -> bool:
        """A function that imports is not called there, but given to something."""
        return IMPORTERS.fullmatch(_name(node)) is not None and id(node) not in self._asked

    @cached_property
    def _asked(self) -> frozenset[int]:
        return frozenset(id(node.func) for node in self._nodes if isinstance(node, ast.Call))

    def _called(self, call: ast.Call, name: str) -> frozenset[str] | None:
        if IMPORTERS.fullmatch(name):
            return self._imported(call)
        runs = name in EXECUTE and isinstance(call.func, ast.Name)
        if name == "eval":
            runs = any(isinstance(each, ast.Constant) and _imports(each) for each in self._nodes)
        return None if runs else frozenset()

    def _module(self, name: str, members: list[str] | tuple[str, ...]) -> frozenset[str] | None:
        found = self._modules.absolute(self._path, name, members)
        if not found and LOADERS.fullmatch(name.partition(".")[0]):
            return None
        return None if any(map(RUNS.fullmatch, members)) else found

    def _imported(self, call: ast.Call) -> frozenset[str] | None:
        """What a call imports: what a text says, or all whose names begin as the text does that is worked out."""
        told = call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "name"), None)
        texts = [*self._values(told.id)] if isinstance(told, ast.Name) else [told]
        return _together(self._imported_by(each) for each in texts) if texts else None

    def _imported_by(self, told: ast.expr | None) -> frozenset[str] | None:
        known, text = _beginning(told)
        if not known or not text.strip("."):
            return self._modules.beginning(self._path, text) if text else None
        if not text.startswith("."):
            return self._module(text.partition(":")[0], ())
        level = len(text) - len(text.lstrip("."))
        return self._modules.relative(self._path, level, text.lstrip("."), ())

    def _values(self, name: str) -> Iterator[ast.expr | None]:
        """What a name stands for in the file; for what a function is given, nobody can tell."""
        for node in self._nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=each)], value=value) if each == name:
                    yield value
                case ast.arg(arg=each) | ast.For(target=ast.Name(id=each)) if each == name:
                    yield None

    def _beside(self, text: str) -> frozenset[str]:
        """A module of the same folder that a package or a test names by one word."""
        if not text.isidentifier() or not (self._of_tests or self._path.endswith("/__init__.py")):
            return frozenset()
        return self._modules.relative(self._path, 1, text, ()) or frozenset()

    @cached_property
    def _optional(self) -> frozenset[int]:
        """Imports that may fail, or that only a type checker reads."""
        found: set[int] = set()
        for node in self._nodes:
            match node:
                case ast.Try(body=body, handlers=handlers) if any(map(_expects, handlers)):
                    found.update(id(part) for each in body for part in walk(each) if _is_import(part))
                case ast.If(test=test, body=body) if _name(test) == "TYPE_CHECKING":
                    found.update(id(part) for each in body for part in walk(each) if _is_import(part))
        return frozenset(found)


def _beginning(told: ast.expr | None) -> tuple[bool, str]:
    """Whether a text is known as a whole, and how it begins; `__name__` and a dot is where the file itself stands."""
    match told:
        case ast.Constant(value=str() as text):
            return True, text
        case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id="__name__" | "__package__")), *more]):
            return False, _beginning(more[0])[1] if more else ""
        case ast.JoinedStr(values=[first, *_]) | ast.BinOp(left=first, op=ast.Add()):
            return False, _beginning(first)[1]
    return False, ""


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _together(parts: Iterator[frozenset[str] | None]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for each in parts:
        if each is None:
            return None
        found |= each
    return found


def _is_written_out(value: ast.expr) -> bool:
    return all(isinstance(each, ast.Constant | ast.List | ast.Tuple) for each in walk(value))


def _expects(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or OPTIONAL.search(ast.unparse(handler.type)) is not None


def _imports(text: ast.Constant) -> bool:
    return isinstance(text.value, str) and IN_TEXT.search(text.value) is not None


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)
