"""Which tests Gradle runs, how its checks are told to check, and what becomes of failures (see `gradle_settings`).

Scripts are read as tokens, and so are the plugins of a build's own that are written as classes.

- A setting is about the task or extension that it names, or in whose block it stands.
- A task of tests that a script makes takes nothing away by what it leaves out or chooses, where it came with it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import Worse, absent, ceiling, flag, floor, no_more, no_more_paths, ranked, same
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools import gradle_gates
from ralph.guardrails.config.tools.gradle_blocks import about
from ralph.guardrails.config.tools.gradle_settings import (
    ANYWHERE,
    OF_TESTS,
    SETTINGS,
    STRICT,
    SWITCHES,
    excluded_by_name,
    texts,
)
from ralph.guardrails.config.tools.gradle_switches import condition, expression, in_ci, settled
from ralph.guardrails.config.tools.switched_assertions import UNCHECKED, unchecked
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
FILTERED, COLLECTION, PARTLY = "cfg.test.filtered", "cfg.test.collection", "cfg.test.partly"
RETRIES, FEW, NONE_ACCEPTED = "cfg.test.retries", "cfg.test.retries-few", "cfg.test.none-accepted"
CHECK_OFF, WEAKER, THRESHOLD = "cfg.jvm.check-off", "cfg.test.weaker-run", "cfg.coverage.threshold"
SUFFIXES = (".java", ".kt", ".kts", ".scala", ".groovy")
GRADLE_FILES = ("build.gradle", "build.gradle.kts", "*.gradle", "*.gradle.kts")
PLUGIN_CLASSES = tuple(f"*{name}.{end}" for name in ("Plugin", "Convention", "Conventions") for end in ("kt", "groovy"))
OF_BUILDS = later(r"(?:^|/)(?:buildSrc|build-?logic\w*|build-conventions|gradle|[\w-]*convention\w*)/", re.IGNORECASE)
_COMMENT = later(r"//[^\n]*|/\*.*?\*/|(\\[^\n]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')", re.DOTALL)
_TESTS = later(r"test|spec", re.IGNORECASE)
API_MODES = (
    "none=disabled=explicitapimode.disabled explicitapiwarning=explicitapimode.warning "
    "explicitapi=explicitapimode.strict"
)
LINTERS = later(r"(?i)checkstyle|spotless|pmd|cpd|detekt|kt(?:lint|fmt)|spotbugs|findbugs|licen[cs]e|forbiddenapis")
"""Blocks of what looks at code and runs no tests."""
_FOLDER = later(r"^(?:\$\{?(?:projectDir|project\.projectDir|rootDir)\}?/)?")


def _gradle(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    plugins = [path for name in PLUGIN_CLASSES for path in files_named(side, name) if OF_BUILDS.search(path)]
    scripts = [path for name in GRADLE_FILES for path in files_named(side, name)]
    for path in dict.fromkeys((*scripts, *plugins)):
        side.touched = set()
        text = side.text(path)
        if text is not None:
            plain = _COMMENT.sub(lambda match: match[0] if match[1] else re.sub(r"[^\n]", " ", match[0]), text)
            said = unchecked(_of_gradle(plain, path, side), "asserts", side, posixpath.dirname(path))
            settings = {**dict(said), **dict(gradle_gates.gates(plain, path, side))}
            found.setdefault(path.removesuffix(".kts"), Unit(settings, (path,)))
    return found


def _of_gradle(plain: str, path: str, side: Side) -> Iterator[tuple[Key, Node]]:
    values: dict[tuple[str, str], list[Node]] = {}
    for name, pattern in SETTINGS:
        for match in pattern.finditer(plain):
            block = about(plain, match.start())
            if block is None and name not in ANYWHERE:
                continue
            if name in OF_TESTS and not _TESTS.search(block or ""):
                continue
            asked = condition(plain, match.start()) if name in STRICT else None
            if asked is not None and settled(plain, asked, side) == "false":
                continue
            line = plain.count("\n", 0, match.start()) + 1
            told = "unlinted" if name == "exclude" and LINTERS.search(block or "") else name
            found = values.setdefault((told, block or ""), [])
            found += [Node(value, path, line, 1) for value in _values(name, match, plain, side)]
    for key, nodes in values.items():
        if nodes:
            yield key, nodes[0] if len(nodes) == 1 else nodes[0].with_value(list(nodes))


def _values(name: str, match: re.Match[str], plain: str, side: Side) -> list[str]:
    if "named" in match.re.groupindex:
        left_out = excluded_by_name(match["how"], match["named"])
        tests = (path for path in side.paths if is_test(path) and path.endswith(SUFFIXES))
        return [left_out] if any(fnmatchcase(f"/{path.rpartition('.')[0]}.class", left_out) for path in tests) else []
    kind, written = next(((kind, value) for kind, value in match.groupdict().items() if value is not None), ("", ""))
    if kind in ("list", "more"):
        return [re.sub(r"\.class$", ".*", text) for text in texts(written)] or ([""] if name == "sources" else [])
    value = "true" if name == "werror" else written.strip("\"'")
    if name in SWITCHES and value not in ("true", "false"):
        said, worst = expression(plain, match.start(kind)), "true" if name == "ignoreFailures" else "false"
        value = settled(plain, said, side) or (worst if worst in in_ci(plain, said) else value)
    return [value]


def no_tests_there(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Folders of tests, none of which holds a test any more, where the tree has some."""
    folders = [_FOLDER.sub("", canonical(item)).strip("/") for item in after.items] if after is not None else []
    tests = [path for path in paths if is_test(path) and path.endswith(SUFFIXES)]
    unknown = any("$" in folder for folder in folders)
    held = any(folder and path.startswith(f"{folder}/") for folder in folders for path in tests)
    same_as_before = before is not None and after is not None and canonical(before) == canonical(after)
    if after is not None and tests and not (held or unknown or same_as_before):
        yield Worse(node=after, text=f"is {', '.join(folders)}, where no test is")


