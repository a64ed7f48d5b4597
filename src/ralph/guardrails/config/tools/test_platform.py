"""Arguments that a project gives the programs of its tests: Microsoft.Testing.Platform (policy set v2, G09, G10, G14).

Rule: what `dotnet test -- --retry-failed-tests 3` says on the command line, `TestingPlatformCommandLineArguments` says
in a project or in what it gets properties from. It holds for every run, and the commands do not show it.
"""

from __future__ import annotations

from ralph.guardrails.config.filters import at_most_few, filtered, no_more_tests
from ralph.guardrails.config.lattice import absent, flag, floor
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.rows import Row
from ralph.system.patterns import later

PROPERTIES = ("TestingPlatformCommandLineArguments", "UnitTestPlatformCommandLineArguments")
OPTION = later(r"(?:^|\s)--?(?P<name>[a-z][a-z-]+)(?:[ \t=:]+(?P<value>\"[^\"]*\"|'[^']*'|(?!-)\S+))?")
_NAME = "TestingPlatform"
_FILTERS = names(
    "filter filter-class filter-method filter-namespace filter-trait filter-query filter-uid treenode-filter"
)
_WITHOUT = ("filter-not-class", "filter-not-method", "filter-not-namespace", "filter-not-trait")


def of_platform(settings: Settings) -> dict[Key, Node]:
    """The options by their names; those that are given several times hold all that they were given."""
    found: dict[Key, Node] = {}
    for said in (settings[(name,)] for name in PROPERTIES if (name,) in settings):
        for match in OPTION.finditer(canonical(said)):
            key = (_NAME, match["name"])
            value = said.with_value((match["value"] or "true").strip("\"'"))
            known = found[key].items if key in found and match["name"] in _WITHOUT else []
            found[key] = said.with_value([*known, value]) if known else value
    return found


PLATFORM_ROWS: tuple[Row, ...] = (
    Row(f"{_NAME}.retry-failed-tests", at_most_few(0), "cfg.test.retries", "cfg.test.retries-few"),
    Row(f"{_NAME}.ignore-exit-code", absent(), "cfg.check.failures-ignored"),
    Row(f"{_NAME}.list-tests", flag(good=False), "cfg.test.not-run"),
    Row(f"{_NAME}.minimum-expected-tests", floor(), "cfg.test.none-accepted"),
    *(Row(f"{_NAME}.{name}", filtered(), "cfg.test.filtered") for name in sorted(_FILTERS)),
    *(Row(f"{_NAME}.{name}", no_more_tests(), "cfg.test.excluded", "cfg.test.partly") for name in _WITHOUT),
)
