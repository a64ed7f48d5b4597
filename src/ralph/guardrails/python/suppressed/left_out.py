"""Python files that a tool was told at the base to leave alone (policy set v2, classes G01, G11).

Rule: the configuration of the nearest folder above says so, in its list of what is left out: ruff's or flake8's for
`noqa`, mypy's (also by `ignore_errors` for the modules of a package), coverage.py's. Of other tools nothing is known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

from ralph.guardrails.config.lattice import truth, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.guardrails.config.tools.mypy import MYPY
from ralph.guardrails.config.tools.python import COVERAGE
from ralph.guardrails.config.tools.ruff import FLAKE8, RUFF
from ralph.guardrails.model import Change

LISTS: dict[str, tuple[Key, ...]] = {
    "ruff": (("exclude",), ("extend-exclude",), ("lint", "exclude")),
    "flake8": (("exclude",), ("extend-exclude",)),
    "mypy": (("exclude",),),
    "coverage": (("run", "omit"), ("report", "omit")),
}
BY_NAME = {tool.name: tool for tool in (RUFF, FLAKE8, MYPY, COVERAGE)}
TOOLS = {
    "py.noqa": (RUFF, FLAKE8),
    "py.noqa-file": (RUFF, FLAKE8),
    "py.noqa-range": (RUFF, FLAKE8),
    "py.type-ignore": (MYPY,),
    "py.type-ignore-file": (MYPY,),
    "py.mypy-file": (MYPY,),
    "py.no-cover": (COVERAGE,),
}


class LeftOut:
    """What the base's configuration left out, read once for all files."""

    def __init__(self, change: Change) -> None:
        side = Side(change.blobs.before, change.blobs.paths_before())
        self._units = cache(lambda name: BY_NAME[name].find_units(side))

    def holds(self, rule: str, path: str) -> bool:
        """The file is left out by each of the tools that have a configuration."""
        found = [(tool, unit.settings) for tool in TOOLS.get(rule, ()) if (unit := self._unit(tool, path)) is not None]
        return bool(found) and all(_leaves_out(tool, settings, path) for tool, settings in found)

    def _unit(self, tool: Tool, path: str) -> Unit | None:
        units = self._units(tool.name)
        folder = posixpath.dirname(path)
        while folder and folder not in units:
            folder = posixpath.dirname(folder)
        return units.get(folder)


def _leaves_out(tool: Tool, settings: Settings, path: str) -> bool:
    listed = (canonical(item) for key in LISTS[tool.name] for item in words(settings.get(key)))
    if any(covers(pattern, path, regex=tool is MYPY) for pattern in listed):
        return True
    return tool is MYPY and is_silent(settings, path)


def is_silent(settings: Settings, path: str) -> bool:
    """mypy tells no errors of this file's module, or of none for which it is not told otherwise."""
    said = list(_of_module(settings, path, "ignore_errors"))
    if not said:
        return truth(settings.get(("ignore_errors",)), default=False) is True
    return any(truth(node, default=False) for node in said)


def codes_off(settings: Settings, path: str) -> frozenset[str]:
    """The kinds of errors that mypy does not tell of in this file's module."""
    return frozenset(
        canonical(word) for node in _of_module(settings, path, "disable_error_code") for word in words(node)
    )


def _of_module(settings: Settings, path: str, option: str) -> Iterator[Node]:
    """What the overrides say for a module; `a.*` holds what is in the package."""
    for key, node in settings.items():
        if key[:1] != ("overrides",) or key[-1] != option:
            continue
        if fnmatchcase(f".{_module(path)}", f"*.{'.'.join(key[1:-1])}"):
            yield node


def _module(path: str) -> str:
    return posixpath.splitext(path)[0].replace("/", ".").removesuffix(".__init__")
