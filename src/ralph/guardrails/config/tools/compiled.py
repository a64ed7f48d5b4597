"""golangci-lint, Cargo and tarpaulin, RuboCop, PHPStan, detekt."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import absent, ceiling, flag, floor, no_more, no_more_paths, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool

THRESHOLD, EXCLUDE, MINOR_OMISSION = "cfg.coverage.threshold", "cfg.coverage.exclude", "cfg.coverage.exclude-minor"

GO_DEFAULT = ("errcheck", "govet", "ineffassign", "staticcheck", "unused")


def _go_linters(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """What runs is the default set or everything or nothing, with `enable` added and `disable` taken away."""
    old, new = _enabled(before), _enabled(after)
    for name in sorted(old - new):
        if "all" in new and name not in _names(after, "disable"):
            continue
        node = next((item for item in words(after.get(("linters", "disable"))) if canonical(item) == name), None)
        node = node or after.get(("linters", "default")) or after.get(("linters", "disable-all"))
        old_node = next((i for i in words(before.get(("linters", "enable"))) if canonical(i) == name), None)
        yield Loss(
            rule="cfg.golangci.linter-removed", key=f"linters {name}", text=f"loses {name}", node=node, old=old_node
        )
    for name in sorted(_names(after, "disable") - _names(before, "disable")) if "all" in old and "all" in new else ():
        node = next(item for item in words(after.get(("linters", "disable"))) if canonical(item) == name)
        yield Loss(rule="cfg.golangci.linter-removed", key=f"linters {name}", text=f"loses {name}", node=node, old=None)


def _names(settings: Settings, key: str) -> set[str]:
    return {canonical(item) for item in words(settings.get(("linters", key)))}


def _enabled(settings: Settings) -> set[str]:
    def on(key: str) -> bool:
        return ("linters", key) in settings and settings[("linters", key)].value is True

    default = settings.get(("linters", "default"))
    base = {"none": set(), "all": {"all"}, "fast": set()}.get(
        canonical(default) if default else "standard", set(GO_DEFAULT)
    )
    if on("disable-all"):
        base = set()
    if on("enable-all"):
        base = {"all"}
    return (base | _names(settings, "enable")) - _names(settings, "disable")


GOLANGCI = Tool(
    name="golangci-lint",
    places=tuple(Place(f".golangci.{end}") for end in ("yml", "yaml", "toml", "json")),
    rows=(
        Row("issues.exclude", no_more(), "cfg.golangci.exclude"),
        Row("issues.exclude-rules", no_more(), "cfg.golangci.exclude"),
        Row("issues.exclude-dirs", no_more_paths(), "cfg.golangci.exclude"),
        Row("issues.exclude-files", no_more_paths(), "cfg.golangci.exclude"),
        Row("run.skip-dirs", no_more_paths(), "cfg.golangci.exclude"),
        Row("run.skip-files", no_more_paths(), "cfg.golangci.exclude"),
        Row("linters.exclusions.rules", no_more(), "cfg.golangci.exclude"),
        Row("linters.exclusions.presets", no_more(), "cfg.golangci.exclude"),
        Row("linters.exclusions.paths", no_more_paths(), "cfg.golangci.exclude"),
        Row("issues.new", flag(good=False), "cfg.golangci.new-only"),
        Row("issues.new-from-rev", absent(), "cfg.golangci.new-only"),
        Row("issues.new-from-merge-base", absent(), "cfg.golangci.new-only"),
        Row("issues.exclude-use-default", flag(good=False, default=True), "cfg.golangci.exclude"),
    ),
    suffixes=(".go",),
    judge=_go_linters,
)

LINT_LEVELS = "allow warn deny forbid"


def _cargo_shape(node: Node) -> Node:
    """`[lints.clippy] name = "deny"` or `{ level = "deny", priority = -1 }`; a workspace's are its members'."""
    lints = node.at("lints") or node.at("workspace", "lints")
    levels: dict[str, Node] = {}
    for tool, rules in lints.mapping.items() if lints else ():
        levels[tool] = rules.with_value({name: value.at("level") or value for name, value in rules.mapping.items()})
    return node.with_value(levels or None)


CARGO = Tool(
    name="cargo",
    places=(Place("Cargo.toml", shape=_cargo_shape),),
    rows=(Row("*.*", ranked(LINT_LEVELS, "warn"), "cfg.cargo.lint-lowered"),),
    suffixes=(".rs",),
)

CLIPPY_LIMITS = {"cognitive-complexity": 25, "too-many-arguments": 7, "too-many-lines": 100, "type-complexity": 250}
CLIPPY = Tool(
    name="clippy",
    places=(Place("clippy.toml"), Place(".clippy.toml")),
    rows=tuple(
        Row(f"{name}-threshold", ceiling(limit), "cfg.lint.limit-raised") for name, limit in CLIPPY_LIMITS.items()
    ),
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
        Row("*.Severity", ranked("info=refactor convention warning error fatal", "convention"), "cfg.rubocop.cop-off"),
        Row("AllCops.DisabledByDefault", flag(good=False), "cfg.rubocop.cop-off"),
        Row("*.Exclude", no_more_paths(), "cfg.rubocop.exclude"),
    ),
    suffixes=(".rb", ".rake"),
    everywhere=True,
    refine=_rubocop,
)

PHPSTAN = Tool(
    name="phpstan",
    places=(Place("phpstan.neon"), Place("phpstan.neon.dist"), Place("phpstan.dist.neon")),
    rows=(
        Row("parameters.level", floor(0), "cfg.phpstan.level"),
        Row("parameters.ignoreErrors", no_more(), "cfg.phpstan.ignore"),
        Row("parameters.excludePaths", no_more_paths(), "cfg.phpstan.ignore"),
    ),
    suffixes=(".php",),
)

DETEKT = Tool(
    name="detekt",
    places=(Place("detekt.yml"), Place("detekt.yaml")),
    rows=(
        Row("*.*.active", flag(good=True), "cfg.detekt.rule-off"),
        Row("*.active", flag(good=True), "cfg.detekt.rule-off"),
        Row("*.*.excludes", no_more_paths(), "cfg.detekt.rule-off"),
    ),
    suffixes=(".kt", ".kts"),
)

COMPILED: tuple[Tool, ...] = (GOLANGCI, CARGO, CLIPPY, TARPAULIN, RUBOCOP, PHPSTAN, DETEKT)
