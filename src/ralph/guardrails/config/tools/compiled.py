"""Cargo, clippy and tarpaulin, detekt."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import (
    Worse,
    absent,
    ceiling,
    flag,
    floor,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    words,
)
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat, names
from ralph.guardrails.config.rows import Loss, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.cargo_deny import DENY
from ralph.guardrails.config.tools.counted_tests import tests_counted
from ralph.guardrails.config.tools.go_linters import GO_LINTERS
from ralph.guardrails.config.tools.golangci import GOLANGCI
from ralph.guardrails.config.tools.oldest_versions import MSRV_ROWS, of_the_manifest
from ralph.guardrails.config.tools.php import PHP
from ralph.guardrails.config.tools.recorders import INSTA
from ralph.guardrails.config.tools.ruby_tools import RUBY_TOOLS
from ralph.guardrails.config.tools.switched_assertions import CARGO_ASSERTIONS
from ralph.guardrails.rust.lint_names import current
from ralph.system.patterns import later

THRESHOLD, EXCLUDE, MINOR_OMISSION = "cfg.coverage.threshold", "cfg.coverage.exclude", "cfg.coverage.exclude-minor"

LINTS = ("taken",)
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


def _still_shared(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """A package that no longer takes the workspace's lints, and has none of its own."""
    shared = before is not None and before.value == "the workspace's"
    if shared and (after is None or after.value is None):
        yield Worse(node=after, text="takes no lints any more")


