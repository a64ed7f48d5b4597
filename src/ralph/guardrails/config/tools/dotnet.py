"""C# projects (MSBuild files) and analyzer severities (.editorconfig, .globalconfig, rule sets).

A project gets the properties of the nearest `Directory.Build.props` above it, and of what that and it import, unless
it sets them itself. A props file above no project stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.filters import no_more_tests
from ralph.guardrails.config.lattice import flag, floor, no_less, no_more, no_more_paths, ranked, truth, words
from ralph.guardrails.config.node import Key, Node, Settings, names, occurrences
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.guardrails.config.tools.coverage_units import of_coverlet
from ralph.guardrails.config.tools.dotnet_settings import (
    OF_TESTS,
    ROWS,
    RULE_LEVELS,
    RUN_ROWS,
    XUNIT_ROWS,
    analyzes,
    configured,
    errors_kept,
    muted,
    of_items,
    rule_set,
)
from ralph.guardrails.config.tools.msbuild_imports import SHARED, files_of, with_imports
from ralph.guardrails.config.tools.msbuild_switches import is_empty, is_unset
from ralph.guardrails.config.tools.test_platform import PLATFORM_ROWS, of_platform
from ralph.system.patterns import later

CS = (".cs", ".csx", ".vb", ".fs")
PROJECTS = ("*.csproj", "*.fsproj", "*.vbproj")
LISTS = frozenset(
    names(
        "NoWarn WarningsNotAsErrors WarningsAsErrors DisabledWarnings Exclude ExcludeByFile MSBuildWarningsAsMessages"
    )
)
ANALYZER = later(r"(?i)analy[sz]er|roslynator|fxcop|SecurityCodeScan|AsyncFixer|ErrorProne")
SEVERITIES = "none=silent suggestion=hidden=info=default warning=warn error"


def units(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    used: set[str] = set()
    for pattern in PROJECTS:
        for path in files_named(side, pattern):
            side.touched = set()
            files = files_of(side, path)
            used.update(file for file in files if file.endswith(SHARED))
            settings = _properties(side, files, is_of_tests=OF_TESTS.search(path) is not None)
            found[path] = Unit(settings, tuple(sorted(side.touched)))
    for name in (*SHARED, "Directory.Packages.props"):
        for path in files_named(side, name):
            if path not in used:
                side.touched = set()
                found[path] = Unit(_properties(side, with_imports(side, path)), tuple(sorted(side.touched)))
    return found


def _properties(side: Side, files: list[str], *, is_of_tests: bool = False) -> Settings:
    """Later files win; a list that refers to itself (`$(NoWarn);CS1`) is added to."""
    settings: dict[Key, Node] = {}
    for path in files:
        node = side.node(path)
        project = node.at("Project") if node else None
        for group in _groups(project, "PropertyGroup"):
            around = group.at("@Condition")
            for name, value in group.mapping.items():
                if not name.startswith("@") and (said := _plain(side, value, around)) is not None:
                    key = (name,)
                    settings[key] = _added(settings.get(key), said, name)
        settings |= _left_out(project)
        settings = {**of_items(project, is_of_tests=is_of_tests), **settings}
        settings |= _analyzers(side, project, settings)
        if named := configured(project):  # items are added to those of the files before
            told = settings[("GlobalConfigs",)].items if ("GlobalConfigs",) in settings else ()
            settings[("GlobalConfigs",)] = named[0].with_value([*told, *named])
    return {**settings, **of_platform(settings)}


def _left_out(project: Node | None) -> Settings:
    """`<Compile Remove="CalcTests.cs" />`: files that are not built."""
    found: list[Node] = []
    for group in _groups(project, "ItemGroup"):
        for item in occurrences(group.at("Compile")):
            removed = item.at("@Remove")
            found += [removed.with_value(name) for name in re.split(r"[;\s]+", removed.text)] if removed else []
    return {("CompileRemove",): found[0].with_value(found)} if found else {}


def _analyzers(side: Side, project: Node | None, known: Settings) -> Settings:
    """`<PackageReference Include="StyleCop.Analyzers" />`: what looks at the code while it is built."""
    found = list(known[("Analyzers",)].items) if ("Analyzers",) in known else []
    for group in _groups(project, "ItemGroup"):
        if is_unset(side, group.at("@Condition"), None):
            continue
        for kind in ("PackageReference", "GlobalPackageReference", "Analyzer"):
            for item in occurrences(group.at(kind)):
                name = item.at("@Include")
                if name is not None and ANALYZER.search(name.text) and analyzes(item):
                    found.append(name.with_value(name.text))
    return {("Analyzers",): found[0].with_value(found)} if found else {}


def _groups(project: Node | None, kind: str) -> list[Node]:
    return occurrences(project.at(kind)) if project else []


def _plain(side: Side, value: Node, around: Node | None) -> Node | None:
    """The text of a property; of one that is set several times under conditions, the last that may hold."""
    may = [each for each in occurrences(value) if not is_unset(side, around, each.at("@Condition"))]
    if not may:
        return None
    said = may[-1].at("#text") or (may[-1].with_value("") if may[-1].mapping else may[-1])
    return None if is_empty(side, said) else said


def _added(before: Node | None, value: Node, name: str) -> Node:
    if name not in LISTS:
        return value
    codes = [code.strip() for code in re.split(r"[;,\s]+", value.text)]
    own = [value.with_value(code) for code in codes if code and not code.startswith("$(")]
    inherited = words(before) if before and "$(" in value.text else []
    return value.with_value([*inherited, *own])


def _judge(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    yield from of_coverlet(before, after, paths)
    yield from errors_kept(before, after, paths)
    yield from muted(before, after, paths)


MSBUILD = Tool(
    name="msbuild",
    places=tuple(Place(name) for name in (*PROJECTS, *SHARED, "*.props", "*.targets")),
    rows=(
        Row("Nullable", ranked("disable annotations warnings enable", "disable"), "cfg.msbuild.nullable-off"),
        Row("TreatWarningsAsErrors", flag(good=True), "cfg.msbuild.check-off"),
        Row("MSBuildTreatWarningsAsErrors", flag(good=True), "cfg.msbuild.check-off"),
        Row(
            "CodeAnalysisTreatWarningsAsErrors",
            flag(good=True),
            "cfg.msbuild.check-off",
            fallback=lambda _key: ("TreatWarningsAsErrors",),
        ),
        Row("EnforceCodeStyleInBuild", flag(good=True), "cfg.msbuild.check-off"),
        Row("EnableNETAnalyzers", flag(good=True, default=True), "cfg.msbuild.check-off"),
        Row("RunAnalyzers", flag(good=True, default=True), "cfg.msbuild.check-off"),
        Row("RunAnalyzersDuringBuild", flag(good=True, default=True), "cfg.msbuild.check-off"),
        Row("RunCodeAnalysis", flag(good=True, default=True), "cfg.msbuild.check-off"),
        Row("WarningLevel", floor(4), "cfg.msbuild.check-off"),
        Row(
            "AnalysisMode",
            ranked("none default minimum recommended all=allenabledbydefault", "default"),
            "cfg.msbuild.check-off",
        ),
        Row("DisabledWarnings", no_more(), "cfg.msbuild.warnings-muted"),
        Row("WarningsNotAsErrors", no_more(), "cfg.msbuild.warnings-muted"),
        *ROWS,
        *PLATFORM_ROWS,
        Row("Analyzers", no_less(), "cfg.msbuild.check-off"),
        Row("IsTestProject", flag(good=True), "cfg.test.not-run"),
        Row("CompileRemove", no_more_tests(), "cfg.test.excluded", "cfg.test.partly"),
        Row("Threshold", floor(), "cfg.coverage.threshold"),
        Row("CollectCoverage", flag(good=True), "cfg.coverage.off"),
        Row("ExcludeByFile", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
        Row("Exclude", no_more(), "cfg.coverage.exclude"),
    ),
    suffixes=CS,
    units=units,
    units_are_files=True,
    judge=_judge,
)


def _severities(node: Node) -> Node:
    """`dotnet_diagnostic.X.severity` and kin, by section; a style rule's `value:severity` counts by its severity."""
    found: dict[str, Node] = {}
    for section, values in node.mapping.items():
        rules: dict[str, Node] = {}
        for key, value in values.mapping.items():
            if key.startswith("dotnet_") and key.endswith(".severity"):
                rules[key] = value
            elif key.startswith(("dotnet_style", "csharp_style")) and ":" in value.text:
                rules[key] = value.with_value(value.text.rsplit(":", 1)[1])
            elif key == "is_global" and value.text.lower() == "false":
                rules[key] = value.with_value("none")
            elif key == "generated_code" and value.text.lower() == "true":
                rules[f"{key} {section}"] = value.with_value("none")
        found[section] = values.with_value(rules)
    return node.with_value(found)


