"""Karma: the floors of its coverage, and which tests it runs."""

from __future__ import annotations

from itertools import pairwise

from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Tool
from ralph.guardrails.config.tools.web import SCRIPTS, THRESHOLD, modules

FLOORS = ("coverageReporter.check", "coverageIstanbulReporter.thresholds")


def _files(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Files as names alone, where some are tables; a filter among the arguments of a client as one of its own."""
    node = settings.get(("files",))
    if node is not None:
        names = [item.at("pattern") or item for item in node.items]
        settings[("files",)] = node.with_value([each for each in names if isinstance(each.value, str)])
    given = settings.get(("client", "args"))
    words = given.items if given is not None else []
    for one, word in pairwise(words):
        if canonical(one) == "--grep":
            settings[("client", "grep")] = word
    return settings


KARMA = Tool(
    name="karma",
    places=modules("karma.conf"),
    rows=(
        *(
            Row(f"{at}.{of}.{metric}", floor(), THRESHOLD)
            for at in FLOORS
            for of in ("global", "each")
            for metric in METRICS
        ),
        Row("coverageIstanbulReporter.thresholds.emitWarning", flag(good=False), THRESHOLD),
        Row("files", no_fewer_tests(), "cfg.test.collection"),
        *(Row(f"client.{name}", filtered(), "cfg.test.filtered") for name in ("grep", "mocha.grep", "jasmine.filter")),
        Row("client.mocha.retries", at_most_few(0), "cfg.test.retries", "cfg.test.retries-few"),
        Row("client.jasmine.failSpecWithNoExpectations", flag(good=True), "cfg.test.none-accepted"),
        Row("failOnSkippedTests", flag(good=True), "cfg.check.failures-ignored"),
        Row("failOnFailingTestSuite", flag(good=True, default=True), "cfg.check.failures-ignored"),
        Row("exclude", no_more_tests(), "cfg.test.excluded"),
        Row("failOnEmptyTestSuite", flag(good=True, default=True), "cfg.test.none-accepted"),
    ),
    suffixes=JS,
    refine=_files,
    watches=SCRIPTS,
)
