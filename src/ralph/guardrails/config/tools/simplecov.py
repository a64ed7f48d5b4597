"""SimpleCov, whose configuration is Ruby: the calls with literal arguments in `.simplecov` and in test helpers.

What hangs on a variable that nothing sets is not said, and where all that loads or starts it does, nothing is.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

import tree_sitter

from ralph.guardrails.config.lattice import ceiling, flag, floor, no_less, no_more_paths
from ralph.guardrails.config.node import Key, Node, Opaque, names
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit
from ralph.guardrails.config.tools.ruby_variables import holds
from ralph.guardrails.source import Source
from ralph.system.patterns import later

FLOORS = ("minimum_coverage", "minimum_coverage_by_file", "minimum_coverage_by_group")
LISTS = ("add_filter", "enable_coverage")
FOLDERS = frozenset(names("spec test tests features config tasks support"))
CALLS = frozenset({*FLOORS, *LISTS, "maximum_coverage_drop", "refuse_coverage_drop", "at_exit"})
BRINGS = later(r"(?P<how>require)[ (]+[\"']simplecov[\"']|SimpleCov\.(?P<start>start)\b")
_TEST = later(r"(^test_(?!helper|support|setup|init|case|env|config).*|.*_(spec|test))\.rb$")


def units(side: Side) -> Mapping[str, Unit]:
    settings: dict[Key, Node] = {}
    files, loading, brought = list[str](), list[str](), dict[str, list[bool]]()
    for path in sorted(side.paths):
        if not _may_hold(path) or b"simplecov" not in (data := side.bytes(path) or b"").lower():
            continue
        (files if b"SimpleCov" in data else loading).append(path)
        source = Source(path, "ruby", data)
        for name, call in _bringing(source):
            brought.setdefault(name, []).append(holds(source, call, side))
        for key, node in _calls(source, side):
            known = settings.get(key)
            if known and key[0] in LISTS:
                node = known.with_value([*known.items, *node.items])
            settings[key] = node
    never = any(not any(each) for each in brought.values())
    unit = Unit({}, (*files, *loading)) if never else Unit(settings, tuple(files))
    return {"": unit} if files else {}


def _bringing(source: Source) -> Iterator[tuple[str, tree_sitter.Node]]:
    """What loads it, and what starts it."""
    for node in source.walk():
        match = BRINGS.match(source.text(node)) if node.type == "call" else None
        if match is not None:
            yield match["how"] or match["start"], node


def _may_hold(path: str) -> bool:
    """Where it is set up: never in product code or in a single test."""
    name = posixpath.basename(path)
    if name in (".simplecov", "Rakefile"):
        return True
    folders = path.split("/")[:-1]
    near = not folders or FOLDERS.intersection(folders) or "cov" in name.lower()
    return name.endswith((".rb", ".rake")) and bool(near) and not _TEST.match(name)


def _calls(source: Source, side: Side) -> Iterator[tuple[Key, Node]]:
    for node in source.walk():
        name = _called(source, node)
        if name not in CALLS or not holds(source, node, side):
            continue
        arguments = node.child_by_field_name("arguments") or node.child_by_field_name("right")
        values = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
        if name in LISTS:
            block = node.child_by_field_name("block")
            said = list(source.captures("(string) @found", block)) if block is not None else []
            values += said or ([block] if block is not None else [])
            place = _node(source, node, [_value(source, value) for value in values])
            yield (name,), place
        elif name == "at_exit":
            # What stands there takes the place of the report, which is what knows the floors.
            if source.text(node).startswith("SimpleCov.") and "result" not in source.text(node):
                yield ("unreported",), _node(source, node, True)
        elif name == "refuse_coverage_drop":
            yield (name,), _node(source, node, True)
        for value in values if name not in LISTS and name != "at_exit" else ():
            yield from _numbers(source, name, value)


def _numbers(source: Source, name: str, value: tree_sitter.Node) -> Iterator[tuple[Key, Node]]:
    """`90`, or `line: 90, branch: 80` with or without braces."""
    if value.type == "hash":
        for pair in value.named_children:
            yield from _numbers(source, name, pair)
    elif value.type == "pair":
        key, number = value.child_by_field_name("key"), value.child_by_field_name("value")
        if key and number:
            yield (name, source.text(key).strip(":\"'")), _value(source, number)
    else:
        yield (name, "line"), _value(source, value)


def _called(source: Source, node: tree_sitter.Node) -> str:
    """The method's name; a bare word in a block is a call as well."""
    if node.type == "call":
        method = node.child_by_field_name("method")
        return source.text(method) if method else ""
    if node.type == "identifier" and (
        node.parent is None or node.parent.type in ("body_statement", "block_body", "program")
    ):
        return source.text(node)
    return ""


def _value(source: Source, node: tree_sitter.Node) -> Node:
    text = source.text(node)
    if node.type in ("integer", "float"):
        return _node(source, node, float(text.replace("_", "")))
    if node.type in ("string", "simple_symbol", "regex"):
        plain = text.replace("\\/", "/") if node.type == "regex" else text
        return _node(source, node, plain.strip("\"':").removeprefix("%r{").strip("/}"))
    return _node(source, node, Opaque(" ".join(text.split())))


def _node(source: Source, node: tree_sitter.Node, value: object) -> Node:
    return Node(value, source.path, node.start_point.row + 1, node.start_point.column + 1)  # type: ignore[arg-type]


SIMPLECOV = Tool(
    name="simplecov",
    places=(Place("*.rb"), Place(".simplecov"), Place("Rakefile"), Place("*.rake")),
    rows=(
        *(Row(f"{name}.*", floor(), "cfg.coverage.threshold") for name in FLOORS),
        Row("maximum_coverage_drop.*", ceiling(), "cfg.coverage.drop-allowed"),
        Row("refuse_coverage_drop", flag(good=True), "cfg.coverage.drop-allowed"),
        Row("unreported", flag(good=False), "cfg.coverage.report-optional"),
        Row("enable_coverage", no_less(), "cfg.coverage.off"),
        Row("add_filter", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
    ),
    suffixes=(".rb",),
    units=units,
)
