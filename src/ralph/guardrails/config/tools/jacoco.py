"""JaCoCo and Kover floors in Maven and Gradle builds. Build scripts are read as tokens: no comment or text counts.

A script of Gradle is the same one in Groovy and in Kotlin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import flag, floor, no_more_paths
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names, occurrences
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.coverage_units import KINDS, USUAL, judge, said
from ralph.guardrails.config.tools.kover import left_out
from ralph.system.patterns import later

SCRIPTS = ("build.gradle", "build.gradle.kts", "*.gradle", "*.gradle.kts")
FLOORS = frozenset({"minimum", "minBound", "minValue"})
HALTS = frozenset({"haltOnFailure", "failOnViolation", "isFailOnViolation", "setFailOnViolation"})
WRAPS = frozenset(names("= ( . set new BigDecimal BigDecimal.valueOf valueOf"))
NAMED = {"BigDecimal.ZERO": "0", "BigDecimal.ONE": "1"}
READS = frozenset("+-*/?")
"""Behind a number, these make another one of it."""
ENUMS = {
    "CoverageUnit": "counter",
    "MetricType": "counter",
    "AggregationType": "value",
    "GroupingEntityType": "element",
}
NAME = later(r"[A-Za-z_][\w.]*")
PROPERTY = later(r"\$\{([\w.-]+)\}")
MOST_BLOCKS = 2
"""A floor stands in a limit, and that in a rule."""
NOTHING: Mapping[str, Node] = {}
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
            settings = {**dict(_numbered(_tokens(text, path))), **_unmeasured(text, path)}
            found.setdefault(path.removesuffix(".kts"), Unit(settings, (path,)))
    for path in files_named(side, "pom.xml"):
        side.touched = set()
        node = side.node(path)
        if node:
            said = node.at("project", "properties")
            found[path] = Unit(dict(_numbered(_elements(node, said=said.mapping if said else {}))), (path,))
    return {path: unit for path, unit in found.items() if unit.settings}


def _unmeasured(text: str, path: str) -> dict[Key, Node]:
    if "kover" not in text or "exclude" not in text:
        return {}
    tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup]
    found = [Node(glob, path, text.count("\n", 0, token.start()) + 1, 1) for token, glob in left_out(tokens)]
    return {("unmeasured",): found[0].with_value(found)} if found else {}


def _numbered(found: Iterator[tuple[str, Node, Mapping[str, Node]]]) -> Iterator[tuple[Key, Node]]:
    """Several floors of a build are told apart by their order; what a floor counts goes with it."""
    counts: dict[str, int] = {}
    for name, node, about in found:
        counts[name] = counts.get(name, 0) + 1
        number = str(counts[name])
        yield (name, number), node
        yield from (((kind, number), counted) for kind, counted in about.items())


def _tokens(text: str, path: str) -> Iterator[tuple[str, Node, Mapping[str, Node]]]:
    tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup]

    def node(token: re.Match[str], value: str) -> Node:
        line, start = text.count("\n", 0, token.start()) + 1, text.rfind("\n", 0, token.start())
        return Node(value, path, line, token.start() - start)

    for index, token in enumerate(tokens):
        name = token[0]
        if name not in FLOORS | HALTS:
            continue
        after = [value for value in tokens[index + 1 : index + 8] if value[0] not in WRAPS]
        if after:
            about: dict[str, Node] = {}
            for kind, usual in USUAL.items() if name in FLOORS else ():
                told = _told(tokens, index, kind)
                about[kind] = node(told or token, said(kind, told[0]) if told is not None else usual)
            value = NAMED.get(after[0][0], after[0][0].strip("\"'").removesuffix(".toBigDecimal"))
            if name in FLOORS and after[1:] and after[1][0] in READS:
                value = f"{value} {after[1][0]}"
            yield ("floor" if name in FLOORS else "halt"), node(token, _said_above(value, text)), about


def _said_above(value: str, text: str) -> str:
    """A name that the same script gives a number once stands for it."""
    if not NAME.fullmatch(value) or value in ("true", "false"):
        return value
    given = re.findall(rf"\b{re.escape(value.rpartition('.')[2])}\s*(?::\s*\w+\s*)?=\s*[\"']?(\d[\d.]*)", text)
    return str(given[0]) if len(given) == 1 else value


def _told(tokens: Sequence[re.Match[str]], floor: int, kind: str) -> re.Match[str] | None:
    """What is said of a floor behind its number, beside it in its block, or in the rule around it."""
    behind = [token[0] for token in tokens[floor + 1 : floor + 2]]
    if behind == ["("]:
        for token in tokens[floor + 2 : floor + 12]:
            if token[0] == ")":
                break
            if kind == ENUMS.get(token[0].partition(".")[0].strip("\"'")):
                return token
    start, depth, blocks = floor, 0, 0
    while start > 0 and blocks < MOST_BLOCKS:
        start -= 1
        depth += (tokens[start][0] == "}") - (tokens[start][0] == "{")
        if depth < 0:
            depth, blocks = 0, blocks + 1
            if (found := _beside(tokens, start, kind)) is not None:
                return found
    return None


def _beside(tokens: Sequence[re.Match[str]], opened: int, kind: str) -> re.Match[str] | None:
    """What a block says itself, and not in one inside it."""
    depth = 0
    for index in range(opened, len(tokens)):
        depth += (tokens[index][0] == "{") - (tokens[index][0] == "}")
        if depth == 0:
            return None
        name = tokens[index][0].removesuffix(".set")
        if depth == 1 and KINDS.get(name) == kind:
            values = (token for token in tokens[index + 1 : index + 5] if token[0] not in ("=", "(", ".", "set"))
            return next(values, None)
    return None


def _elements(
    node: Node, around: Mapping[str, Node] = NOTHING, said: Mapping[str, Node] = NOTHING
) -> Iterator[tuple[str, Node, Mapping[str, Node]]]:
    own = {kind: value for kind in USUAL if (value := node.at(kind)) is not None and isinstance(value.value, str)}
    told = {**around, **own}
    for name, value in node.mapping.items():
        for item in occurrences(value):
            if name in FLOORS:
                given = {kind: told.get(kind, item) for kind in USUAL}
                known = {kind: each.with_value(_named(kind, each, told)) for kind, each in given.items()}
                yield "floor", _resolved(item, said), known
            elif name in HALTS:
                yield "halt", _resolved(item, said), {}
            else:
                yield from _elements(item, told, said)


def _resolved(node: Node, properties: Mapping[str, Node]) -> Node:
    """`${coverage.minimum}` is what the properties of the same file say."""
    name = PROPERTY.fullmatch(canonical(node))
    return properties.get(name[1], node) if name is not None else node


def _named(kind: str, node: Node, told: Mapping[str, Node]) -> str:
    return said(kind, canonical(node)) if kind in told else USUAL[kind]


def _judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """What is left out where nothing was measured before takes nothing away."""
    yield from judge(before, after, paths)
    key = ("unmeasured",)
    for worse in no_more_paths(unknown_is_minor=True)(before.get(key), after.get(key), paths) if before else ():
        rule = "cfg.coverage.exclude-minor" if worse.minor else "cfg.coverage.exclude"
        yield Loss(rule=rule, key="Kover", text=worse.text, node=worse.node, old=before.get(key))


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
    judge=_judge,
)
