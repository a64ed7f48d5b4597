"""What a file of Python loads, as far as its text tells (class G05: expected values).

Imports count wherever they stand, and so does each text that may name a module, which something may import. Nobody can
tell what a file loads that imports or runs what it works out, starts programs, or is written for a framework that finds
code by itself; nor what a test notices that looks through the source, or asks a running server.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.modules import Modules, modules_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

MAX_BYTES = 1_000_000
"""A larger file is data in the form of code."""
IMPORTERS = later(r"import_module|__import__|importorskip|import_string|import_from_string|import_object")
"""Functions that import what they are told."""
RUNS = later(
    r"exec_module|run_path|run_module|spec_from_file_location|load_source|SourceFileLoader|load_module|locate|resolve_name"
    r"|entry_points|iter_entry_points|load_entry_point|load_setuptools_entrypoints|autodiscover_tasks|extend_path"
    r"|meta_path|path_hooks"
)
"""What loads code of which no import tells."""
EVALUATE = frozenset({"exec", "eval", "execfile"})
LOADERS = later(
    r"django|celery|kombu|scrapy|airflow|hydra|pyramid|venusian|connexion|stevedore|kedro|dagster|prefect|luigi|odoo|frappe"
    r"|behave|pytest_bdd|robot|lazy_loader|lazy_import|apipkg|dynaconf|alembic|nox|invoke|fabric|sphinx|zope|wagtail"
    r"|rest_framework|pyximport|homeassistant|locust|gunicorn"
)
"""Libraries that find a project's code by its place, or by what its data say."""
STARTS = later(
    rb"\bsubprocess\b|\bos\s*\.\s*(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*|fork)\b|\bpexpect\b|\bcreate_subprocess_"
    rb"|\bpty\s*\.\s*spawn\b|\bsys\s*\.\s*executable\b"
)
ITSELF = later(rb"\bsys\s*\.\s*executable\b|[\"'\s/]python[\d.]*[\"'\s]")
"""It starts Python: perhaps the project's own."""
REMOTE = later(
    r"requests|httpx|aiohttp|urllib3|websockets?|selenium|playwright|splinter|helium|grpc|paramiko|docker|testcontainers"
    r"|redis|psycopg2?|pymysql|pymongo|kafka|pika|zmq|telnetlib|ftplib|xmlrpc|pexpect|sh|plumbum"
)
"""With these a test may ask a program that runs elsewhere."""
SERVED = later(rb"\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\bsocket\b|\burlopen\b|\bhttp\.client\b")
LISTS = later(rb"\b(?:glob|rglob|iglob|walk|listdir|scandir|iterdir|getsource\w*|linecache)\s*\(")
SOURCE = later(rb"\b__file__\b|\.py[\"']|\b(?:cwd|getcwd)\s*\(|\bimportlib\.resources\b")
RUNNERS = later(r"pytester|testdir|script_runner|xprocess|live_server|docker_\w+|page|browser|driver|notebook_\w*")
"""Fixtures that run something else."""
OPTIONAL = later(r"\b(?:ImportError|ModuleNotFoundError|Exception)\b")


def loads(path: str, paths: Paths) -> frozenset[str] | None:
    """The files of the tree that a file names; None where it may load more."""
    memo = paths.memo.setdefault("python loads", {})
    assert isinstance(memo, dict)
    if path not in memo:
        memo[path] = _loads(path, paths)
    found: frozenset[str] | None = memo[path]
    return found


def _loads(path: str, paths: Paths) -> frozenset[str] | None:
    data = paths.read(path)
    if data is None or len(data) > MAX_BYTES or _reaches_out(path, data):
        return None
    tree = parsed_module(data)
    if tree is None:
        return None
    return Loading(path, tree, modules_of(paths)).files()


def _reaches_out(path: str, data: bytes) -> bool:
    if not _is_of_tests(path):
        return STARTS.search(data) is not None and ITSELF.search(data) is not None
    looked = LISTS.search(data) is not None and SOURCE.search(data) is not None
    return looked or STARTS.search(data) is not None or SERVED.search(data) is not None


def _is_of_tests(path: str) -> bool:
    return is_test_file(path) or is_support(path)


