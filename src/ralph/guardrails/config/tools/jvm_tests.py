"""Which tests Maven and Gradle run and what becomes of their failures. Gradle's scripts are read as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import Worse, ceiling, flag, floor, no_less, ranked, same
from ralph.guardrails.config.node import Key, Node, Settings, canonical, occurrences
from ralph.guardrails.config.rows import Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools import gradle_gates
from ralph.guardrails.config.tools.gradle_switches import condition, expression, settled
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
FILTERED, COLLECTION, RETRIES, FEW = (
    "cfg.test.filtered",
    "cfg.test.collection",
    "cfg.test.retries",
    "cfg.test.retries-few",
)
SUFFIXES = (".java", ".kt", ".kts", ".scala", ".groovy")
MAVEN_FILES = ("pom.xml", "settings.xml", "*-settings.xml")
PROPERTIES = {
    "skipTests": "skip",
    "skipITs": "skip",
    "skipUTs": "skip",
    "maven.test.skip": "skip",
    "maven.test.skip.exec": "skip",
    "maven.test.failure.ignore": "testFailureIgnore",
    "surefire.rerunFailingTestsCount": "rerunFailingTestsCount",
    "failsafe.rerunFailingTestsCount": "rerunFailingTestsCount",
    "checkstyle.skip": "skip",
    "pmd.skip": "skip",
    "spotbugs.skip": "skip",
    "checkstyle.failOnViolation": "failsOnViolation",
}
PLUGINS = later(r"surefire|failsafe|checkstyle|pmd|spotbugs|findbugs|jacoco|spotless|pitest")
OTHER_PLUGINS = later(
    r"enforcer|maven-dependency|dependency-check|license|animal-sniffer|japicmp|revapi|modernizer|forbiddenapis|sortpom"
    r"|ossindex|archunit|maven-compiler"
)
OF_OTHERS = {
    **{name: name for name in ("skip", "fail", "failOnWarning", "failIfMissing", "failBuildOnCVSS", "failOnViolation")},
    **{name: name for name in ("enforced", "compilerArgs", "compilerArgument")},
    "testExcludes": "excludes",
}
"""What is asked of plugins whose lists are about something else than tests."""
CHECK_OFF = "cfg.jvm.check-off"


def _maven(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in (path for name in MAVEN_FILES for path in files_named(side, name)):
        side.touched = set()
        node = side.node(path)
        if node:
            found[path] = Unit(dict(_elements(node, "")), (path,))
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
                    if (known := PROPERTIES.get(each))
                )
            elif key == "configuration" and PLUGINS.search(inner):
                yield from _configuration(item, inner)
            elif key == "configuration" and OTHER_PLUGINS.search(inner):
                found = _configuration(item, inner)
                yield from (((OF_OTHERS[name], inner), node) for (name, _), node in found if name in OF_OTHERS)
            elif key == "executions" and (PLUGINS.search(inner) or OTHER_PLUGINS.search(inner)):
                yield ("bound", inner), item.with_value(inner)
                yield from _elements(item, inner)
            else:
                yield from _elements(item, inner)


def _configuration(node: Node, plugin: str) -> Iterator[tuple[Key, Node]]:
    for key, value in node.mapping.items():
        if key == "rules" and "enforcer" in plugin:
            yield ("enforced", plugin), value.with_value([value.with_value(name) for name in value.mapping])
            continue
        lists = value.at(key.removesuffix("s")) if value.mapping else None
        yield (("skip" if key in ("skipTests", "skipITs", "skipExec") else key), plugin), lists or value


def _errors_kept(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """Of the compiler's arguments the one that makes its warnings errors."""
    if before is not None and "-Werror" in canonical(before) and (after is None or "-Werror" not in canonical(after)):
        yield Worse(node=after, text="loses -Werror")


