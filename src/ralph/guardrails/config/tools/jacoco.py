"""JaCoCo and Kover floors in Maven and Gradle builds. Build scripts are read as tokens: no comment or text counts.

A script of Gradle is the same one in Groovy and in Kotlin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.node import Key, Node, occurrences
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

SCRIPTS = ("build.gradle", "build.gradle.kts", "*.gradle", "*.gradle.kts")
FLOORS = frozenset({"minimum", "minBound", "minValue"})
HALTS = frozenset({"haltOnFailure", "failOnViolation"})
_TOKEN = later(
    r"""//[^\n]*|/\*.*?\*/|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<word>\w+(?:\.\w+)*)|(?P<mark>\\[^\n]|\S)""",
    re.DOTALL,
)
"""An escaped quote begins no text: where none ends, each would be looked at to the end of the line."""


def units(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in [path for name in SCRIPTS for path in files_named(side, name)]:
        side.touched = set()
        text = side.text(path)
        if text is not None:
            found.setdefault(path.removesuffix(".kts"), Unit(dict(_numbered(_tokens(text, path))), (path,)))
    for path in files_named(side, "pom.xml"):
        side.touched = set()
        node = side.node(path)
        if node:
            found[path] = Unit(dict(_numbered(_elements(node))), (path,))
    return {path: unit for path, unit in found.items() if unit.settings}


def _numbered(found: Iterator[tuple[str, Node]]) -> Iterator[tuple[Key, Node]]:
    """Several floors of a build are told apart by their order."""
    counts: dict[str, int] = {}
    for name, node in found:
        counts[name] = counts.get(name, 0) + 1
        yield (name, str(counts[name])), node


def _tokens(text: str, path: str) -> Iterator[tuple[str, Node]]:
    tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup]
    for index, token in enumerate(tokens):
        name = token[0]
        if name not in FLOORS | HALTS:
            continue
        after = [value for value in tokens[index + 1 : index + 5] if value[0] not in ("=", "(", ".", "set")]
        if after:
            line = text.count("\n", 0, token.start()) + 1
            column = token.start() - text.rfind("\n", 0, token.start())
            value = after[0][0].strip("\"'").removesuffix(".toBigDecimal")
            yield ("floor" if name in FLOORS else "halt"), Node(value, path, line, column)


def _elements(node: Node) -> Iterator[tuple[str, Node]]:
    for name, value in node.mapping.items():
        for item in occurrences(value):
            if name in FLOORS:
                yield "floor", item
            elif name in HALTS:
                yield "halt", item
            else:
                yield from _elements(item)


JACOCO = Tool(
    name="jacoco",
    places=(*(Place(name) for name in SCRIPTS), Place("pom.xml")),
    rows=(
        Row("floor.*", floor(), "cfg.coverage.threshold"),
        Row("halt.*", flag(good=True, default=True), "cfg.coverage.report-optional"),
    ),
    suffixes=(".java", ".kt", ".kts", ".scala", ".groovy"),
    units=units,
    units_are_files=True,
    shared=True,
)
