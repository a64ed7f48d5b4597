"""Files of runners that are plain data: PHPUnit, TestNG, Cucumber on JUnit, test plans of Xcode, `dart_test.yaml`."""

from __future__ import annotations

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import absent, flag, no_fewer_paths, no_less, no_more_paths, ranked, same
from ralph.guardrails.config.node import Node, canonical, names, occurrences
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
FILTERED, COLLECTION, PARTLY = "cfg.test.filtered", "cfg.test.collection", "cfg.test.partly"
RETRIES, FEW, NONE_ACCEPTED = "cfg.test.retries", "cfg.test.retries-few", "cfg.test.none-accepted"
FAILS = names(
    "failOnWarning failOnRisky failOnDeprecation failOnNotice failOnSkipped failOnIncomplete failOnAllIssues "
    "failOnPhpunitDeprecation failOnPhpunitNotice failOnPhpunitWarning requireCoverageMetadata "
    "beStrictAboutOutputDuringTests beStrictAboutCoverageMetadata beStrictAboutChangesToGlobalState"
)
CONVERTS = names("convertWarningsToExceptions convertErrorsToExceptions convertNoticesToExceptions")
"""On by themselves as long as they were there; newer releases know none of them."""


def _texts(nodes: list[Node]) -> list[Node]:
    return [node.at("#text") or node for node in nodes if (node.at("#text") or node).value]


def _together(node: Node, found: dict[str, list[Node]]) -> Node:
    lists = {name: items[0].with_value(items) for name, items in found.items() if items}
    return node.with_value(lists)


def _phpunit(node: Node) -> Node:
    """The attributes of the outermost element, and what all suites hold together."""
    whole = node.at("phpunit") or node.with_value({})
    found: dict[str, list[Node]] = {"tests": [], "left out": [], "endings": []}
    outer = whole.at("testsuites") or whole
    for suite in occurrences(outer.at("testsuite")):
        folders = occurrences(suite.at("directory"))
        found["tests"] += _texts([*folders, *occurrences(suite.at("file"))])
        found["left out"] += _texts(occurrences(suite.at("exclude")))
        found["endings"] += [ending for folder in folders if (ending := folder.at("@suffix")) is not None]
    for part in ("source", "coverage"):
        for name, list_of in (("include", "measured"), ("exclude", "unmeasured")):
            around = whole.at(part, name)
            items = [item for kind in ("directory", "file") if around for item in occurrences(around.at(kind))]
            found.setdefault(list_of, []).extend(_texts(items))
    said = {key.removeprefix("@"): value for key, value in whole.mapping.items() if key.startswith("@")}
    for name in ("exclude", "include"):
        found[f"group {name}"] = _texts(occurrences(whole.at("groups", name, "group")))
    base = whole.at("source", "@baseline")
    told = {**said, **_together(node, found).mapping}
    inis = [each for each in occurrences(whole.at("php", "ini")) if each.at("@name") and each.at("@value")]
    told |= {f"ini {canonical(each.mapping['@name']).replace('.', ' ')}": each.mapping["@value"] for each in inis}
    return node.with_value({**told, "baseline": base} if base is not None else told)