class Loading:
    """One file."""

    def __init__(self, path: str, tree: ast.Module, modules: Modules) -> None:
        self._path = path
        self._nodes = walk(tree)
        self._modules = modules
        self._of_tests = _is_of_tests(path)

    def files(self) -> frozenset[str] | None:
        found: set[str] = set()
        optional = self._optional()
        for node in self._nodes:
            named = self._named(node)
            if named is None:
                if id(node) not in optional:
                    return None
                continue
            found |= named
        return frozenset(found)

    def _named(self, node: ast.AST) -> frozenset[str] | None:
        match node:
            case ast.Import(names=names):
                return _together(self._module(each.name, ()) for each in names)
            case ast.ImportFrom(module=module, level=level, names=names):
                members = [each.name for each in names if each.name != "*"]
                if level:
                    return self._modules.relative(self._path, level, module or "", members)
                return self._module(module or "", members)
            case ast.Constant(value=str() as text):
                return self._modules.mentioned(self._path, text) | self._beside(text)
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) if self._of_tests:
                return None if any(RUNNERS.fullmatch(each.arg) for each in args.args) else frozenset()
            case ast.Assign(targets=[ast.Name(id="pytest_plugins" | "__path__")], value=value):
                return frozenset() if _is_written_out(value) else None
            case ast.Call(func=func) if IMPORTERS.fullmatch(_name(func)):
                return self._imported(node)
            case ast.Name(id=name) if name in EVALUATE:
                return None
            case ast.Name() | ast.Attribute() if RUNS.fullmatch(_name(node)):
                return None
        return frozenset()

    def _module(self, name: str, members: list[str] | tuple[str, ...]) -> frozenset[str] | None:
        found = self._modules.absolute(self._path, name, members)
        top = name.partition(".")[0]
        if not found and (LOADERS.fullmatch(top) or (self._of_tests and REMOTE.fullmatch(top))):
            return None
        return None if any(map(RUNS.fullmatch, members)) else found

    def _imported(self, call: ast.Call) -> frozenset[str] | None:
        """What a call imports: what a text says, or anything below where only its beginning is known."""
        told = call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "name"), None)
        known, prefix = _beginning(told)
        if not known:
            return self._modules.below(self._path, prefix) if prefix is not None else None
        name = prefix or ""
        if not name.startswith("."):
            return self._module(name.partition(":")[0], ()) if name else None
        level = len(name) - len(name.lstrip("."))
        return self._modules.relative(self._path, level, name.lstrip("."), ())

    def _beside(self, text: str) -> frozenset[str]:
        """A module of the same folder that a package or a test names by one word."""
        if not text.isidentifier() or not (self._of_tests or self._path.endswith("/__init__.py")):
            return frozenset()
        return self._modules.relative(self._path, 1, text, ()) or frozenset()

    def _optional(self) -> frozenset[int]:
        """Imports that may fail, or that only a type checker reads."""
        found: set[int] = set()
        for node in self._nodes:
            match node:
                case ast.Try(body=body, handlers=handlers) if any(_expects(each) for each in handlers):
                    found.update(id(part) for each in body for part in walk(each) if _is_import(part))
                case ast.If(test=test, body=body) if _name(test) == "TYPE_CHECKING":
                    found.update(id(part) for each in body for part in walk(each) if _is_import(part))
        return frozenset(found)


def _beginning(told: ast.expr | None) -> tuple[bool, str | None]:
    """Whether a text is known as a whole, and how it begins, if that is a package."""
    match told:
        case ast.Constant(value=str() as text):
            return True, text
        case ast.JoinedStr(values=[first, *_]):
            begins = _start(first)
        case ast.BinOp(left=left, op=ast.Add()):
            begins = _start(left)
        case _:
            return False, None
    return False, begins if begins.endswith(".") else None


def _start(part: ast.expr) -> str:
    """`__name__ + "."` is where the file itself stands."""
    match part:
        case ast.Constant(value=str() as text):
            return text
        case ast.BinOp(left=ast.Name(id="__name__" | "__package__"), right=ast.Constant(value=str() as text)):
            return text
    return ""


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


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)
