"""How a Python project is measured: ruff or flake8, mypy or pyright, pytest, coverage; through uv where it is used."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from ralph.context.proposal import Proposal

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pytest.ini", "tox.ini")
COVERAGE_REPORT = "coverage.json"

Read = Callable[[str], bytes | None]


def applies(paths: frozenset[str]) -> bool:
    """A project file of Python at the root, or Python files there and no package.json."""
    if any(marker in paths for marker in MARKERS):
        return True
    return "package.json" not in paths and any(path.endswith(".py") for path in paths)


def propose(paths: frozenset[str], read: Read) -> Proposal:
    pyproject = _pyproject(read)
    words = _declared(paths, read)
    prefix = "uv run " if "uv.lock" in paths else "poetry run " if "poetry.lock" in paths else ""
    source, tests = _folders(paths)
    commands, tools, missing = {}, {}, {}
    lint = _first(_lint(pyproject, paths, words))
    types = _first(_types(pyproject, paths, words))
    for key, step, found, advice in (
        ("lint", "lint", lint, "neither ruff nor flake8 is configured or required"),
        ("typecheck", "typecheck", types, "neither mypy nor pyright is configured or required"),
    ):
        if found:
            commands[key] = prefix + found
            tools[f"{step}_tool"] = found.split()[0]
        else:
            missing[step] = advice
    if _uses_pytest(pyproject, paths, words):
        commands["test"] = f"{prefix}pytest"
        tools["test_framework"] = "pytest"
    else:
        missing["tests"] = "no tests for pytest were found"
    if "test" in commands and "pytest-cov" in words:
        measured = " ".join(f"--cov={folder.rstrip('/')}" for folder in source) or "--cov"
        commands["coverage"] = f"{prefix}pytest {measured} --cov-report=json"
    else:
        missing["coverage"] = "pytest-cov is not among the project's requirements"
    tools["package_manager"] = prefix.split()[0] if prefix else "pip"
    return Proposal(
        language="python",
        name=_text(pyproject.get("project", {}), "name"),
        commands=commands,
        tools=tools,
        source=source,
        tests=tests,
        coverage_report=COVERAGE_REPORT if "coverage" in commands else None,
        missing=missing,
    )


def _lint(pyproject: Mapping[str, Any], paths: frozenset[str], words: frozenset[str]) -> dict[str, bool]:
    tool = pyproject.get("tool", {})
    return {
        "ruff check .": "ruff" in tool or "ruff" in words or bool(paths & {"ruff.toml", ".ruff.toml"}),
        "flake8": "flake8" in words or ".flake8" in paths,
    }


def _types(pyproject: Mapping[str, Any], paths: frozenset[str], words: frozenset[str]) -> dict[str, bool]:
    tool = pyproject.get("tool", {})
    return {
        "mypy .": "mypy" in tool or "mypy" in words or bool(paths & {"mypy.ini", ".mypy.ini"}),
        "pyright": "pyright" in tool or "pyright" in words or "pyrightconfig.json" in paths,
    }


def _uses_pytest(pyproject: Mapping[str, Any], paths: frozenset[str], words: frozenset[str]) -> bool:
    configured = "pytest" in pyproject.get("tool", {}) or "pytest.ini" in paths or "pytest" in words
    return configured or any(re.search(r"(^|/)(test_[^/]*|[^/]*_test)\.py$", path) for path in paths)


def _first(candidates: Mapping[str, bool]) -> str | None:
    return next((command for command, present in candidates.items() if present), None)


def _folders(paths: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Source and test folders: `src/`, else the packages at the root; `tests/` or `test/`."""
    tests = tuple(f"{name}/" for name in ("tests", "test") if any(path.startswith(f"{name}/") for path in paths))
    if any(path.startswith("src/") and path.endswith(".py") for path in paths):
        return ("src/",), tests
    packages = sorted({path.split("/")[0] for path in paths if path.count("/") == 1 and path.endswith("/__init__.py")})
    return tuple(f"{name}/" for name in packages if f"{name}/" not in tests), tests


def _declared(paths: frozenset[str], read: Read) -> frozenset[str]:
    """Normalised names of the packages that the project's own files require, wherever they are named."""
    names = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Pipfile")
    listed = [path for path in paths if re.fullmatch(r"(requirements/)?[\w.-]*\.(txt|in)", path)]
    text = b"\n".join(read(path) or b"" for path in sorted({*names, *listed} & paths)).decode("utf-8", "replace")
    return frozenset(word.replace("_", "-").lower() for word in re.findall(r"[A-Za-z][A-Za-z0-9_-]+", text))


def _pyproject(read: Read) -> Mapping[str, Any]:
    try:
        return tomllib.loads((read("pyproject.toml") or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return {}


def _text(table: object, key: str) -> str | None:
    value = table.get(key) if isinstance(table, Mapping) else None
    return value if isinstance(value, str) else None