PHPUNIT = Tool(
    name="phpunit",
    places=tuple(Place(name, shape=_phpunit) for name in ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")),
    rows=(
        *(Row(name, flag(good=True), IGNORED) for name in FAILS),
        *(Row(name, flag(good=True, default=True), IGNORED) for name in CONVERTS),
        Row("beStrictAboutTestsThatDoNotTestAnything", flag(good=True, default=True), NONE_ACCEPTED),
        Row("failOnEmptyTestSuite", flag(good=True), NONE_ACCEPTED),
        Row("tests", no_fewer_tests(folders=True), COLLECTION),
        Row("left out", no_more_tests(), EXCLUDED),
        Row("endings", same(), PARTLY),
        Row("group exclude", no_more_tests(), EXCLUDED),
        Row("group include", filtered(), FILTERED),
        Row("defaultTestSuite", filtered(), FILTERED),
        Row("measured", no_fewer_paths(suffixes=(".php",)), "cfg.coverage.scope"),
        Row("unmeasured", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
        Row("baseline", absent(), IGNORED),
        Row("ini zend assertions", ranked("-1=0 1", "1"), IGNORED),
        Row("ini error_reporting", ranked("0 -1=e_all=32767", "-1"), "cfg.test.weaker-run"),
    ),
    suffixes=(".php",),
    runs_tests=True,
    relative=True,
)


def _testng(node: Node) -> Node:
    found: dict[str, list[Node]] = {"tests": [], "left out": [], "chosen": [], "off": []}
    _of_suite(node.at("suite") or node.with_value({}), found)
    return _together(node, found)


def _of_suite(node: Node, found: dict[str, list[Node]]) -> None:
    for key, value in node.mapping.items():
        for item in occurrences(value) if not key.startswith("@") else ():
            name, enabled = item.at("@name"), item.at("@enabled")
            if key in ("class", "package") and name is not None:
                found["tests"].append(name)
            elif key == "exclude" and name is not None:
                found["left out"].append(name)
            elif key == "include" and name is not None:
                found["chosen"].append(name)
            if key == "test" and enabled is not None and canonical(enabled) == "false":
                found["off"].append(name or enabled)
            _of_suite(item, found)


TESTNG = Tool(
    name="testng",
    places=tuple(Place(name, shape=_testng) for name in ("testng.xml", "*testng*.xml")),
    rows=(
        Row("tests", no_less(), COLLECTION),
        Row("left out", no_more_tests(), EXCLUDED),
        Row("chosen", filtered(), FILTERED),
        Row("off", no_more_tests(), NOT_RUN),
    ),
    suffixes=(".java", ".kt", ".groovy", ".scala"),
    needs_config=True,
)


def _undotted(node: Node) -> Node:
    """Names of properties with dashes for their dots, which part names here."""
    return node.with_value({key.replace(".", "-"): value for key, value in node.mapping.items()})


PROPERTIES = ("junit-platform.properties", "cucumber.properties", "kotest.properties")
JUNIT = Tool(
    name="junit's platform",
    places=tuple(Place(name, shape=_undotted) for name in PROPERTIES),
    relative=True,
    everywhere=True,
    rows=(
        *(
            Row(name, filtered(), FILTERED)
            for name in (
                "cucumber-filter-tags",
                "cucumber-filter-name",
                "kotest-tags",
                "kotest-filter-specs",
                "kotest-filter-tests",
            )
        ),
        Row("cucumber-execution-dry-run", flag(good=False), NOT_RUN),
    ),
    suffixes=(".java", ".kt", ".groovy", ".scala"),
)


def _plan(node: Node) -> Node:
    """Targets of a test plan by their names."""
    found: dict[str, list[Node]] = {"targets": [], "skipped": [], "selected": []}
    for item in occurrences(node.at("testTargets")):
        name, off = item.at("target", "name"), item.at("enabled")
        if name is not None and not (off is not None and off.value is False):
            found["targets"].append(name)
        for list_of, key in (("skipped", "skippedTests"), ("selected", "selectedTests")):
            said = item.at(key)
            found[list_of] += said.items if said is not None else []
    options = node.at("defaultOptions") or node.with_value({})
    tags = options.at("skippedTags", "tags")
    found["skipped"] += tags.items if tags is not None else []
    plain = {name: value for name, value in options.mapping.items() if not value.mapping}
    return node.with_value({**plain, **_together(node, found).mapping})


PLAN = Tool(
    name="test plan",
    places=(Place("*.xctestplan", shape=_plan),),
    rows=(
        Row("targets", no_less(), COLLECTION),
        Row("skipped", no_more_tests(), EXCLUDED),
        Row("selected", filtered(), FILTERED),
        Row("codeCoverage", flag(good=True, default=True), "cfg.coverage.off"),
        Row(
            "testRepetitionMode",
            ranked("retryonfailure=untilsuccess none=fixediterations=untilfailure", "none"),
            RETRIES,
        ),
    ),
    suffixes=(".swift", ".m", ".mm"),
    needs_config=True,
)
DART = Tool(
    name="dart's tests",
    places=(Place("dart_test.yaml"),),
    rows=(
        Row("exclude_tags", no_more_tests(), EXCLUDED),
        *(Row(name, filtered(), FILTERED) for name in ("include_tags", "names", "plain_names")),
        Row("paths", no_fewer_tests(("test",), folders=True), COLLECTION),
        Row("filename", no_fewer_tests(("*_test.dart",)), COLLECTION),
        *(Row(name, absent(), NOT_RUN) for name in ("skip", "tags.*.skip")),
        *(Row(name, at_most_few(0), RETRIES, FEW) for name in ("retry", "tags.*.retry")),
        Row("test_on", same(), PARTLY),
    ),
    suffixes=(".dart",),
)
MORE_RUNNERS: tuple[Tool, ...] = (PHPUNIT, TESTNG, JUNIT, PLAN, DART)