WITH_DEFAULTS = (
    Row("fail.*", flag(good=True, default=True), IGNORED),
    Row("failIfMissing.*", flag(good=True, default=True), IGNORED),
    Row("failurePriority.*", floor(5), IGNORED),
    Row("maxAllowedViolations.*", ceiling(0), IGNORED),
    Row("violationSeverity.*", ranked("error warning info ignore", "error"), CHECK_OFF),
    Row("threshold.spotbugs-maven-plugin", ranked("high medium=default low exp=experimental", "default"), CHECK_OFF),
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
        Row("compilerArgs.*", _errors_kept, CHECK_OFF),
        Row("compilerArgument.*", _errors_kept, CHECK_OFF),
        Row("enableAssertions.*", flag(good=True, default=True), "cfg.test.weaker-run"),
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

GRADLE_FILES = ("build.gradle", "build.gradle.kts", "*.gradle", "*.gradle.kts")
_COMMENT = later(r"//[^\n]*|/\*.*?\*/|(\\[^\n]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')", re.DOTALL)
_BLOCK = later(r"([\w.]+(?:\s*\([^(){}]*\))?|[\w.]+\s*<[^<>]*>\s*\([^(){}]*\))\s*\{|\}")
_SETTINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ignoreFailures", later(r"\b(?:isI|i)gnoreFailures\s*(?:=|\(|\.set\(|\s)\s*(?P<value>[!(]*\w+)")),
    (
        "off",
        later(r"\bonlyIf\s*(?:\([^)]*\)\s*)?\{\s*(?P<value>false)\s*\}|\bonlyIf\s*\(\s*(?P<other>false)\s*\)"),
    ),
    ("enabled", later(r"(?<!ml\.)(?<!csv\.)\b(?:isE|e)nabled\s*(?:=|\.set\()\s*(?P<value>[!(]*\w+)")),
    (
        "exclude",
        later(
            r"\b(?:exclude|excludeTestsMatching|excludeTags|excludeGroups|excludeCategories)\s*\(?\s*(?P<value>\"[^\"]*\"|'[^']*')"
        ),
    ),
    ("only", later(r"\b(?:includeTestsMatching|includeTags|includeGroups)\s*\(?\s*(?P<value>\"[^\"]*\"|'[^']*')")),
    ("maxRetries", later(r"\bmaxRetries\s*(?:=|\.set\()\s*(?P<value>\d+)")),
    ("failOnPassedAfterRetry", later(r"\bfailOnPassedAfterRetry\s*(?:=|\.set\()\s*(?P<value>\w+)")),
    ("sometimes", later(r"\bonlyIf\s*(?:\([^)\n]*\)\s*)?\{\s*(?!(?:false|true)\s*\})(?P<value>[^}\n]*)")),
    (
        "left",
        later(
            r"(?P<value>\bStopExecutionException\b|\bactions\s*=\s*(?:emptyList\(\)|mutableListOf\(\)|\[\])|\bactions\.clear\(\))"
        ),
    ),
    ("failOnNoDiscoveredTests", later(r"\bfailOnNoDiscoveredTests\s*(?:=|\.set\()\s*(?P<value>[!(]*\w+)")),
    ("failOnNoMatchingTests", later(r"\b(?:isF|f)ailOnNoMatchingTests\s*=\s*(?P<value>[!(]*\w+)")),
    ("maxWarnings", later(r"\bmax(?:Warnings|Errors|Issues)\s*(?:=|\s)\s*(?P<value>\d+)")),
    ("warnings", later(r"\ballWarningsAsErrors\s*(?:=|\.set\()\s*(?P<value>[!(]*\w+)")),
    ("werror", later(r"[\"'](?P<value>-Werror)[\"']")),
    ("dropped", later(r"\b(?:dependsOn\.(?:remove|clear)|setDependsOn|excludedTaskNames)\b(?P<value>[^\n]*)")),
)
_STRICT = frozenset(("warnings", "werror"))
_SWITCHES = frozenset(("warnings", "ignoreFailures", "enabled", "failOnNoMatchingTests", "failOnNoDiscoveredTests"))
_CHECKING = later(r"test|check|lint|pmd|spotbugs|detekt|verif|analy", re.IGNORECASE)


def _gradle(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in dict.fromkeys(path for name in GRADLE_FILES for path in files_named(side, name)):
        side.touched = set()
        text = side.text(path)
        if text is not None:
            plain = _COMMENT.sub(lambda match: match[0] if match[1] else re.sub(r"[^\n]", " ", match[0]), text)
            settings = {**dict(_of_gradle(plain, path, side)), **dict(gradle_gates.gates(plain, path, side))}
            found.setdefault(path.removesuffix(".kts"), Unit(settings, (path,)))
    return found


def _of_gradle(plain: str, path: str, side: Side) -> Iterator[tuple[Key, Node]]:
    values: dict[tuple[str, str], list[Node]] = {}
    for name, pattern in _SETTINGS:
        for match in pattern.finditer(plain):
            block = _block(plain, match.start())
            if block is None and name not in ("dropped", "ignoreFailures", "warnings", "werror"):
                continue
            value = next((found for found in match.groupdict().values() if found is not None), "").strip("\"'")
            value = "true" if name == "werror" else value
            asked = condition(plain, match.start()) if name in _STRICT else None
            if asked is not None and settled(plain, asked, side) == "false":
                continue
            if name in _SWITCHES and value not in ("true", "false"):
                value = settled(plain, expression(plain, match.start("value")), side) or value
            line = plain.count("\n", 0, match.start()) + 1
            values.setdefault((name, block or ""), []).append(Node(value, path, line, 1))
    for key, nodes in values.items():
        yield key, nodes[0] if len(nodes) == 1 else nodes[0].with_value(list(nodes))


def _block(text: str, place: int) -> str | None:
    """The block around a place that is about a check; None if there is none."""
    open_: list[str] = []
    for match in _BLOCK.finditer(text, 0, place):
        if match[0] == "}":
            open_ = open_[:-1]
        else:
            open_.append(re.sub(r"\s+", "", match[1]))
    name = next((name for name in reversed(open_) if _CHECKING.search(name)), None)
    return None if name is None else _task(name)


def _task(block: str) -> str:
    """The task or type of a block, as both of Gradle's languages say it: `tasks.named("test")` is `test`."""
    named = re.match(r"(?:tasks\.)?(?:named|getByName|withType)(?:<(\w+)>)?\(?[\"']?(\w*)", block)
    bare = re.sub(r"^(?:project\.)?tasks\.|\.configureEach$|\.configure$|\.all$", "", block)
    return (named[2] or named[1] or bare) if named else bare


GRADLE = Tool(
    name="gradle's tests",
    places=tuple(Place(name) for name in GRADLE_FILES),
    rows=(
        Row("ignoreFailures.*", flag(good=False), IGNORED),
        Row("off.*", flag(good=True, default=True), NOT_RUN),
        Row("enabled.*", flag(good=True, default=True), NOT_RUN),
        Row("exclude.*", no_more_tests(), EXCLUDED),
        Row("only.*", filtered(), FILTERED),
        Row("maxRetries.*", at_most_few(0), RETRIES, FEW),
        Row("failOnPassedAfterRetry.*", flag(good=True), "cfg.test.weaker-run"),
        Row("failOnNoMatchingTests.*", flag(good=True, default=True), "cfg.test.none-accepted"),
        Row("failOnNoDiscoveredTests.*", flag(good=True, default=True), "cfg.test.none-accepted"),
        Row("sometimes.*", same(), "cfg.test.partly"),
        Row("left.*", filtered(), NOT_RUN),
        Row("maxWarnings.*", ceiling(), "cfg.jvm.check-off"),
        Row("warnings.*", flag(good=True), "cfg.jvm.check-off"),
        Row("werror.*", flag(good=True), "cfg.jvm.check-off"),
        Row("dropped.*", filtered(), NOT_RUN),
    ),
    suffixes=SUFFIXES,
    units=_gradle,
    units_are_files=True,
    shared=True,
    judge=gradle_gates.judge,
    relative=True,
)

JVM_TESTS: tuple[Tool, ...] = (MAVEN, GRADLE)
