"""Files that Python or the test runner takes up by their name alone (policy set v2, class G08).

Rules:

- `sitecustomize.py`, `usercustomize.py` and a `.pth` file with an import run at every start of Python: they block. A
  start of coverage's measurement, and a `.pth` file that only adds paths, are for a person.
- A new module named like the test runner or one of its parts stands in its place wherever its folder is on the path;
  one named like a module of the standard library, or like a package that the project depends on, hides that. So does
  one named like a well known library that code of the base imports.
- A new module beside the tests that has the place and the functions of a module of the product stands in front of it:
  the folder of tests comes first on the path, unless it is a package that nothing puts there.
- A hook that is gone from a conftest is shown, and so is a plugin that the project's metadata gives to the runner.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.layout import is_test_file
from ralph.system.patterns import later

STARTUP = later(r"(?:^|/)(?:sitecustomize|usercustomize)(?:/__init__)?\.py$")
MEASURES = later(rb"\s*(?:(?:import coverage|coverage\.process_startup\(\)|try:|except ImportError:|pass|#.*+)\s*)+")
RUNS_CODE = later(rb"^import[ \t]")
RUNNER = frozenset({"pytest", "_pytest", "pluggy", "iniconfig", "unittest"})
TOOLS = frozenset(
    {
        "coverage",
        "hypothesis",
        "nose",
        "nose2",
        "xdist",
        "doctest",
        "mock",
        "pytest_cov",
        "pytest_mock",
        "pytest_asyncio",
        "py",
        "mypy",
        "ruff",
        "flake8",
        "pylint",
        "pycodestyle",
        "pyflakes",
        "pyright",
        "tox",
        "nox",
    }
)
WELL_KNOWN = (
    "PIL aiohttp anthropic attr attrs bcrypt boto3 botocore bs4 celery certifi cffi chardet click confluent_kafka"
    " cryptography cv2 dateutil django docker dotenv fastapi flask freezegun git github google graphql grpc gunicorn"
    " h5py httpx jinja2 joblib jsonschema jwt kafka kubernetes loguru lxml markdown markupsafe marshmallow"
    " matplotlib mongoengine msgpack networkx nltk numpy openai openpyxl orjson pandas paramiko passlib peewee pika"
    " polars prometheus_client psutil psycopg psycopg2 pyarrow pydantic pygments pymongo pymysql pytz rapidjson"
    " redis regex requests rich scipy seaborn sentry_sdk serial shapely simplejson six sklearn spacy sqlalchemy"
    " starlette stripe structlog sympy tabulate tenacity tensorflow toml tomli torch tornado tqdm transformers"
    " twilio typer ujson urllib3 uvicorn websockets werkzeug yaml zmq"
)
LIBRARIES = frozenset(WELL_KNOWN.split())
"""Names under which widely used libraries are imported, which their packages often do not have."""
MOST_READ = 300
ROOTS = frozenset({"", "src", "tests", "test", "lib", "python"})
HOOK = later(
    rb"^[ \t]*(?:async[ \t]+)?def[ \t]+(pytest_[a-z]\w*)|^(pytest_(?!plugins\b)[a-z]\w*)[ \t]*=(?!=)", re.MULTILINE
)
PLUGINS = later(rb"pytest11")
BESIDE_TESTS = later(r"(?P<root>(?:.*/)?(?:tests?|testing))/(?P<inner>.+\.py)")
DEFINES = later(rb"(?m)^(?:async[ \t]+def|def|class)[ \t]+([A-Za-z]\w*)")
SYS_PATH = later(rb"sys\.path\.(?:insert|append)|\bpythonpath\b|PYTHONPATH|syspath_prepend")
METADATA = later(r"(?:^|/)(?:pyproject\.toml|setup\.(?:cfg|py)|entry_points\.txt)$")


def runner_files(change: Change) -> Iterable[Hit]:
    for file in change.files:
        if file.new_mode[:3] == "100":
            yield from _started(change, file)
            yield from _shadowing(change, file)
            yield from _double(change, file)
            yield from _plugin(file)
    yield from _hooks_gone(change)


def _started(change: Change, file: FileChange) -> Iterator[Hit]:
    if STARTUP.search(file.path):
        usual = MEASURES.fullmatch(change.blobs.after(file.path) or b"") is not None
        yield _hit("py.startup-file-usual" if usual else "py.startup-file", file, "runs at every start of Python")
    elif file.path.endswith(".pth") and not file.binary:
        lines = [(number, line) for number, line in file.added() if line.strip() and not line.startswith(b"#")]
        code = [(number, line) for number, line in lines if RUNS_CODE.match(line)]
        if code:
            yield _hit("py.startup-file", file, "", *code[0])
        elif lines and not lines[0][1].startswith(b"version https://git-lfs"):
            yield _hit("py.startup-file-usual", file, "", *lines[0])


def _shadowing(change: Change, file: FileChange) -> Iterator[Hit]:
    if file.status != "A" or not file.path.endswith((".py", ".pyi", ".so", ".pyd")):
        return
    folder, name = _module(file.path, change.blobs.paths_after())
    if not name or _was_there(folder, name, change):
        return
    on_path = folder.rpartition("/")[2] in ROOTS  # of a project below, too
    if name in RUNNER or (name in TOOLS and on_path):
        yield _hit("py.shadowed-runner", file, name)
    elif on_path and name in _dependencies(change):
        yield _hit("py.shadowed-runner", file, f"{name}, which the project depends on")
    elif on_path and file.path.endswith(".py") and _is_imported_library(name, change):
        yield _hit("py.shadowed-runner", file, f"{name}, which the project imports")
    elif folder in ROOTS and name in sys.stdlib_module_names:
        yield _hit("py.shadowed-library", file, name)


def _double(change: Change, file: FileChange) -> Iterator[Hit]:
    """`tests/geo/area.py` for `geo/area.py`, with functions of the same names."""
    match = BESIDE_TESTS.fullmatch(file.path)
    if file.status != "A" or match is None or is_test_file(file.path) or file.path.endswith("__init__.py"):
        return
    paths = change.blobs.paths_after()
    project = posixpath.dirname(match["root"])
    # Modules of a package have its name before theirs: what lies beside its tests stands in front of none.
    roots = ("",) if f"{project}/__init__.py" in paths else (project, "")
    own = [posixpath.join(root, place, match["inner"]) for root in roots for place in ("", "src", "lib", "python")]
    product = next((each for each in own if each in paths and each in change.blobs.paths_before()), None)
    if product is None or (f"{match['root']}/__init__.py" in paths and not _put_first(change)):
        return
    after = change.blobs.after(file.path) or b""
    same = sorted(set(DEFINES.findall(after)) & set(DEFINES.findall(change.blobs.after(product) or b"")))
    if same:
        line = next(number for number, text in file.added() if same[0] in text)
        yield _hit("test.subject-faked", file, f"it stands in front of {product}", line, b"def " + same[0])


def _put_first(change: Change) -> bool:
    """The change puts a folder on Python's path."""
    return any(SYS_PATH.search(line) for file in change.files for hunk in file.hunks for line in hunk.added)


