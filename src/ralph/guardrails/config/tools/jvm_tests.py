"""Which tests Maven runs, what its plugins check, and what becomes of failures (for Gradle see `gradle_tests`)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import absent, ceiling, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names, occurrences
from ralph.guardrails.config.rows import Loss, Row, compare_rows, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.gradle_tests import GRADLE, SUFFIXES, no_tests_there
from ralph.guardrails.config.tools.maven_profiles import without_unasked
from ralph.guardrails.config.tools.maven_settings import PROPERTIES, arguments_kept, enforced, in_ci
from ralph.guardrails.config.tools.switched_assertions import UNCHECKED, unchecked
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
FILTERED, COLLECTION, RETRIES, FEW = (
    "cfg.test.filtered",
    "cfg.test.collection",
    "cfg.test.retries",
    "cfg.test.retries-few",
)
MAVEN_FILES = ("pom.xml", "settings.xml", "*-settings.xml")
PLUGINS = later(r"surefire|failsafe|checkstyle|pmd|spotbugs|findbugs|jacoco|spotless|pitest")
OTHER_PLUGINS = later(
    r"enforcer|maven-dependency|dependency-check|license|animal-sniffer|japicmp|revapi|modernizer|forbiddenapis|sortpom"
    r"|ossindex|archunit|maven-compiler"
)
BREAKS = names(
    "breakBuildOnModifications breakBuildOnBinaryIncompatibleModifications breakBuildOnSourceIncompatibleModifications "
    "breakBuildBasedOnSemanticVersioning"
)
OF_OTHERS = {
    **{name: name for name in ("skip", "fail", "failOnWarning", "failIfMissing", "failBuildOnCVSS", "failOnViolation")},
    **{
        name: name
        for name in ("enforced", "compilerArgs", "compilerArgument", "showWarnings", "failOnError", "ignores")
    },
    **{name: name for name in (*BREAKS, "violationIgnore")},
    "testExcludes": "excludes",
}
"""What is asked of plugins whose lists are about something else than tests."""
CHECK_OFF, PARTLY = "cfg.jvm.check-off", "cfg.test.partly"
THRESHOLD, EXCLUDE = "cfg.coverage.threshold", "cfg.coverage.exclude"
CHOICES = names("suiteXmlFiles excludedTestClasses includeJUnit5Engines excludeJUnit5Engines")
"""Which tests these choose only running could tell."""


def _maven(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in (path for name in MAVEN_FILES for path in files_named(side, name)):
        side.touched = set()
        node = side.node(path)
        if node:
            asked = without_unasked(side, node)
            said = unchecked(_elements(asked, ""), "enableAssertions", side, posixpath.dirname(path))
            found[path] = Unit({key: in_ci(value) for key, value in said}, (path,))
    return found


def _elements(node: Node, plugin: str) -> Iterator[tuple[Key, Node]]:
    """The configurations of plugins that check, each under its plugin's name; properties that reach them."""
    name = node.at("artifactId")
    inner = canonical(name) if name else plugin
    for key, value in node.mapping.items():
        for item in occurrences(value):
            if key == "properties":
                yield from (
                    ((known, "property " + each), found)
                    for each, found in item.mapping.items()
                    if (known := PROPERTIES.get(each, None) or (each if each in PROPERTIES else ""))
                )
            elif key == "configuration" and PLUGINS.search(inner):
                yield from _configuration(item, inner)
            elif key == "configuration" and OTHER_PLUGINS.search(inner):
                found = _configuration(item, inner)
                yield from (((OF_OTHERS[name], inner), node) for (name, _), node in found if name in OF_OTHERS)
            elif key == "executions" and (PLUGINS.search(inner) or OTHER_PLUGINS.search(inner)):
                yield ("bound", inner), item.with_value(inner)
                yield from _elements(item, inner)
            elif key == "testSourceDirectory":
                yield ("sources", inner), item
            else:
                yield from _elements(item, inner)


def _configuration(node: Node, plugin: str) -> Iterator[tuple[Key, Node]]:
    for key, value in node.mapping.items():
        if key == "rules" and "enforcer" in plugin:
            yield ("enforced", plugin), enforced(node, value)
            continue
        if key == "parameter" and value.mapping:
            own = ((key, found) for key, found in _configuration(value, plugin))
            yield from ((("violationIgnore", plugin) if key[0] == "excludes" else key, found) for key, found in own)
            continue
        if key == "rules":
            yield from (
                (("excludes", f"{plugin} rule"), left_out)
                for rule in occurrences(value.at("rule"))
                if (left_out := rule.at("excludes", "exclude")) is not None
            )
        lists = (value.at(key.removesuffix("s")) or value.at("param")) if value.mapping else None
        yield (("skip" if key in ("skipTests", "skipITs", "skipExec") else key), plugin), lists or value


def _of_words(node: Node) -> Node:
    """Property names are flat; their dots are no path."""
    return node.with_value({key.replace(".", " "): value for key, value in node.mapping.items()})


