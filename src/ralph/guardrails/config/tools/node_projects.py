"""More runners of Node's projects: Jasmine, tap, and ts-jest, which checks types as it compiles."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.filters import filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import flag, floor, no_more, no_more_paths
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.rows import Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, THRESHOLD, modules

COLLECTION, EXCLUDED, FILTERED = "cfg.test.collection", "cfg.test.excluded", "cfg.test.filtered"
TYPES = "cfg.tsconfig.check-off"
TS_JEST = ("ts-jest", "ts-jest/")


def _spec_files(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Patterns are seen from `spec_dir`."""
    folder, files = settings.pop(("spec_dir",), None), settings.get(("spec_files",))
    if files is not None:
        place = canonical(folder) if folder is not None else ""
        settings[("spec_files",)] = files.with_value([item.with_value(_below(place, item)) for item in files.items])
    return settings


def _below(folder: str, item: Node) -> str:
    name = canonical(item)
    path = posixpath.normpath(posixpath.join(folder, name.removeprefix("!")))
    return f"!{path}" if name.startswith("!") else path


JASMINE = Tool(
    name="jasmine",
    places=(Place("jasmine.json"), *modules("jasmine")),
    rows=(
        Row("spec_files", no_fewer_tests(), COLLECTION),
        Row("filter", filtered(), FILTERED),
        Row("env.failSpecWithNoExpectations", flag(good=True), "cfg.test.none-accepted"),
    ),
    suffixes=JS,
    refine=_spec_files,
    watches=SCRIPTS,
)
TAP = Tool(
    name="tap",
    places=(Place(".taprc"), Place("package.json", ("tap",))),
    rows=(
        *(
            Row(name, flag(good=False), THRESHOLD)
            for name in ("allow-incomplete-coverage", "allow-empty-coverage", "disable-coverage")
        ),
        Row("check-coverage", flag(good=True, default=True), THRESHOLD),
        *(Row(metric, floor(), THRESHOLD) for metric in METRICS),
        Row("include", no_fewer_tests(), COLLECTION),
        Row("exclude", no_more_tests(), EXCLUDED),
        Row("grep", filtered(), FILTERED),
        *(Row(name, flag(good=False), FILTERED) for name in ("only", "invert", "changed")),
        Row("snapshot", flag(good=False), "cfg.test.snapshots-rewritten"),
    ),
    suffixes=JS,
)


def _ts_jest(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """The options of ts-jest, wherever they stand; `()` where it is used at all."""
    found: dict[Key, Node] = {}
    preset = settings.get(("preset",))
    if preset is not None and canonical(preset).startswith(TS_JEST):
        found[("used",)] = preset
    for key, node in settings.items():
        if key[:1] == ("transform",) and node.items and canonical(node.items[0]).startswith(TS_JEST):
            found[("used",)] = node
            given = node.items[1] if len(node.items) > 1 else None
            found |= {("options", *name): each for name, each in flat(given).items()}
        if key[:2] == ("globals", "ts-jest"):
            found[("options", *key[2:])] = node
    return found


TS_JEST_ROWS = (
    Row("options.diagnostics", flag(good=True, default=True), TYPES),
    Row("options.diagnostics.warnOnly", flag(good=False), TYPES),
    Row("options.diagnostics.ignoreCodes", no_more(("6059", "18002", "18003")), TYPES),
    Row("options.diagnostics.exclude", no_more_paths(), TYPES),
    Row("options.isolatedModules", flag(good=False), "cfg.test.weaker-run"),
)


def _types_checked(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Where ts-jest compiled before: what never checked types takes nothing away."""
    if ("used",) in before and ("used",) in after:
        yield from compare_rows(TS_JEST_ROWS, before, after, paths)


TS_JEST_TOOL = Tool(
    name="ts-jest",
    places=(*modules("jest.config"), Place("jest.config.json"), Place("package.json", ("jest",))),
    rows=(),
    suffixes=JS,
    refine=_ts_jest,
    judge=_types_checked,
    watches=SCRIPTS,
)
NODE_PROJECTS: tuple[Tool, ...] = (JASMINE, TAP, TS_JEST_TOOL)
