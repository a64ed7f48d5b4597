"""What a Node project says of its tests, commits, packages and releases: Bun, commitlint, depcheck and others."""

from __future__ import annotations

from ralph.guardrails.config.filters import at_most_few, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import absent, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.node_linters import IGNORED, PRESET, linter
from ralph.guardrails.config.tools.web import EXCLUDE, JS, MINOR_OMISSION, OFF, THRESHOLD, modules

BUN = Tool(
    name="bun",
    places=(Place("bunfig.toml", ("test",)),),
    rows=(
        Row("coverageThreshold", floor(), THRESHOLD),
        *(Row(f"coverageThreshold.{name}", floor(), THRESHOLD) for name in ("lines", "functions", "statements")),
        Row("coverage", flag(good=True), OFF),
        Row("coveragePathIgnorePatterns", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("root", no_fewer_tests(folders=True), "cfg.test.collection"),
        Row("pathIgnorePatterns", no_more_tests(), "cfg.test.excluded"),
        Row("retry", at_most_few(0), "cfg.test.retries", "cfg.test.retries-few"),
        Row("onlyFailures", flag(good=False), "cfg.test.filtered"),
    ),
    suffixes=JS,
    runs_tests=True,
)
COMMITLINT = linter(
    "commitlint",
    (
        *modules("commitlint.config"),
        *(Place(f".commitlintrc{end}") for end in (".json", ".yml", ".yaml")),
        *modules(".commitlintrc"),
        Place("package.json", ("commitlint",)),
    ),
    (Row("extends", no_less(), PRESET), Row("ignores", no_more(), IGNORED)),
    (),
    "off",
)
DEPCHECK = Tool(
    name="depcheck",
    places=tuple(Place(f".depcheckrc{end}") for end in (".json", ".yml", ".yaml")),
    rows=(
        Row("ignores", no_more(usual=r"[@\w].*"), IGNORED, MINOR_EXCLUSION),
        *(Row(name, flag(good=False), IGNORED) for name in ("skip-missing", "skipMissing")),
        *(Row(name, no_more_paths(), IGNORED, MINOR_EXCLUSION) for name in ("ignore-patterns", "ignorePatterns")),
    ),
    suffixes=(),
    by_invitation=True,
)
API_EXTRACTOR = Tool(
    name="api-extractor",
    places=(Place("api-extractor.json"),),
    rows=(
        Row("apiReport.enabled", flag(good=True), IGNORED),
        Row("messages.*.*.logLevel", ranked("none verbose info warning error", "warning"), IGNORED),
    ),
    suffixes=(),
)
NP = Tool(
    name="np",
    places=(Place(".np-config.json"), *modules(".np-config"), Place("package.json", ("np",))),
    rows=(
        Row("yolo", flag(good=False), "cfg.test.not-run"),
        Row("tests", flag(good=True, default=True), "cfg.test.not-run"),
        Row("testScript", absent(), "cfg.test.partly"),
    ),
    suffixes=(),
)
NODE_WORKSPACE: tuple[Tool, ...] = (BUN, COMMITLINT, DEPCHECK, API_EXTRACTOR, NP)
