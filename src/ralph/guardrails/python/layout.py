"""Which Python files pytest and unittest collect tests from.

The files are those of the default patterns, of Django, and of `python_files`, wherever pytest reads its settings from;
with `testpaths`, those below it. A project that says neither is searched from its root, but for pytest's exceptions.
What the root says holds for what is started there: a project in a folder of its own is searched as it says itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import partial
from pathlib import PurePosixPath

from ralph.guardrails.inventory.readers import CALLED_TEST, Paths
from ralph.system.patterns import later

TEST_FILE = later(
    r"(?i)(?:^|/)(?:tests?|test_[^/]*|[^/]*_tests?|test(?-i:[A-Z])[^/]*)\.py$|^test[^/]*\.py$"
    r"|(?:^|/)(?:tests?|testing)/(?:[^/]+/)*test[^/]*\.py$"
)
"""`testclient.py` and `testing.py` are a product's own, but at the root and in folders of tests."""
STEPS = later(
    r"(?:^|/)(?:features|bdd|acceptance)/(?:[^/]+/)*(?:steps/(?:[^/]+/)*[^/]+|[^/]*steps?|environment)\.py$"
    r"|(?:^|/)steps/(?:[^/]*steps?[^/]*|[^/]*_step)\.py$"
)
"""What behave and its like run for the sentences of a feature, and around them."""
FOUND_BY_UNITTEST = later(r"(?:^|/)test(?:s_|(?!_|s?\.py$|s_))(?![^/]*_tests?\.py$)[^/]*\.py$")
"""`testcalc.py`, `tests_calc.py`: pytest wants `test_` before or `_test` behind."""
OF_NO_RUNNER = later(r"(?:^|/)(?!test)[^/]*_tests\.py$")
"""`calc_tests.py`: no runner takes it by itself; where that is a project's habit, something tells one to."""
MAY_TELL = later(
    r"(?:^|/)(?:[^/]+\.(?:toml|cfg|ini|ya?ml|sh|mk|json)|(?:GNU)?[Mm]akefile|[Jj]ustfile|Jenkinsfile|(?:nox|conf)[^/]+\.py)$"
)
NEVER = later(r"(?:^|/)(?:\.[^/]+|build|dist|node_modules|venv|CVS|_darcs|\{arch\}|[^/]+\.egg|__pycache__)/")
SETTINGS = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))
OF_A_PROJECT = ("pyproject.toml", "setup.py", *(name for name, _ in SETTINGS))
Settings = dict[str, tuple[str, ...]]


def is_test_file(path: str) -> bool:
    """By its name alone. A conftest and other helpers stand beside tests; steps of features are such."""
    named = TEST_FILE.search(path) is not None or STEPS.search(path) is not None
    return named or path.rpartition("/")[2] == "conftest.py"


def collected_by(path: str, paths: Paths) -> str:
    """Empty if tests in this file are run; why not, else."""
    settings = paths.memo.once("pytest", lambda: _settings(paths))
    name = path.rpartition("/")[2]
    patterns = settings.get("python_files", ())
    if name == "conftest.py" or not path.endswith(".py"):
        return "its file is not collected"
    if not (
        TEST_FILE.search(path) or CALLED_TEST.search(path) or any(_fits(path, name, pattern) for pattern in patterns)
    ):
        return "its file is not collected under this name"
    if FOUND_BY_UNITTEST.search(path) and not any(_fits(path, name, pattern) for pattern in patterns):
        said = paths.read(path) or b""
        if b"TestCase" not in said and b"load_tests" not in said:
            return "its file is not collected under this name"
    if NEVER.search(path):
        return "its file is in a folder that is never collected"
    if not (_is_held(path, settings) or _is_held_by_own(path, paths)):
        return "its file is outside of the folders that are collected"
    return ""


def is_lost_by_name(old: str, new: str, paths: Paths) -> bool:
    """Tests that were found by the name of their file go to one that nothing takes, nor tells a runner of."""
    if not OF_NO_RUNNER.search(new) or OF_NO_RUNNER.search(old) or collected_by(old, paths):
        return False
    patterns = paths.memo.once("pytest", lambda: _settings(paths)).get("python_files", ())
    return not any(_fits(new, new.rpartition("/")[2], pattern) for pattern in patterns) and not _is_told(new, paths)


def _is_told(path: str, paths: Paths) -> bool:
    """Something that runs or configures tests names it, or all that end so."""
    names = (b"_tests.py", PurePosixPath(path).stem.encode())
    texts = (paths.read(each) or b"" for each in paths.all() if MAY_TELL.search(each))
    return any(name in text for text in texts for name in names)


def _is_held(path: str, settings: Settings) -> bool:
    roots = settings.get("testpaths", ())
    return not roots or any(_below(path, root) for root in roots)


def _is_held_by_own(path: str, paths: Paths) -> bool:
    """A folder above it, but for the root, is a project of its own, which holds it."""
    for folder in map(str, PurePosixPath(path).parents):
        if folder != "." and not paths.all().isdisjoint(f"{folder}/{name}" for name in OF_A_PROJECT):
            settings = paths.memo.once(("pytest", folder), partial(_settings, paths, f"{folder}/"))
            return _is_held(path.removeprefix(f"{folder}/"), settings)
    return False


def _fits(path: str, name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or ("/" in pattern and fnmatchcase(path, f"*{pattern}"))


def _below(path: str, root: str) -> bool:
    folder = root.strip("./").rstrip("/")
    return not folder or path == folder or fnmatchcase(path, f"{folder}/*")


def _settings(paths: Paths, folder: str = "") -> Settings:
    """`testpaths` and `python_files` of the file that pytest takes: the first that has a section for it."""
    for name, section in SETTINGS[:2]:
        if (found := _from_ini(paths.read(folder + name), section)) is not None:
            return found
    if (found := _from_toml(paths.read(f"{folder}pyproject.toml"))) is not None:
        return found
    for name, section in SETTINGS[2:]:
        if (found := _from_ini(paths.read(folder + name), section)) is not None:
            return found
    return {}


def _from_ini(data: bytes | None, section: str) -> Settings | None:
    if data is None:
        return None
    import configparser

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(data.decode("utf-8", "replace"))
    except configparser.Error:
        return None
    if not parser.has_section(section):
        return None
    return {key: tuple(parser.get(section, key, fallback="").split()) for key in ("testpaths", "python_files")}


def _from_toml(data: bytes | None) -> Settings | None:
    if data is None:
        return None
    import tomllib

    try:
        table = tomllib.loads(data.decode("utf-8", "replace")).get("tool", {}).get("pytest", {})
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    options = table.get("ini_options", table) if isinstance(table, dict) else None
    if not isinstance(options, dict) or not options:
        return None
    return {key: tuple(_listed(options.get(key, ()))) for key in ("testpaths", "python_files")}


def _listed(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return value.split()
    return [str(PurePosixPath(str(each))) for each in value] if isinstance(value, list) else []