def _module(path: str, paths: frozenset[str]) -> tuple[str, str]:
    """The folder that would be on Python's path, and the top module that the file is a part of."""
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem == "__init__" else pure.name.partition(".")[0]
    folder = pure.parent.parent if pure.stem == "__init__" else pure.parent
    while str(folder) != "." and f"{folder}/__init__.py" in paths:
        name, folder = folder.name, folder.parent
    return "" if str(folder) == "." else str(folder), name


def _was_there(folder: str, name: str, change: Change) -> bool:
    prefix = f"{folder}/{name}" if folder else name
    return any(path.startswith((f"{prefix}/", f"{prefix}.py")) for path in change.blobs.paths_before())


def _dependencies(change: Change) -> frozenset[str]:
    """The modules of the packages that the base's pyproject and requirements name, as far as they are called alike."""
    import tomllib

    found: set[str] = set()
    try:
        data = tomllib.loads((change.blobs.before("pyproject.toml") or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        data = {}
    project = data.get("project", {}) if isinstance(data.get("project"), dict) else {}
    listed = [
        project.get("dependencies"),
        *_values(project.get("optional-dependencies")),
        *_values(data.get("dependency-groups")),
    ]
    found.update(each for some in listed if isinstance(some, list) for each in some if isinstance(each, str))
    poetry = data.get("tool", {}).get("poetry", {}) if isinstance(data.get("tool"), dict) else {}
    if isinstance(poetry, dict) and isinstance(poetry.get("dependencies"), dict):
        found.update(poetry["dependencies"])
    for path in change.blobs.paths_before():
        if re.fullmatch(r"(?:requirements/)?[\w-]*requirements[\w-]*\.txt|requirements/\w+\.txt", path):
            found.update((change.blobs.before(path) or b"").decode("utf-8", "replace").splitlines())
    names = (re.match(r"[A-Za-z][\w.-]*", each) for each in found)
    return frozenset(match[0].lower().replace("-", "_") for match in names if match)


def _is_imported_library(name: str, change: Change) -> bool:
    """A library that everybody knows, which code of the base takes from elsewhere."""
    if name not in LIBRARIES:
        return False
    paths = change.blobs.paths_before()
    if any(path.endswith(f"/{name}.py") or f"/{name}/" in f"/{path}" for path in paths):
        return False
    form = re.compile(rb"^[ \t]*(?:import|from)[ \t]+%s\b" % re.escape(name.encode()), re.MULTILINE)
    sources = sorted(path for path in paths if path.endswith(".py"))[:MOST_READ]
    return any(form.search(change.blobs.before(path) or b"") for path in sources)


def _values(table: object) -> Iterable[object]:
    return table.values() if isinstance(table, dict) else ()


def _plugin(file: FileChange) -> Iterator[Hit]:
    if METADATA.search(file.path):
        removed = sum(len(PLUGINS.findall(line)) for hunk in file.hunks for line in hunk.removed)
        named = [(number, line) for number, line in file.added() if PLUGINS.search(line)]
        if len(named) > removed:
            yield _hit("py.runner-plugin", file, "", *named[0])


def _hooks_gone(change: Change) -> Iterator[Hit]:
    """Hooks of the base's conftest files that no Python file of the change has any more."""
    if not any(file.path.rpartition("/")[2] == "conftest.py" for file in change.files):
        return
    kept: Counter[bytes] = Counter()
    for file in change.files:
        if file.path.rpartition("/")[2] == "conftest.py" or (
            file.path.endswith(".py")
            and any(b"pytest_" in line for hunk in file.hunks for line in (*hunk.added, *hunk.removed))
        ):
            kept.update(_hooks(change.blobs.after(file.path)))
    for file in change.files:
        if file.path.rpartition("/")[2] == "conftest.py":
            for name in _hooks(change.blobs.before(file.path)):
                if kept[name]:
                    kept[name] -= 1
                else:
                    yield _hit("py.runner-hook", file, f"{name.decode()} is gone")


def _hooks(data: bytes | None) -> list[bytes]:
    return [match[1] or match[2] for match in HOOK.finditer(data or b"")]


def _hit(rule: str, file: FileChange, detail: str, line: int = 0, text: bytes = b"") -> Hit:
    snippet = text.decode("utf-8", "replace").strip() or file.path
    return Hit(
        rule=rule,
        path=file.path,
        line=line or min(1, file.lines_added),
        column=min(1, file.lines_added),
        key=f"{file.path} {detail} {snippet}",
        snippet=snippet,
        detail=detail or None,
    )
