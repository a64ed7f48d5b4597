"""What runs a kind of tests, which a build no longer takes while tests of that kind are still there (class G04).

Rules:

- Where JUnit's platform runs the tests, those of JUnit 4 need its vintage engine, and others their own one; without it
  they are compiled and passed over in silence. The platform is chosen by Gradle's `useJUnitPlatform()`, and by Maven's
  Surefire where JUnit 5 is among the dependencies.
- `dotnet test` finds tests by the adapter of their framework, if the project is none of Microsoft's testing platform.
- The same may be said above the file, in a convention plugin or by the alias of a version catalog: it is looked for
  there, too. Only a file of tests on both sides counts, so that tests which were ported or removed do not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from ralph.guardrails.config.patterns import is_sample, is_test
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

NOT_RUN = "test.not-run"
SCRIPTS = ("build.gradle", "build.gradle.kts", "pom.xml")
PROJECTS = (".csproj", ".fsproj", ".vbproj")
SHARED = ("Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props")
SPEAKS = later(
    r"(?i)vintage|useJUnitPlatform|jupiter|junit-platform|jqwik|kotest|testng-engine|visualstudio|Adapter|MSTest"
)
CONVENTIONS = later(r"(?:^|/)(?:buildSrc|build-logic|gradle|conventions?|build-plugins?)/.*\.(?:gradle|kts|groovy|kt)$")
COMMENT = later(r"(?ms)^[ \t]*/\*.*?\*/|<!--.*?-->|^[ \t]*//[^\n]*")
ALIAS = later(r"(?m)^[ \t]*[\"']?(?P<alias>[\w.-]+)[\"']?[ \t]*=(?P<said>[^\n\[]*(?:\[[^\]]*\])?)")
PLATFORM = later(
    r"(?:\btest\s*|\bwithType\W+Test\b[^{]*|\bnamed(?:<Test>)?\(\s*[\"']test[\"'][^{]*)\{[^{}]*(?:\{[^{}]*\}[^{}]*)*"
    r"\buseJUnitPlatform\b|<artifactId>\s*junit-(?:jupiter|platform)[\w-]*\s*</artifactId>"
)
"""For the tests that everybody runs; other tasks and suites may have another runner than these."""
OTHER_RUNNER = later(r"\buseJUnit\s*\(|\buseTestNG\b|\bsurefire-(?:junit4|junit47|testng)\b|spring-boot-starter-test")
NEW_PLATFORM = later(r"(?i)TestingPlatform|EnableNUnitRunner|EnableMSTestRunner|MSTest\.Sdk|\"TUnit|xunit\.v3[\w.]*mtp")
JVM = (".java", ".kt", ".groovy", ".scala")
MOST = 3_000
"""Files of tests that are looked at."""


class Engine(NamedTuple):
    name: str
    taken: re.Pattern[str]
    """How a build takes it."""
    tests: re.Pattern[bytes]
    """What its tests say."""
    suffixes: tuple[str, ...]


VINTAGE = "junit-vintage-engine"
ENGINES = (
    Engine(
        VINTAGE,
        later(r"\bjunit-vintage-engine\b"),
        later(rb"(?m)^import\s+(?:org\.junit\.(?:Test|\*)|junit\.framework\.(?:TestCase|\*))\s*(?:;|$)"),
        JVM,
    ),
    Engine("jqwik-engine", later(r"\bjqwik(?:-engine)?(?![\w-])"), later(rb"(?m)^import\s+net\.jqwik\.api\."), JVM),
    Engine(
        "kotest-runner-junit5",
        later(r"\bkotest-runner-junit\d"),
        later(rb"(?m)^import\s+io\.kotest\.core\.spec\."),
        JVM,
    ),
    Engine(
        "testng-engine", later(r"\btestng-engine\b"), later(rb"(?m)^import\s+org\.testng\.annotations\.Test\b"), JVM
    ),
)
ADAPTERS = tuple(
    Engine(
        name, later(rf"(?i)<(?:Global)?PackageReference\s+(?:Include|Update)=\"(?:{taken})\""), later(tests), (".cs",)
    )
    for name, taken, tests in (
        ("xunit.runner.visualstudio", r"xunit\.runner\.visualstudio", rb"(?m)^\s*\[(?:Fact|Theory)\b"),
        ("NUnit3TestAdapter", r"NUnit3TestAdapter", rb"(?m)^\s*\[(?:Test|TestCase)\b"),
        ("MSTest.TestAdapter", r"MSTest(?:\.TestAdapter)?", rb"(?m)^\s*\[(?:TestMethod|DataTestMethod)\b"),
    )
)


def without_engine(change: Change) -> Iterator[Hit]:
    files = [file.path for file in change.files if file.status == "M" and _is_build(file.path)]
    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    for path in files:
        if is_sample(path) or not any(SPEAKS.search(side.text(path) or "") for side in (before, after)):
            continue
        for engine in ADAPTERS if path.endswith(PROJECTS) else ENGINES:
            left = _left(engine, path, before, after)
            if left:
                yield hit_at(NOT_RUN, path, 0, f"nothing runs {left}: {engine.name} is not there")


def _is_build(path: str) -> bool:
    return posixpath.basename(path) in SCRIPTS or path.endswith(PROJECTS)


def _left(engine: Engine, path: str, before: Side, after: Side) -> str:
    """A file of tests that the build at or below a path ran and no longer runs."""
    folder = posixpath.dirname(path)
    if not _runs(engine, path, before) or _runs(engine, path, after):
        return ""
    inside = f"{folder}/" if folder else ""
    listed = (each for each in sorted(after.paths & before.paths) if each.startswith(inside) and is_test(each))
    found = [each for each in listed if each.endswith(engine.suffixes)][:MOST]
    for each in found:
        if not all(engine.tests.search(side.bytes(each) or b"") for side in (before, after)):
            continue
        own = _nearest(each, path, after)
        if own == path or (_runs(engine, own, before) and not _runs(engine, own, after)):
            return each
    return ""


def _nearest(path: str, changed: str, side: Side) -> str:
    """The build that a file belongs to."""
    folder = posixpath.dirname(path)
    while folder != posixpath.dirname(changed):
        projects = [each for each in _in_folder(folder, side) if _is_build(each)]
        if projects:
            return projects[0]
        folder = posixpath.dirname(folder)
    return changed


def _in_folder(folder: str, side: Side) -> list[str]:
    named = [posixpath.join(folder, name) for name in (*SCRIPTS, *SHARED)]
    projects = [posixpath.join(folder, f"{posixpath.basename(folder)}{end}") for end in PROJECTS]
    return [each for each in (*named, *projects) if each in side.paths]


def _runs(engine: Engine, path: str, side: Side) -> bool:
    """True as well where it cannot be told."""
    text = _texts(path, side)
    if path.endswith(PROJECTS):
        return engine.taken.search(text) is not None or NEW_PLATFORM.search(text) is not None
    if OTHER_RUNNER.search(text) is not None or engine.taken.search(text) is not None:
        return True
    if any(re.search(rf"\blibs\.{re.escape(alias)}\b", text) for alias in _aliases(engine, side)):
        return True
    return engine.name == VINTAGE and PLATFORM.search(text) is None


def _texts(path: str, side: Side) -> str:
    """What a build says, with what the folders above it and convention plugins say."""
    folders = [posixpath.dirname(path)]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    above = [each for folder in folders[1:] for each in _in_folder(folder, side)]
    beside = [each for each in _in_folder(folders[0], side) if posixpath.basename(each) in SHARED]
    plugins = [] if path.endswith(PROJECTS) else sorted(each for each in side.paths if CONVENTIONS.search(each))
    return COMMENT.sub("", "\n".join(side.text(each) or "" for each in (path, *beside, *above, *plugins)))


def _aliases(engine: Engine, side: Side) -> Iterator[str]:
    """How scripts call it by a version catalog: the library, and bundles with it."""
    for path in side.by_name.get("libs.versions.toml", ()):
        text = side.text(path) or ""
        named = [match["alias"] for match in ALIAS.finditer(text) if engine.taken.search(match["said"])]
        bundles = [
            match["alias"]
            for match in ALIAS.finditer(text)
            if "[" in match["said"] and any(re.search(rf"[\"']{re.escape(name)}[\"']", match["said"]) for name in named)
        ]
        yield from (re.sub(r"[-_]", ".", name) for name in named)
        yield from (re.sub(r"[-_]", ".", f"bundles.{name}") for name in bundles)
