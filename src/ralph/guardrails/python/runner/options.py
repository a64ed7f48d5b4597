"""Under which option of the command line a hook does something, and whether that option was there before the change.

An option that the change itself brings decides nothing: its default is what every run will get.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.claims import constant_value, source_of
from ralph.guardrails.python.runner.trees import code_of, conditions
from ralph.guardrails.python.trees import walk
from ralph.guardrails.python.words import enclosing
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

PLATFORM = later(r"\bsys\.platform\b|\bplatform\.\w+\(|\bversion_info\b|\bos\.name\b")
ASKED = later(
    r"get(?:option|value|ini)\(\s*(?:name=)?[\"']-{0,2}([\w-]+)[\"']|\boptions?\.(\w+)"
    r"|getattr\(\s*[\w.]*option,\s*[\"'](\w+)[\"']"
)
DECLARED = later(r"add(?:option|ini|_argument)\(\s*((?:[\"'][\w-]+[\"']\s*(?:,\s*)?)+)")
DESTINATION = later(r"\bdest\s*=\s*[\"']([\w-]+)[\"']")
PLATFORM_ONLY = "a platform"
RUNNERS_FILE = later(r"(?:^|/)(?:conftest|\w*plugin\w*)\.py$")
UNDER_OPTION = {
    "py.runner-collection": "py.runner-hook",
    "py.skip": "py.skip-condition",
    "py.xfail": "py.skip-condition",
}


def option_around(code: ast.AST, place: ast.AST) -> str | None:
    """The option that a place depends on, PLATFORM_ONLY, or None if it is reached without any of that."""
    found: str | None = None
    given = {
        target.id: source_of(node.value)
        for node in walk(code)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for condition in _around(code, place):
        if constant_value(condition) is not None:
            continue
        text = source_of(condition)
        text += "".join(
            f" {given[node.id]}" for node in walk(condition) if isinstance(node, ast.Name) and node.id in given
        )
        if asked := ASKED.search(text):
            return normal(next(filter(None, asked.groups())))
        if PLATFORM.search(text) and not re.search(r"\bor\b", text):
            found = PLATFORM_ONLY
    return found


def without_old_options(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with what a hook does under an option of the base turned into a matter for a person."""
    known = declared(change) if any(hit.rule in UNDER_OPTION for hit in hits) else frozenset()
    sources: dict[str, Source | None] = {}
    for hit in hits:
        if known and hit.rule in UNDER_OPTION and RUNNERS_FILE.search(hit.path):
            if hit.path not in sources:
                data = change.blobs.after(hit.path)
                sources[hit.path] = None if data is None else Source(hit.path, "python", data)
            source = sources[hit.path]
            if source is not None and _option_at(source, hit) in known:
                hit = replace(hit, rule=UNDER_OPTION[hit.rule])
        yield hit


def _option_at(source: Source, hit: Hit) -> str | None:
    """The option that the statement on a hit's line depends on."""
    point = (hit.line - source.first_line, max(hit.column - 1, 0))
    node = enclosing(source.tree.root_node.descendant_for_point_range(point, point), "function_definition")
    code = code_of(source, node) if node is not None else None
    if node is None or code is None:
        return None
    line = hit.line - source.first_line - node.start_point.row + getattr(code, "lineno", 1)
    statements = [each for each in walk(code) if isinstance(each, ast.stmt) and each.lineno == line]
    return option_around(code, statements[-1]) if statements else None


def _around(code: ast.AST, place: ast.AST) -> Iterator[ast.expr]:
    yield from conditions(code, place)
    if isinstance(place, ast.BoolOp) and isinstance(place.op, ast.And):
        yield from place.values
    if isinstance(place, ast.IfExp):
        yield place.test


def declared(change: Change) -> frozenset[str]:
    """The options that conftest files and plugins of the base declare."""
    paths = (path for path in change.blobs.paths_before() if RUNNERS_FILE.search(path))
    texts = ((change.blobs.before(path) or b"").decode("utf-8", "replace") for path in paths)
    return frozenset(name for text in texts for name in options_in(text))


def options_in(text: str) -> Iterator[str]:
    for match in DECLARED.finditer(text):
        yield from (normal(name) for name in re.findall(r"[\w-]+", match[1]))
    yield from (normal(name) for name in DESTINATION.findall(text))


def normal(name: str) -> str:
    return name.lstrip("-").replace("-", "_")
