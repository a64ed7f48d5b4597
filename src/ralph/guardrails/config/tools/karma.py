"""Karma: the floors of its coverage, and which tests it runs."""

from __future__ import annotations

from ralph.guardrails.config.filters import no_more_tests
from ralph.guardrails.config.floors import METRICS
from ralph.guardrails.config.lattice import flag, floor
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Tool
from ralph.guardrails.config.tools.web import JS, SCRIPTS, THRESHOLD, modules

FLOORS = ("coverageReporter.check", "coverageIstanbulReporter.thresholds")

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
        Row("exclude", no_more_tests(), "cfg.test.excluded"),
        Row("failOnEmptyTestSuite", flag(good=True, default=True), "cfg.test.none-accepted"),
    ),
    suffixes=JS,
    watches=SCRIPTS,
)