def _cascades(unit: Unit) -> bool:
    """The files above hold as well, unless one says that it is the topmost."""
    return not any(key[-1] == "root" and truth(said, default=False) for key, said in unit.settings.items())


EDITORCONFIG = Tool(
    name="editorconfig",
    places=tuple(Place(name, shape=_severities) for name in (".editorconfig", ".globalconfig", "*.globalconfig")),
    rows=(Row("*.*", ranked(SEVERITIES, "default"), "cfg.editorconfig.severity-lowered"),),
    suffixes=CS,
    everywhere=True,
    cascades=_cascades,
)

RUNSETTINGS = Tool(
    name="vstest",
    places=(Place("*.runsettings", root=("RunSettings",)),),
    rows=RUN_ROWS,
    suffixes=CS,
)
XUNIT = Tool(
    name="xunit",
    places=(Place("xunit.runner.json"), Place("*.xunit.runner.json")),
    rows=XUNIT_ROWS,
    suffixes=CS,
)
RULE_SET = Tool(
    name="ruleset",
    places=(Place("*.ruleset", shape=rule_set),),
    rows=(Row("rules.*", ranked(RULE_LEVELS, "default"), "cfg.editorconfig.severity-lowered"),),
    suffixes=CS,
)

DOTNET: tuple[Tool, ...] = (MSBUILD, EDITORCONFIG, RUNSETTINGS, XUNIT, RULE_SET)