def _cargo_workspace(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`[lints] workspace = true` stands for what the workspace says, in this manifest or in one above."""
    whole = side.node(posixpath.join(directory, "Cargo.toml"))
    said = whole.at("lints") if whole else None
    shared = said.at("workspace") if said else None
    if said is not None and said.mapping and whole is not None and whole.at("package"):
        taken = "its own" if shared is None else "the workspace's" if shared.value is True else None
        settings[LINTS] = said.with_value(taken)
    if shared is None or shared.value is not True:
        return settings
    while True:
        node = side.node(posixpath.join(directory, "Cargo.toml"))
        lints = node.at("workspace", "lints") if node else None
        if lints is not None or not directory:
            told = flat(_cargo_shape(lints.with_value({"lints": lints}))) if lints is not None else {}
            return {**settings, **told}
        directory = posixpath.dirname(directory)


CARGO = Tool(
    name="cargo",
    places=(Place("Cargo.toml", shape=_cargo_shape),),
    refine=_cargo_workspace,
    rows=(
        Row("*.*", ranked(LINT_LEVELS, "warn"), "cfg.cargo.lint-lowered"),
        Row("taken", _still_shared, "cfg.cargo.lint-lowered"),
    ),
    suffixes=(".rs",),
)

IDLE = later(r"(?:/\S*/)?(?:true|echo|:|cat|printf|exit)(?:\s.*)?")
"""Programs that are given a test and run it not."""
RECORDS = later(r"INSTA_(?:UPDATE|FORCE_UPDATE|FORCE_PASS)|TRYBUILD|UPDATE_EXPECT|BLESS|SNAPSHOTS|UPDATE_GOLDENFILES")
CASES = {"PROPTEST_CASES": 256, "QUICKCHECK_TESTS": 100}
"""How many cases are tried where nothing is said."""
SILENCES = later(r"--cap-lints[ =]?(?:allow|warn)\b|(?:--allow|-A)[ =]?\S+")


def _given(whole: Node) -> list[Node]:
    """What `.cargo/config.toml` gives the compiler: for all targets, for one, or by a variable."""
    targets, variable = whole.at("target"), whole.at("env", "RUSTFLAGS")
    said = [whole.at("build", "rustflags"), variable.at("value") or variable if variable else None]
    said += [each.at("rustflags") for each in targets.mapping.values()] if targets else []
    return [node for node in said if node is not None]


def _of_environment(whole: Node) -> dict[Key, Node]:
    """Variables that every run of cargo gets: what records anew, and how many cases are tried."""
    found: dict[Key, Node] = {}
    table = whole.at("env")
    for name, said in table.mapping.items() if table is not None else ():
        value = said.at("value") or said
        if RECORDS.fullmatch(name) and canonical(value) not in ("no", "0", "", "false"):
            found[("records", name)] = value
        elif name in CASES:
            found[("cases", name)] = value
    return found


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
        targets = whole.at("target")
        for name, each in targets.mapping.items() if targets is not None else ():
            runner = each.at("runner")
            first = next(iter(words(runner)), None)
            if runner is not None and first is not None and IDLE.fullmatch(canonical(first)):
                settings[("runner", name)] = runner
        settings |= _of_environment(whole)
        found[folder] = Unit(settings, tuple(sorted(side.touched)))
    return found


CARGO_CONFIG = Tool(
    name="cargo's flags",
    places=(Place("config.toml"),),
    rows=(
        Row("silenced", no_more(), "cfg.cargo.lint-lowered"),
        Row("runner.*", absent(), "cfg.test.not-run"),
        Row("records.*", absent(), "cfg.test.snapshots-rewritten"),
        *(Row(f"cases.{name}", floor(usual), "cfg.test.weaker-run") for name, usual in CASES.items()),
    ),
    suffixes=(".rs",),
    units=_cargo_flags,
)

CLIPPY_LIMITS = {
    "cognitive-complexity-threshold": 25,
    "too-many-arguments-threshold": 7,
    "too-many-lines-threshold": 100,
    "type-complexity-threshold": 250,
    "enum-variant-size-threshold": 200,
    "large-error-threshold": 128,
    "stack-size-threshold": 512_000,
    "max-fn-params-bools": 3,
    "max-struct-bools": 3,
}
CLIPPY_REFUSED = ("disallowed-methods", "disallowed-types", "disallowed-macros", "disallowed-names")
CLIPPY = Tool(
    name="clippy",
    places=(Place(".clippy.toml"), Place("clippy.toml")),
    rows=(
        *(limit(name, usual) for name, usual in CLIPPY_LIMITS.items()),
        *(Row(name, no_less(), "cfg.cargo.lint-lowered") for name in CLIPPY_REFUSED),
        *MSRV_ROWS,
    ),
    refine=of_the_manifest,
    suffixes=(".rs",),
)


def _counted(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    for key in after:
        if key[-1] == "include-tests":
            yield from tests_counted(key, (*key[:-1], "fail-under"), before, after)


TARPAULIN = Tool(
    name="tarpaulin",
    places=(Place("tarpaulin.toml"), Place(".tarpaulin.toml")),
    rows=(
        Row("*.fail-under", floor(), THRESHOLD),
        Row("*.exclude-files", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("*.exclude", no_more(), EXCLUDE),
        Row("*.workspace", flag(good=True), "cfg.test.partly"),
        Row("*.packages", absent(), "cfg.test.partly"),
        Row("*.run-types", no_less(), "cfg.test.partly"),
        *(Row(f"*.{name}", flag(good=False), "cfg.test.partly") for name in ("lib", "bins", "tests", "doc")),
        Row("*.no-run", flag(good=False), "cfg.test.not-run"),
        Row("*.ignore-panics", flag(good=False), "cfg.check.failures-ignored"),
    ),
    suffixes=(".rs",),
    judge=_counted,
)


DETEKT_SETS = names(
    "comments complexity coroutines empty-blocks exceptions formatting naming performance potential-bugs style"
)
DETEKT = Tool(
    name="detekt",
    places=(Place("detekt.yml"), Place("detekt.yaml")),
    rows=(
        Row("*.*.active", flag(good=True), "cfg.detekt.rule-off"),
        *(Row(f"{name}.active", flag(good=True, default=True), "cfg.detekt.rule-off") for name in DETEKT_SETS),
        Row("*.*.excludes", no_more_paths(), "cfg.detekt.rule-off"),
        Row("*.excludes", no_more_paths(), "cfg.detekt.rule-off"),
        *(limit(f"complexity.*.{name}") for name in ("threshold", "allowedLines", "allowedComplexity", "allowedDepth")),
        Row("build.maxIssues", ceiling(0), "cfg.detekt.rule-off"),
        Row("config.warningsAsErrors", flag(good=True), "cfg.detekt.rule-off"),
    ),
    suffixes=(".kt", ".kts"),
)

COMPILED: tuple[Tool, ...] = (
    *(GOLANGCI, *GO_LINTERS, CARGO, CARGO_CONFIG, CARGO_ASSERTIONS, DENY, CLIPPY, TARPAULIN, INSTA),
    *(*RUBY_TOOLS, *PHP, DETEKT),
)
