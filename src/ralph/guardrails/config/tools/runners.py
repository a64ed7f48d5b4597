"""Which tests JavaScript's runners collect and how they judge them: jest, vitest, Playwright, Cypress
(mocha and AVA: `mocha`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests, not_local
from ralph.guardrails.config.lattice import Check, Worse, absent, flag, floor, no_less, ranked, same
from ralph.guardrails.config.lists import patience
from ralph.guardrails.config.node import Key, Node, Opaque, Settings
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.mocha import AVA, MOCHA
from ralph.guardrails.config.tools.pictures import no_coarser
from ralph.guardrails.config.tools.unclaimed_tests import unclaimed
from ralph.guardrails.config.tools.web import SCRIPTS, modules, projects, vitest_shape
from ralph.record import replace
from ralph.system.patterns import later

FILTERED, EXCLUDED, COLLECTION = "cfg.test.filtered", "cfg.test.excluded", "cfg.test.collection"
NONE_ACCEPTED, IGNORED, RETRIES = "cfg.test.none-accepted", "cfg.check.failures-ignored", "cfg.test.retries"
SNAPSHOTS, WEAKER, FEW, ONLY = (
    "cfg.test.snapshots-rewritten",
    "cfg.test.weaker-run",
    "cfg.test.retries-few",
    "cfg.test.allow-only",
)
PARTLY, REPLACED, NOT_RUN = "cfg.test.partly", "env.runner-replaced", "cfg.test.not-run"
SHARED = frozenset((FILTERED, EXCLUDED, COLLECTION))
"""Rules about which tests run: of one project that says little."""
NO = later(r"(?:async\s*)?\w+\([^()]*\)\s*\{\s*return\s+false\s*;?\s*\}")
USUAL_NAMES = ("**/*.test.*", "**/*.spec.*", "**/__tests__/**")


def _both(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The same settings hold for each project; of several, one may hold what another leaves out."""
    only = (Row(f"projects.*.{row.key}", row.check, row.rule, row.minor_rule) for row in rows)
    shared = (
        Row(f"several.*.{row.key}", row.check, PARTLY if row.rule in SHARED else row.rule, row.minor_rule)
        for row in rows
    )
    return (*rows, *only, *shared)


def _counted(settings: Settings) -> Settings:
    """Settings of several projects are called `several`."""
    names = {key[1] for key in settings if len(key) > 1 and key[0] == "projects"}
    if len(names) < 2:
        return settings
    return {("several", *key[1:]) if key[:1] == ("projects",) else key: node for key, node in settings.items()}