GRADLE_PROPERTIES = Tool(
    name="gradle's properties",
    places=(Place("gradle.properties", shape=_of_words),),
    rows=(
        Row("org gradle warning mode", ranked("none summary all fail", "summary"), IGNORED),
        Row("org gradle dependency verification", ranked("off lenient strict", "strict"), IGNORED),
    ),
    suffixes=(),
    adds_only=True,
)
WITH_DEFAULTS = (
    Row("fail.*", flag(good=True, default=True), IGNORED),
    Row("failIfMissing.*", flag(good=True, default=True), IGNORED),
    Row("failurePriority.*", floor(5), IGNORED),
    Row("maxAllowedViolations.*", ceiling(0), IGNORED),
    Row("violationSeverity.*", ranked("error warning info ignore", "error"), CHECK_OFF),
    *(
        Row(f"{name}.spotbugs-maven-plugin", ranked("high medium=default low exp=experimental", usual), CHECK_OFF)
        for name, usual in (("threshold", "default"), ("failThreshold", "low"))
    ),
    Row("effort.spotbugs-maven-plugin", ranked("min less default more max", "default"), CHECK_OFF),
    Row("minimumPriority.*", floor(5), CHECK_OFF),
    limit("minimumTokens.*", 100),
    Row("omitVisitors.*", no_more(), CHECK_OFF),
    Row("onlyAnalyze.*", filtered(), CHECK_OFF),
    Row("excludeRoots.*", no_more_paths(), CHECK_OFF),
    Row("failWhenNoMutations.*", flag(good=True, default=True), "cfg.test.none-accepted"),
    Row("ignores.*", no_more(usual=r"[^*]*"), CHECK_OFF),
)


def _of_plugins_that_were_there(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """A plugin that arrives takes nothing away, however mild it is at first."""
    known = {key[1] for key in before if key[0] == "bound"}
    old, new = ({key: node for key, node in side.items() if key[-1] in known} for side in (before, after))
    yield from compare_rows(WITH_DEFAULTS, old, new, paths)


MAVEN = Tool(
    name="maven's tests",
    places=tuple(Place(name) for name in MAVEN_FILES),
    rows=(
        Row("skip.*", flag(good=False), NOT_RUN),
        Row("testFailureIgnore.*", flag(good=False), IGNORED),
        Row("failIfNoTests.*", flag(good=True), "cfg.test.none-accepted"),
        Row("failIfNoSpecifiedTests.*", flag(good=True, default=True), "cfg.test.none-accepted"),
        Row("failOnViolation.*", flag(good=True, default=True), IGNORED),
        Row("failsOnViolation.*", flag(good=True, default=True), IGNORED),
        Row("failsOnError.*", flag(good=True), IGNORED),
        Row("failOnError.*", flag(good=True, default=True), IGNORED),
        Row("failOnWarning.*", flag(good=True), IGNORED),
        Row("failBuildOnCVSS.*", ceiling(), IGNORED),
        Row("enforced.*", no_less(), CHECK_OFF),
        Row("compilerArgs.*", arguments_kept, CHECK_OFF),
        Row("compilerArgument.*", arguments_kept, CHECK_OFF),
        Row("showWarnings.*", flag(good=True), CHECK_OFF),
        *(Row(f"{name}.*", flag(good=True), IGNORED) for name in BREAKS),
        *(Row(f"{name}Threshold.*", floor(), THRESHOLD) for name in ("mutation", "coverage", "testStrength")),
        *(Row(f"{name}.*", no_more(), EXCLUDE) for name in ("excludedClasses", "excludedMethods")),
        Row("violationIgnore.*", no_more(), CHECK_OFF),
        Row("allowed.*", ceiling(0), IGNORED),
        Row("excludesFile.*", absent(), EXCLUDED),
        Row("includesFile.*", absent(), FILTERED),
        Row("sources.*", no_tests_there, COLLECTION),
        Row("testClassesDirectory.*", absent(), PARTLY),
        *(Row(f"{name}.*", absent(), PARTLY) for name in CHOICES),
        Row("enableAssertions.*", flag(good=True, default=True), "cfg.test.weaker-run"),
        UNCHECKED,
        Row("excludes.*", no_more_tests(), EXCLUDED),
        Row("includes.*", no_fewer_tests(("**/*Test.java", "**/Test*.java", "**/*Tests.java"), regex=True), COLLECTION),
        Row("excludedGroups.*", no_more_tests(), EXCLUDED),
        Row("groups.*", filtered(), FILTERED),
        Row("test.*", filtered(), FILTERED),
        Row("rerunFailingTestsCount.*", at_most_few(0), RETRIES, FEW),
    ),
    suffixes=SUFFIXES,
    units=_maven,
    judge=_of_plugins_that_were_there,
    units_are_files=True,
    relative=True,
)

JVM_TESTS: tuple[Tool, ...] = (MAVEN, GRADLE, GRADLE_PROPERTIES)