ABOUT_TESTS = (
    Row("exclude.*", no_more_tests(), EXCLUDED),
    Row("only.*", filtered(), FILTERED),
    Row("includes.*", no_fewer_tests(), COLLECTION),
    Row("suites.*", absent(), PARTLY),
    Row("sources.*", no_tests_there, COLLECTION),
)
"""What a task of its own may say from the start."""


def _judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    new = {key[1] for key in after if key[-1].startswith("new ")} - {key[1] for key in before if len(key) > 1}
    told = {key: node for key, node in after.items() if key[-1] not in new}
    yield from compare_rows(ABOUT_TESTS, before, told, paths)
    yield from gradle_gates.judge(before, after, paths)


GRADLE = Tool(
    name="gradle's tests",
    places=tuple(Place(name) for name in (*GRADLE_FILES, *PLUGIN_CLASSES)),
    rows=(
        Row("ignoreFailures.*", flag(good=False), IGNORED),
        Row("off.*", flag(good=True, default=True), NOT_RUN),
        Row("enabled.*", flag(good=True, default=True), NOT_RUN),
        Row("dryRun.*", flag(good=False), NOT_RUN),
        Row("classes.*", absent(), NOT_RUN),
        UNCHECKED,
        Row("asserts.*", flag(good=True, default=True), WEAKER),
        Row("blind.*", absent(), WEAKER),
        Row("explicit.*", ranked(API_MODES, "none"), CHECK_OFF),
        Row("baseline.*", absent(), "cfg.other-configuration"),
        Row("examined.*", same(), PARTLY),
        Row("unmeasured.*", absent(), "cfg.coverage.scope"),
        Row("maxRetries.*", at_most_few(0), RETRIES, FEW),
        Row("failOnPassedAfterRetry.*", flag(good=True), WEAKER),
        Row("failOnNoMatchingTests.*", flag(good=True, default=True), NONE_ACCEPTED),
        Row("failOnNoDiscoveredTests.*", flag(good=True, default=True), NONE_ACCEPTED),
        Row("failWhenNoMutations.*", flag(good=True, default=True), NONE_ACCEPTED),
        *(Row(f"{name}Threshold.*", floor(), THRESHOLD) for name in ("mutation", "coverage", "testStrength")),
        Row("sometimes.*", same(), PARTLY),
        Row("left.*", filtered(), NOT_RUN),
        Row("unlinted.*", no_more_paths(unknown_is_minor=True), CHECK_OFF),
        Row("maxWarnings.*", ceiling(), CHECK_OFF),
        Row("maxFailures.*", ceiling(0), IGNORED),
        Row("rulesMinimumPriority.*", floor(5), CHECK_OFF),
        Row("reportLevel.*", ranked("high medium=default low", "default"), CHECK_OFF),
        Row("effort.*", ranked("min less default more max", "default"), CHECK_OFF),
        Row("enforced.*", flag(good=True, default=True), CHECK_OFF),
        Row("noRuleSets.*", flag(good=False), CHECK_OFF),
        Row("warnings.*", flag(good=True), CHECK_OFF),
        Row("werror.*", flag(good=True), CHECK_OFF),
        Row("muted.*", no_more(), CHECK_OFF),
        Row("dropped.*", filtered(), NOT_RUN),
    ),
    suffixes=SUFFIXES,
    units=_gradle,
    units_are_files=True,
    shared=True,
    judge=_judge,
    relative=True,
)
