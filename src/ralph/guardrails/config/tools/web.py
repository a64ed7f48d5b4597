"""jest, vitest, nyc and c8, Next.js, and ESLint's file of accepted findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.filters import not_local
from ralph.guardrails.config.lattice import (
    Check,
    Worse,
    flag,
    floor,
    no_fewer_paths,
    no_less,
    no_more_paths,
    number,
    same,
    words,
)
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.system.patterns import later

SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
THRESHOLD, OFF, SCOPE, EXCLUDE = (
    "cfg.coverage.threshold",
    "cfg.coverage.off",
    "cfg.coverage.scope",
    "cfg.coverage.exclude",
)
MINOR_OMISSION = "cfg.coverage.exclude-minor"
A_PART = later(r"(?:<rootDir>/|\./)?(?:[\w@./-]+\.\w+|(?:src|lib|source)/(?!(?:app|lib|main)/)[\w-]+/.*)")
"""One file without any wildcard, or a folder of the sources."""
FOLDERS: Key = ("folders",)


def exported(node: Node) -> Node:
    """A module's configuration is its default export; data has none."""
    return node.at("default") or node


def modules(name: str) -> tuple[Place, ...]:
    return tuple(Place(f"{name}{end}", shape=exported) for end in SCRIPTS)


def _global_floor(key: Key) -> Key:
    """Files with a floor of their own leave the global one."""
    return ("coverageThreshold", "global", key[-1])


