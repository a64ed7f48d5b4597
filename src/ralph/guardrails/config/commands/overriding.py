"""Options of a command that take the place of what a configuration file says: `--cov-fail-under=0` where it says 90.

An option that a command did not have is compared with what the file said that held without it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.tool import Unit

Units = Callable[[str], Mapping[str, Unit]]
"""The configurations of a tool, by the directories they hold in."""

FLOOR = ("coverage", ("report", "fail_under"))
PLACES: Mapping[str, Mapping[Key, tuple[str, Key]]] = {
    "pytest": {("cov-fail-under",): FLOOR, ("timeout",): ("pytest", ("timeout",))},
    "coverage": {("fail-under",): FLOOR},
    "vitest": {(f"coverage-thresholds-{name}",): ("vitest", ("coverage", "thresholds", name)) for name in METRICS},
    **{name: {(metric,): (name, (metric,)) for metric in METRICS} for name in ("nyc", "c8")},
    "jest": {("coverageThreshold",): ("jest", ("coverageThreshold",))},
    "ruff": {("select",): ("ruff", ("lint", "select"))},
    "flake8": {
        ("select",): ("flake8", ("select",)),
        ("max-complexity",): ("flake8", ("max-complexity",)),
    },
    "pylint": {("fail-under",): ("pylint", ("fail-under",))},
}
"""By program: an option, and the tool and the setting whose place it takes."""


def unconfigured(_tool: str) -> Mapping[str, Unit]:
    """No configuration is known."""
    return {}


def overridden(program: str, given: Settings, place: Node, units: Units) -> Settings:
    """What the configuration above `place` says for the options that are given, as if a command had said it."""
    found: dict[Key, Node] = {}
    for key, (tool, setting) in PLACES.get(program, {}).items():
        node = _setting(nearest(units(tool), posixpath.dirname(place.path)), setting) if key in given else None
        if node is not None:
            found[key] = node
    return found


def usual_places(place: Node, units: Units) -> list[str]:
    """Where pytest looks for tests if nothing is named."""
    node = _setting(nearest(units("pytest's tests"), posixpath.dirname(place.path)), ("testpaths",))
    return [canonical(item) for item in node.items] if node is not None else []


def nearest(units: Mapping[str, Unit], directory: str) -> Settings:
    """The configuration that holds in a directory."""
    while directory and directory not in units:
        directory = posixpath.dirname(directory)
    return units[directory].settings if directory in units else {}


def _setting(settings: Settings, key: Key) -> Node | None:
    """The setting; a table of settings as one node."""
    if key in settings:
        return settings[key]
    below = {found[len(key) :]: node for found, node in settings.items() if found[: len(key)] == key}
    if not below:
        return None
    first = next(iter(below.values()))
    table: dict[str, Node] = {}
    for path, node in below.items():
        inner = table
        for name in path[:-1]:
            inner = inner.setdefault(name, first.with_value({})).mapping
        inner[path[-1]] = node
    return first.with_value(table)