def _jest(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Tests are found by globs or by regular expressions: whichever is said says it."""
    settings = projects(settings, lambda item: item)
    for key in [key for key in settings if key[-1:] in (("testMatch",), ("testRegex",))]:
        settings[(*key[:-1], "tests")] = settings[key]
    return _counted(settings)


def _kept_folders() -> Check:
    """A first list of projects, where all tests were one project, is for a person: what it holds may be all."""
    lists = no_fewer_tests(folders=True)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        yield from (replace(worse, minor=before is None) for worse in lists(before, after, paths))

    return check


FOLDER_ROWS = (
    Row("folders.in", _kept_folders(), COLLECTION, PARTLY),
    Row("folders.out", no_more_tests(), EXCLUDED),
)
"""Of projects that are named by their folders."""
JEST_ROWS = (
    Row("tests", no_fewer_tests(USUAL_NAMES, regex=True), COLLECTION),
    Row("roots", no_fewer_tests(folders=True), COLLECTION),
    Row("rootDir", no_fewer_tests(folders=True), COLLECTION),
    Row("testPathIgnorePatterns", no_more_tests(), EXCLUDED),
    Row("modulePathIgnorePatterns", no_more_tests(), EXCLUDED),
    Row("passWithNoTests", flag(good=False), NONE_ACCEPTED),
    Row("testFailureExitCode", floor(1), IGNORED),
    Row("forceExit", flag(good=False), WEAKER),
    Row("testNamePattern", filtered(), FILTERED),
    Row("filter", same(), "cfg.test.partly"),
    Row("onlyFailures", flag(good=False), FILTERED),
    *(Row(name, flag(good=False), FILTERED) for name in ("onlyChanged", "lastCommit", "findRelatedTests")),
    Row("changedSince", absent(), PARTLY),
    Row("listTests", flag(good=False), NOT_RUN),
    Row("updateSnapshot", absent(), SNAPSHOTS),
    Row("ci", flag(good=True), "cfg.test.snapshots-written"),
    Row("testRunner", not_local(), REPLACED),
    Row("runner", not_local(), REPLACED),
    Row("automock", flag(good=False), WEAKER),
    Row("testTimeout", patience(), WEAKER),
)
JEST = Tool(
    name="jest's tests",
    places=(*modules("jest.config"), Place("jest.config.json"), Place("package.json", ("jest",))),
    rows=(*_both(JEST_ROWS), *FOLDER_ROWS),
    suffixes=JS,
    relative=True,
    refine=_jest,
    judge=unclaimed("tests"),
    watches=SCRIPTS,
)


def _is_never(node: Node) -> bool:
    """A function that says no to everything: `() => false`, or a method that does nothing else."""
    return node.value is False or (isinstance(node.value, Opaque) and NO.fullmatch(node.value.text) is not None)


def _vitest(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """An `onUnhandledError` that always says no is the same as to ignore them all."""
    settings = projects(settings, lambda item: item.at("test"))
    for key in [key for key, node in settings.items() if key[-1:] == ("onUnhandledError",) and _is_never(node)]:
        settings[(*key[:-1], "dangerouslyIgnoreUnhandledErrors")] = settings.pop(key).with_value(True)
    return _counted(settings)


VITEST_ROWS = (
    Row("include", no_fewer_tests(USUAL_NAMES), COLLECTION),
    Row("exclude", no_more_tests(), EXCLUDED),
    Row("dir", no_fewer_tests(folders=True), COLLECTION),
    Row("root", no_fewer_tests(folders=True), COLLECTION),
    Row("testNamePattern", filtered(), FILTERED),
    Row("passWithNoTests", flag(good=False), NONE_ACCEPTED),
    Row("dangerouslyIgnoreUnhandledErrors", flag(good=False), IGNORED),
    Row("onUnhandledError", same(), WEAKER),
    Row("testTimeout", patience(), WEAKER),
    Row("hookTimeout", patience(), WEAKER),
    Row("retry", at_most_few(0), RETRIES, FEW),
    Row("retry.count", at_most_few(0), RETRIES, FEW),
    Row("update", absent(), SNAPSHOTS),
    *(Row(name, absent(), FILTERED) for name in ("changed", "related", "shard")),
    Row("typecheck.only", flag(good=False), FILTERED),
    Row("typecheck.include", no_fewer_tests(("**/*.test-d.ts", "**/*.spec-d.ts")), COLLECTION),
    Row("typecheck.exclude", no_more_tests(), EXCLUDED),
    Row("typecheck.checker", not_local(), REPLACED),
    Row("typecheck.tsconfig", same(), PARTLY),
    *(
        Row(f"browser.expect.toMatchScreenshot.comparatorOptions.{name}", no_coarser(name), IGNORED, WEAKER)
        for name in ("allowedMismatchedPixels", "allowedMismatchedPixelRatio", "threshold")
    ),
    Row("expect.requireAssertions", flag(good=True), NONE_ACCEPTED),
    Row("runner", not_local(), REPLACED),
)
VITEST = Tool(
    name="vitest's tests",
    places=tuple(
        Place(place.name, shape=vitest_shape) for name in ("vitest.config", "vite.config") for place in modules(name)
    ),
    rows=(*_both(VITEST_ROWS), *FOLDER_ROWS),
    suffixes=JS,
    runs_tests=True,
    relative=True,
    refine=_vitest,
    judge=unclaimed("include"),
    watches=SCRIPTS,
)


def _workspace(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """The whole file is one list."""
    return projects({("projects",): settings[()]} if () in settings else {}, lambda item: item.at("test"))


WORKSPACE = Tool(
    name="vitest's workspace",
    places=(*modules("vitest.workspace"), Place("vitest.workspace.json"), Place("vitest.projects.json")),
    rows=FOLDER_ROWS,
    suffixes=JS,
    needs_config=True,
    relative=True,
    refine=_workspace,
    watches=SCRIPTS,
)

PLAYWRIGHT_ROWS = (
    Row("testDir", no_fewer_tests(folders=True), COLLECTION),
    Row("testMatch", no_fewer_tests(regex=True), COLLECTION),
    Row("testIgnore", no_more_tests(), EXCLUDED),
    Row("grep", filtered(), FILTERED),
    Row("grepInvert", absent(), EXCLUDED),
    Row("retries", at_most_few(2), RETRIES, FEW),
    Row("forbidOnly", flag(good=True), ONLY),
    Row("updateSnapshots", ranked("all=changed missing none", "missing"), SNAPSHOTS),
    Row("ignoreSnapshots", flag(good=False), SNAPSHOTS),
    Row("failOnFlakyTests", flag(good=True), WEAKER),
    Row("shard.current", absent(), FILTERED),
    Row("repeatEach", floor(1), NOT_RUN),
    Row("timeout", patience(), WEAKER),
    Row("expect.timeout", patience(), WEAKER),
    Row("passWithNoTests", flag(good=False), NONE_ACCEPTED),
    *(
        Row(f"expect.{call}.{name}", no_coarser(name), IGNORED, WEAKER)
        for call in ("toHaveScreenshot", "toMatchSnapshot")
        for name in ("maxDiffPixels", "maxDiffPixelRatio", "threshold")
    ),
)


def _playwright(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Projects by their names, which are browsers and devices mostly."""
    listed = settings.get(("projects",))
    named = [name for item in (listed.items if listed is not None else ()) if (name := item.at("name")) is not None]
    found = _counted(projects(settings, lambda item: item))
    return {**found, ("named",): named[0].with_value(named)} if named else found


PLAYWRIGHT = Tool(
    name="playwright",
    places=modules("playwright.config"),
    rows=(*_both(PLAYWRIGHT_ROWS), Row("named", no_less(), PARTLY)),
    suffixes=JS,
    relative=True,
    refine=_playwright,
    judge=unclaimed("testMatch", folder="testDir"),
    by_invitation=True,
    watches=SCRIPTS,
)
ALTERS = later(r"\bconfig\.(?:specPattern|excludeSpecPattern|retries)\b(?!\s*[=!]==?)[\w.]*\s*=|\bretries\s*:")


def _cypress(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What a function does to the choice of tests and to their repetitions, before they run."""
    for key in [key for key in settings if key[-1:] == ("setupNodeEvents",)]:
        node = settings[key]
        if isinstance(node.value, Opaque) and (found := ALTERS.search(node.value.text)) is not None:
            settings[(*key[:-1], "altered")] = node.with_value(found[0])
    return settings


CYPRESS = Tool(
    name="cypress",
    places=(*modules("cypress.config"), Place("cypress.json")),
    rows=tuple(
        row
        for part in ("", "e2e.", "component.")
        for row in (
            Row(f"{part}specPattern", no_fewer_tests(), COLLECTION),
            Row(f"{part}excludeSpecPattern", no_more_tests(), EXCLUDED),
            Row(f"{part}retries", at_most_few(2), RETRIES, FEW),
            Row(f"{part}retries.runMode", at_most_few(2), RETRIES, FEW),
            Row(f"{part}retries.experimentalOptions.maxRetries", at_most_few(2), RETRIES, FEW),
            *(Row(f"{part}env.{name}", filtered(), FILTERED) for name in ("grep", "grepTags", "grepSpec")),
            Row(f"{part}altered", absent(), PARTLY),
        )
    ),
    suffixes=JS,
    relative=True,
    by_invitation=True,
    refine=_cypress,
    watches=SCRIPTS,
)

RUNNERS: tuple[Tool, ...] = (JEST, VITEST, WORKSPACE, PLAYWRIGHT, CYPRESS, MOCHA, AVA)
