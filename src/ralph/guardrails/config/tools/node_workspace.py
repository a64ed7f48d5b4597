"""What a Node project says of its tests, commits, packages and releases: Bun, commitlint, depcheck and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.filters import at_most_few, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import Worse, absent, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.node_linters import IGNORED, PRESET, RULE_OFF, linter
from ralph.guardrails.config.tools.web import EXCLUDE, MINOR_OMISSION, OFF, THRESHOLD, modules
from ralph.record import replace

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


def _milder_rule(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """A rule that a preset brings, and that is off or only warns from now on."""
    level = canonical(after.items[0]) if before is None and after is not None and after.items else ""
    if after is not None and level in ("0", "1"):
        yield Worse(node=after, text=f"is {level}")


def _numbered(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """The numbers that rules let messages reach stand for themselves."""
    found = dict(LEVELLED.refine(side, directory, settings) if LEVELLED.refine else settings)
    for key, node in settings.items():
        if key[:1] == ("rules",) and "-max-" in key[-1] and len(node.items) > 2:
            found["limits", key[-1]] = node.items[2]
    return found


LEVELLED = linter(
    "commitlint",
    (
        *modules("commitlint.config"),
        *(Place(f".commitlintrc{end}") for end in (".json", ".yml", ".yaml")),
        *modules(".commitlintrc"),
        Place("package.json", ("commitlint",)),
    ),
    (
        Row("extends", no_less(), PRESET),
        Row("ignores", no_more(), IGNORED),
        Row("rules.*", _milder_rule, RULE_OFF),
        limit("limits.*"),
    ),
    (),
    "off",
)
COMMITLINT = replace(LEVELLED, refine=_numbered)
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
