"""Runners of tests from end to end, and of scenarios: WebdriverIO, Nightwatch, TestCafe, CodeceptJS, Web Test Runner,
Cucumber, behave, Behat, Codeception, Molecule.

Where tests are none of a language that is read here (`.feature`), another choice of them is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import Worse, flag, floor, no_less, no_more_paths, same, words
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, exported

FILTERED, EXCLUDED, COLLECTION = "cfg.test.filtered", "cfg.test.excluded", "cfg.test.collection"
IGNORED, NOT_RUN, PARTLY = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.partly"
RETRIES, FEW, WEAKER = "cfg.test.retries", "cfg.test.retries-few", "cfg.test.weaker-run"
PROVES = frozenset(names("verify idempotence syntax lint side_effect"))
"""Steps of Molecule that test; the others set up and clean up."""


def _config(node: Node) -> Node:
    """`exports.config = {}`, a profile called `default`, or what is exported."""
    whole = exported(node)
    return whole.at("config") or whole.at("default") or whole


def _places(*stems: str) -> tuple[Place, ...]:
    return tuple(Place(f"{stem}{end}", shape=_config) for stem in stems for end in SCRIPTS)


def _no_proof_less(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    for worse in no_less()(before, after, paths) if after is not None else ():
        if worse.text.removeprefix("loses ") in PROVES:
            yield worse


def _other_places(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Folders of scenarios; a list that only grew holds what it held."""
    old, new = ({canonical(item) for item in words(node)} for node in (before, after))
    if not (old and old <= new):
        yield from same()(before, after, paths)


def _runner(name: str, places: tuple[Place, ...], *rows: Row, programs: tuple[str, ...] = ()) -> Tool:
    return Tool(
        name=name,
        places=places,
        rows=rows,
        suffixes=(),
        relative=True,
        adds_only=True,
        programs=programs,
        watches=SCRIPTS,
    )


def _repeats(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, at_most_few(0), RETRIES, FEW) for key in keys)


WEBDRIVER = _runner(
    "webdriverio",
    _places("wdio.conf", "wdio.shared.conf", "wdio.ci.conf", "wdio.base.conf"),
    Row("specs", no_fewer_tests(), COLLECTION),
    Row("exclude", no_more_tests(), EXCLUDED),
    *_repeats("specFileRetries", "mochaOpts.retries", "cucumberOpts.retry", "jasmineOpts.retries"),
    *(Row(key, filtered(), FILTERED) for key in ("mochaOpts.grep", "jasmineOpts.grep", "cucumberOpts.tags")),
    Row("cucumberOpts.tagExpression", filtered(), FILTERED),
    Row("cucumberOpts.strict", flag(good=True), IGNORED),
    *(Row(key, flag(good=False), NOT_RUN) for key in ("cucumberOpts.dryRun", "mochaOpts.dryRun")),
    programs=("wdio",),
)
NIGHTWATCH = _runner(
    "nightwatch",
    (*_places("nightwatch.conf"), Place("nightwatch.json")),
    Row("src_folders", no_fewer_tests(folders=True), COLLECTION),
    *(Row(f"{at}exclude", no_more_tests(), EXCLUDED) for at in ("", "test_settings.*.")),
    *(
        Row(f"{at}{key}", filtered(), FILTERED)
        for at in ("", "test_settings.*.")
        for key in ("skiptags", "tag_filter", "skipgroup", "filter")
    ),
)
TESTCAFE = _runner(
    "testcafe",
    (Place(".testcaferc.json"), *_places(".testcaferc")),
    Row("src", no_fewer_tests(), COLLECTION),
    *(Row(name, flag(good=False), IGNORED) for name in ("skipJsErrors", "skipUncaughtErrors")),
    Row("quarantineMode", flag(good=False), RETRIES),
    Row("quarantineMode.attemptLimit", at_most_few(0), RETRIES, FEW),
    *(Row(f"filter.{name}", filtered(), FILTERED) for name in names("test testGrep fixture fixtureGrep testMeta")),
)
CODECEPT = _runner(
    "codeceptjs",
    _places("codecept.conf"),
    Row("tests", no_fewer_tests(), COLLECTION),
    Row("gherkin.features", _other_places, PARTLY),
    Row("grep", filtered(), FILTERED),
    *_repeats("retry", "mocha.retries"),
    *(Row(f"plugins.{name}.enabled", flag(good=False), WEAKER) for name in ("retryFailedStep", "retryTo", "tryTo")),
)
WEB_TEST_RUNNER = _runner(
    "web-test-runner",
    _places("web-test-runner.config"),
    Row("files", no_fewer_tests(), COLLECTION),
    Row("coverage", flag(good=True), "cfg.coverage.off"),
    *(Row(f"coverageConfig.threshold.{name}", floor(), "cfg.coverage.threshold") for name in METRICS),
    Row("coverageConfig.exclude", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
    Row("testFramework.config.grep", filtered(), FILTERED),
    *_repeats("testFramework.config.retries"),
    programs=("wtr",),
)
CUCUMBER = _runner(
    "cucumber",
    (*_places("cucumber"), *(Place(f"cucumber.{end}", shape=exported) for end in ("json", "yaml", "yml"))),
    Row("paths", _other_places, PARTLY),
    Row("strict", flag(good=True, default=True), IGNORED),
    Row("dryRun", flag(good=False), NOT_RUN),
    *_repeats("retry"),
    *(Row(name, filtered(), FILTERED) for name in ("tags", "name")),
    programs=("cucumber-js",),
)
BEHAVE = _runner(
    "behave",
    (
        *(Place(name, ("behave",)) for name in ("behave.ini", ".behaverc", "setup.cfg", "tox.ini")),
        Place("pyproject.toml", ("tool", "behave")),
    ),
    *(Row(name, filtered(), FILTERED) for name in ("tags", "default_tags", "name", "include_re")),
    Row("exclude_re", filtered(), EXCLUDED),
    Row("paths", _other_places, PARTLY),
    Row("dry_run", flag(good=False), NOT_RUN),
)
BEHAT = _runner(
    "behat",
    tuple(Place(f"behat.{end}") for end in ("yml", "yaml", "yml.dist", "yaml.dist", "dist.yml")),
    *(
        Row(f"{at}filters.{name}", filtered(), FILTERED)
        for at in ("*.suites.*.", "*.gherkin.")
        for name in ("tags", "name")
    ),
    Row("*.suites.*.paths", _other_places, PARTLY),
)
CODECEPTION = _runner(
    "codeception",
    tuple(Place(f"codeception.{end}") for end in ("yml", "yaml", "dist.yml")),
    Row("coverage.enabled", flag(good=True), "cfg.coverage.off"),
    Row("coverage.exclude", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
    programs=("codecept",),
)
MOLECULE = _runner(
    "molecule",
    (Place("molecule.yml"), Place("molecule.yaml")),
    *(Row(f"scenario.{name}_sequence", _no_proof_less, NOT_RUN) for name in ("test", "check", "verify")),
    Row("verifier.enabled", flag(good=True, default=True), NOT_RUN),
)
END_TO_END: tuple[Tool, ...] = (
    *(WEBDRIVER, NIGHTWATCH, TESTCAFE, CODECEPT, WEB_TEST_RUNNER),
    *(CUCUMBER, BEHAVE, BEHAT, CODECEPTION, MOLECULE),
)
