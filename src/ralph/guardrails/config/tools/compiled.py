"""Cargo and tarpaulin, RuboCop, detekt."""

from __future__ import annotations

import posixpath

from ralph.guardrails.config.lattice import ceiling, flag, floor, no_more, no_more_paths, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.rows import Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.golangci import GOLANGCI
from ralph.guardrails.config.tools.php import PHP
from ralph.guardrails.rust.lint_names import current
from ralph.system.patterns import later

THRESHOLD, EXCLUDE, MINOR_OMISSION = "cfg.coverage.threshold", "cfg.coverage.exclude", "cfg.coverage.exclude-minor"

LINT_LEVELS = "allow warn deny forbid"


def _cargo_shape(node: Node) -> Node:
    """`[lints.clippy] name = "deny"` or `{ level = "deny", priority = -1 }`; a workspace's are its members'.

    Each lint goes by its newest name."""
    lints = node.at("lints") or node.at("workspace", "lints")
    levels: dict[str, dict[str, Node]] = {}
    for tool, rules in lints.mapping.items() if lints else ():
        for name, value in rules.mapping.items():
            now = current(name if tool == "rust" else f"{tool}::{name}").partition("::")
            of, lint = (now[0], now[2]) if now[1] else ("rust", now[0])
            levels.setdefault(of, {})[lint] = value.at("level") or value
    return node.with_value({tool: node.with_value(rules) for tool, rules in levels.items()} or None)


def _cargo_workspace(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`[lints] workspace = true` stands for what the workspace says, in this manifest or in one above."""
    whole = side.node(posixpath.join(directory, "Cargo.toml"))
    shared = whole.at("lints", "workspace") if whole else None
    if shared is None or shared.value is not True:
        return settings
    while True:
        node = side.node(posixpath.join(directory, "Cargo.toml"))
        lints = node.at("workspace", "lints") if node else None
        if lints is not None or not directory:
            return flat(_cargo_shape(lints.with_value({"lints": lints}))) if lints is not None else settings
        directory = posixpath.dirname(directory)


CARGO = Tool(
    name="cargo",
    places=(Place("Cargo.toml", shape=_cargo_shape),),
    refine=_cargo_workspace,
    rows=(Row("*.*", ranked(LINT_LEVELS, "warn"), "cfg.cargo.lint-lowered"),),
    suffixes=(".rs",),
)

SILENCES = later(r"--cap-lints[ =]?(?:allow|warn)\b|(?:--allow|-A)[ =]?\S+")


def _given(whole: Node) -> list[Node]:
    """What `.cargo/config.toml` gives the compiler: for all targets, for one, or by a variable."""
    targets, variable = whole.at("target"), whole.at("env", "RUSTFLAGS")
    said = [whole.at("build", "rustflags"), variable.at("value") or variable if variable else None]
    said += [each.at("rustflags") for each in targets.mapping.values()] if targets else []
    return [node for node in said if node is not None]


def _cargo_flags(side: Side) -> dict[str, Unit]:
    """Of the folder that holds `.cargo`: the flags that keep lints from being reported."""
    found: dict[str, Unit] = {}
    for path in files_named(side, "config.toml"):
        folder, name = posixpath.split(posixpath.dirname(path))
        side.touched = set()
        whole = side.node(path) if name == ".cargo" else None
        if whole is None:
            continue
        flags = [
            node.with_value(flag)
            for node in _given(whole)
            for flag in SILENCES.findall(" ".join(canonical(word) for word in words(node)))
        ]
        settings: dict[Key, Node] = {("silenced",): flags[0].with_value(flags)} if flags else {}
        found[folder] = Unit(settings, tuple(sorted(side.touched)))
    return found


CARGO_CONFIG = Tool(
    name="cargo's flags",
    places=(Place("config.toml"),),
    rows=(Row("silenced", no_more(), "cfg.cargo.lint-lowered"),),
    suffixes=(".rs",),
    units=_cargo_flags,
)

CLIPPY_LIMITS = {"cognitive-complexity": 25, "too-many-arguments": 7, "too-many-lines": 100, "type-complexity": 250}
CLIPPY = Tool(
    name="clippy",
    places=(Place("clippy.toml"), Place(".clippy.toml")),
    rows=tuple(limit(f"{name}-threshold", usual) for name, usual in CLIPPY_LIMITS.items()),
    suffixes=(".rs",),
)

TARPAULIN = Tool(
    name="tarpaulin",
    places=(Place("tarpaulin.toml"), Place(".tarpaulin.toml")),
    rows=(
        Row("*.fail-under", floor(), THRESHOLD),
        Row("*.exclude-files", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("*.exclude", no_more(), EXCLUDE),
    ),
    suffixes=(".rs",),
)


def _rubocop(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`inherit_from` names files of the tree that this one is laid over, `.rubocop_todo.yml` among them."""
    whole = side.node(posixpath.join(directory, ".rubocop.yml"))
    inherited = whole.at("inherit_from") if whole else None
    for item in reversed(inherited.items if inherited else []):
        below = side.node(posixpath.normpath(posixpath.join(directory, canonical(item))))
        if below:
            settings = {**flat(below), **settings}
    return settings


RUBOCOP = Tool(
    name="rubocop",
    places=(Place(".rubocop.yml"), Place(".rubocop_todo.yml")),
    rows=(
        Row("*.Enabled", flag(good=True, default=True), "cfg.rubocop.cop-off"),
        limit("*.Max"),
        Row("*.Severity", ranked("info=refactor convention warning error fatal", "convention"), "cfg.rubocop.cop-off"),
        Row("AllCops.DisabledByDefault", flag(good=False), "cfg.rubocop.cop-off"),
        Row("AllCops.NewCops", ranked("disable pending enable", "pending"), "cfg.rubocop.cop-off"),
        Row("*.Exclude", no_more_paths(), "cfg.rubocop.exclude"),
    ),
    suffixes=(".rb", ".rake"),
    everywhere=True,
    refine=_rubocop,
)

DETEKT = Tool(
    name="detekt",
    places=(Place("detekt.yml"), Place("detekt.yaml")),
    rows=(
        Row("*.*.active", flag(good=True), "cfg.detekt.rule-off"),
        Row("*.active", flag(good=True), "cfg.detekt.rule-off"),
        Row("*.*.excludes", no_more_paths(), "cfg.detekt.rule-off"),
        Row("build.maxIssues", ceiling(0), "cfg.detekt.rule-off"),
        Row("config.warningsAsErrors", flag(good=True), "cfg.detekt.rule-off"),
    ),
    suffixes=(".kt", ".kts"),
)

COMPILED: tuple[Tool, ...] = (GOLANGCI, CARGO, CARGO_CONFIG, CLIPPY, TARPAULIN, RUBOCOP, *PHP, DETEKT)