def _jest_refine(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    settings = _refused(settings, ("coverageThreshold",), ("collectCoverage",))
    return split_list(projects(settings, lambda item: item), ("collectCoverageFrom",))


def split_list(settings: dict[Key, Node], key: Key) -> dict[Key, Node]:
    """A list of patterns as what it holds (`in`) and what it leaves out with a `!` (`out`)."""
    node = settings.pop(key, None)
    if node is None:
        return settings
    kept = [item for item in node.items if not canonical(item).startswith("!")]
    left_out = [item.with_value(canonical(item)[1:]) for item in node.items if canonical(item).startswith("!")]
    return {**settings, (*key, "in"): node.with_value(kept), (*key, "out"): node.with_value(left_out)}


def _measured() -> Check:
    """Without a list, what the tests load is measured: patterns of all sources add to that, a part takes away.

    So a part that is gone gives back.
    """
    lists = no_fewer_paths(absent_is_all=False, suffixes=JS)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        part = [node is not None and _is_part(node) for node in (before, after)]
        if before is None and part[1]:
            yield Worse(node=after, text="holds a part of the sources, where all was measured that tests load")
        if not (after is None and part[0]):
            yield from lists(before, after, paths)

    return check


def _is_part(node: Node) -> bool:
    items = words(node)
    return bool(items) and all(A_PART.fullmatch(canonical(item)) for item in items)


JEST = Tool(
    name="jest",
    places=(*modules("jest.config"), Place("jest.config.json"), Place("package.json", ("jest",))),
    rows=(
        Row("coverageThreshold.*.*", floor(), THRESHOLD, fallback=_global_floor),
        Row("projects.*.coveragePathIgnorePatterns", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("collectCoverage", flag(good=True), OFF),
        Row("collectCoverage.refused", flag(good=False), OFF),
        Row("collectCoverageFrom.in", _measured(), SCOPE),
        Row("collectCoverageFrom.out", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("coveragePathIgnorePatterns", no_more_paths(), EXCLUDE, MINOR_OMISSION),
    ),
    suffixes=JS,
    refine=_jest_refine,
    watches=SCRIPTS,
)


def vitest_shape(node: Node) -> Node:
    """Only `test` is vitest's; `thresholds.100` stands for all four metrics."""
    whole = exported(node)
    hidden, test = _hidden(whole), whole.at("test")
    if test is None:
        return whole.with_value(hidden or None)
    return test.with_value({**test.mapping, **hidden}) if isinstance(test.value, dict) else test


def _hidden(node: Node) -> dict[str, Node]:
    return {key: value for key, value in node.mapping.items() if key.startswith("...")}


def _refused(settings: dict[Key, Node], thresholds: Key, switch: Key) -> dict[Key, Node]:
    """Coverage with thresholds is meant to be measured (often by an option); a switch that says no refuses that."""
    found = settings.get(switch)
    if found and found.value is False and any(key[: len(thresholds)] == thresholds for key in settings):
        settings[(*switch, "refused")] = found.with_value(True)
    return settings


def projects(settings: dict[Key, Node], shape: Callable[[Node], Node | None]) -> dict[Key, Node]:
    """The projects of one configuration, by name or number; those that are only named are a list of folders."""
    node = settings.pop(("projects",), None)
    if node is not None and node.items and all(isinstance(item.value, str) for item in node.items):
        return split_list({**settings, FOLDERS: node}, FOLDERS)
    for index, item in enumerate(node.items if node else ()):
        part = shape(item)
        name = part.at("name") if part else None
        for key, value in flat(part).items():
            settings[("projects", canonical(name) if name else str(index), *key)] = value
    return settings


def _vitest_refine(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    settings = _refused(settings, ("coverage", "thresholds"), ("coverage", "enabled"))
    settings = projects(settings, lambda item: item.at("test"))
    thresholds = ("coverage", "thresholds")
    full = settings.get((*thresholds, "100"))
    if full and full.value is True:
        settings = {**{(*thresholds, metric): full for metric in METRICS}, **settings}
    for metric in METRICS:
        # The older place of the same four numbers.
        if ("coverage", metric) in settings:
            settings.setdefault((*thresholds, metric), settings[("coverage", metric)])
    return settings


def _vitest_global(key: Key) -> Key:
    return ("coverage", "thresholds", key[-1])


VITEST = Tool(
    name="vitest",
    places=tuple(
        Place(place.name, shape=vitest_shape) for name in ("vitest.config", "vite.config") for place in modules(name)
    ),
    rows=(
        *(Row(f"coverage.thresholds.{metric}", floor(), THRESHOLD) for metric in METRICS),
        *(Row(f"coverage.thresholds.*.{metric}", floor(), THRESHOLD, fallback=_vitest_global) for metric in METRICS),
        Row("coverage.thresholds.perFile", flag(good=True), THRESHOLD),
        Row("coverage.thresholds.autoUpdate", flag(good=False), "cfg.coverage.auto-update"),
        Row("coverage.enabled", flag(good=True), OFF),
        Row("coverage.enabled.refused", flag(good=False), OFF),
        Row("coverage.extension", no_less(), SCOPE),
        Row("coverage.customProviderModule", not_local(), "env.runner-replaced"),
        Row("coverage.all", flag(good=True, default=True), SCOPE),
        Row("coverage.include", _measured(), SCOPE),
        Row("coverage.exclude", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("allowOnly", flag(good=False), "cfg.test.allow-only"),
        Row("projects.*.allowOnly", flag(good=False), "cfg.test.allow-only"),
        Row("typecheck.ignoreSourceErrors", flag(good=False), "cfg.vitest.typecheck"),
        Row("typecheck.enabled", flag(good=True), "cfg.vitest.typecheck"),
    ),
    suffixes=JS,
    runs_tests=True,
    refine=_vitest_refine,
    watches=SCRIPTS,
)


def _unchecked(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Floors that nothing compares the result with are none."""
    switches = (settings.get((name,)) for name in ("check-coverage", "checkCoverage"))
    if any(node is not None and node.value is False for node in switches):
        return {key: node for key, node in settings.items() if key[0] not in METRICS}
    return settings


COUNTERS = tuple(
    Tool(
        name=name,
        places=(
            Place(f".{name}rc"),
            Place(f".{name}rc.json"),
            Place(f".{name}rc.yml"),
            Place(f".{name}rc.yaml"),
            *modules(f"{name}.config"),
            Place("package.json", (name,)),
        ),
        rows=(
            *(Row(metric, floor(), THRESHOLD) for metric in METRICS),
            Row("check-coverage", flag(good=True), THRESHOLD),
            Row("checkCoverage", flag(good=True), THRESHOLD),
            Row("100", flag(good=True), THRESHOLD),
            Row("per-file", flag(good=True), THRESHOLD),
            Row("all", flag(good=True), SCOPE),
            Row("include", no_fewer_paths(suffixes=JS), SCOPE),
            Row("exclude", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        ),
        suffixes=JS,
        refine=_unchecked,
        watches=SCRIPTS,
    )
    for name in ("nyc", "c8")
)

NEXT = Tool(
    name="next",
    places=modules("next.config"),
    rows=(
        Row("typescript.ignoreBuildErrors", flag(good=False), "cfg.next.errors-ignored"),
        Row("eslint.ignoreDuringBuilds", flag(good=False), "cfg.next.errors-ignored"),
        Row("typescript.tsconfigPath", same(), "cfg.other-configuration"),
        Row("eslint.dirs", no_fewer_paths(suffixes=JS), "cfg.next.errors-ignored"),
        Row("reactStrictMode", flag(good=True), "cfg.next.strict-mode"),
    ),
    suffixes=JS,
    watches=SCRIPTS,
)


def _accepted(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """Findings that ESLint has been told to accept, counted by file and rule: none may be added."""
    for key, node in after.items():
        now, was = number(node, 0), number(before.get(key), 0)
        if key[-1:] == ("count",) and isinstance(now, float) and (not isinstance(was, float) or now > was):
            yield Loss(
                rule="cfg.eslint.suppressions",
                key=" ".join(key[:-1]),
                text=f"rises to {now:g}",
                node=node,
                old=before.get(key),
            )


SUPPRESSIONS = Tool(
    name="eslint suppressions", places=(Place("eslint-suppressions.json"),), rows=(), suffixes=(), judge=_accepted
)

WEB: tuple[Tool, ...] = (JEST, VITEST, *COUNTERS, NEXT, SUPPRESSIONS)
