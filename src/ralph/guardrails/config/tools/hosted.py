"""Services and bundles that run linters over a repository: Code Climate, DeepSource, MegaLinter, Trunk and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.filters import at_most_few
from ralph.guardrails.config.lattice import Check, Worse, absent, ceiling, flag, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.levels import EXCLUDED, IGNORED, inside
from ralph.system.patterns import later

CHECKERS = later(r"\.(?:lint|typecheck|check|test)\b")


def _tool(name: str, places: tuple[Place, ...], *rows: Row) -> Tool:
    return Tool(name=name, places=places, rows=rows, suffixes=())


def _paths(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED) for key in keys)


def _on(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, flag(good=True, default=True), IGNORED) for key in keys)


def _by_name(key: str) -> Callable[[Node], Node]:
    """Tables of a list as the names of those that are on."""

    def shape(node: Node) -> Node:
        whole = node.at(key)
        said = [(item.at("name"), item.at("enabled")) for item in (whole.items if whole is not None else ())]
        found = [name for name, on in said if name is not None and not (on is not None and on.value is False)]
        return node.with_value({**node.mapping, key: (whole or node).with_value(found)})

    return shape


def _unversioned(node: Node) -> Node:
    """Trunk's linters without their versions; what is ignored by its linters and paths."""
    lint = inside(".trunk")(node).at("lint")
    if lint is None:
        return node.with_value({})
    enabled = lint.at("enabled")
    found = {name: value for name, value in lint.mapping.items() if name in ("disabled", "threshold")}
    if enabled is not None:
        found["enabled"] = enabled.with_value(
            [item.with_value(canonical(item).partition("@")[0]) for item in enabled.items if not item.mapping]
        )
    ignored = lint.at("ignore")
    paths = [path for item in (ignored.items if ignored is not None else ()) for path in _paths_of(item)]
    return node.with_value({**found, "ignored": lint.with_value(paths)})


def _paths_of(item: Node) -> list[Node]:
    said = item.at("paths")
    return list(said.items) if said is not None else []


def _errors_of(node: Node) -> Node:
    """MegaLinter's switches of single linters, under one name; what they are called stands before it."""
    ending, some = "_DISABLE_ERRORS", "_DISABLE_ERRORS_IF_LESS_THAN"
    single = {key.removesuffix(ending): value for key, value in node.mapping.items() if key.endswith(ending)}
    tolerated = {key.removesuffix(some): value for key, value in node.mapping.items() if key.endswith(some)}
    return node.with_value(
        {**node.mapping, "unfailing": node.with_value(single), "tolerated": node.with_value(tolerated)}
    )


def _no_checker_less() -> Check:
    """Of what Pants can do, linters, type checkers and runners of tests stay."""
    fewer = no_less()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        yield from (worse for worse in fewer(before, after, paths) if CHECKERS.search(worse.text))

    return check


HOSTED: tuple[Tool, ...] = (
    _tool(
        "code climate",
        (Place(".codeclimate.yml"), Place(".codeclimate.json")),
        *_on("checks.*.enabled", "plugins.*.enabled", "engines.*.enabled"),
        Row("checks.*.config.threshold", ceiling(None, MANIFOLD), LIFTED, RAISED),
        *_paths("exclude_patterns", "exclude_paths"),
    ),
    _tool("codacy", (Place(".codacy.yml"), Place(".codacy.yaml")), *_on("engines.*.enabled"), *_paths("exclude_paths")),
    _tool(
        "deepsource",
        (Place(".deepsource.toml", shape=_by_name("analyzers")),),
        Row("analyzers", no_less(), IGNORED),
        *_paths("exclude_patterns"),
    ),
    _tool(
        "qlty",
        (Place("qlty.toml", shape=_by_name("plugin")),),
        Row("plugin", no_less(), IGNORED),
        Row("smells.mode", ranked("disabled monitor comment block", "comment"), IGNORED),
        *_paths("exclude_patterns"),
    ),
    _tool(
        "megalinter",
        tuple(Place(f".mega-linter.{end}", shape=_errors_of) for end in ("yml", "yaml")),
        Row("DISABLE_ERRORS", flag(good=False), IGNORED),
        *(Row(name, no_more(), IGNORED) for name in ("DISABLE", "DISABLE_LINTERS", "DISABLE_ERRORS_LINTERS")),
        *(Row(name, no_less(), IGNORED) for name in ("ENABLE", "ENABLE_LINTERS")),
        Row("FILTER_REGEX_EXCLUDE", absent(), "cfg.test.partly"),
        Row("VALIDATE_ALL_CODEBASE", flag(good=True, default=True), "cfg.test.weaker-run"),
        Row("unfailing.*", flag(good=False), IGNORED),
        Row("tolerated.*", ceiling(0), IGNORED),
    ),
    _tool(
        "trunk",
        (Place("trunk.yaml", shape=_unversioned), Place("trunk.yml", shape=_unversioned)),
        Row("enabled", no_less(), IGNORED),
        Row("disabled", no_more(), IGNORED),
        *_paths("ignored"),
    ),
    _tool(
        "pants",
        (Place("pants.toml"),),
        Row("GLOBAL.backend_packages", _no_checker_less(), IGNORED),
        Row("*.skip", flag(good=False), IGNORED),
        Row("test.attempts_default", at_most_few(1), "cfg.test.retries", "cfg.test.retries-few"),
    ),
    _tool(
        "semantic pull requests",
        tuple(Place(f"semantic.{end}", shape=inside(".github")) for end in ("yml", "yaml")),
        *_on("enabled"),
        Row("titleAndCommits", flag(good=True), IGNORED),
        *(Row(name, flag(good=False), IGNORED) for name in ("titleOnly", "commitsOnly", "anyCommit")),
        *(Row(name, no_more(), EXCLUDED) for name in ("types", "scopes")),
    ),
)
