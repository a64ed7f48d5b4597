"""More of what C# projects are told: levels of analysis, audits, targets that replace others, and test platforms.

- The level of analysis may name a mode (`latest-all`); without one it asks for what is usual.
- Single warnings that are errors are not missed where all are.
- A project by the name of tests that refers to a framework for them is one of tests, unless it says that it is none.
- A target of the project's own by the name of one that runs tests runs none.
- A warning that comes only with the file of documentation is not missed where none was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import Worse, absent, flag, floor, no_less, no_more, ranked, same, truth
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names, occurrences
from ralph.guardrails.config.rows import Loss, Row
from ralph.system.patterns import later

CHECK_OFF, MUTED, NOT_RUN = "cfg.msbuild.check-off", "cfg.msbuild.warnings-muted", "cfg.test.not-run"
IGNORED, FILTERED, NONE_ACCEPTED = "cfg.check.failures-ignored", "cfg.test.filtered", "cfg.test.none-accepted"
MODES = "none default minimum recommended all=allenabledbydefault"
CATEGORIES = names(
    "Design Documentation Globalization Interoperability Maintainability Naming Performance SingleFile Reliability "
    "Security Style Usage"
)
LEVEL = later(r"(?P<version>latest|preview|none|\d+(?:\.\d+)?)?-?(?P<mode>[a-z]+)?", re.IGNORECASE)
FIRST = 5.0
"""Before it nothing was analyzed."""
FRAMEWORKS = later(r"(?i)Microsoft\.NET\.Test\.Sdk|xunit(?:\.v3)?|NUnit|MSTest(?:\.TestFramework)?|TUnit")
OF_TESTS = later(r"(?i)tests?(?:\.\w+)?\.(?:cs|fs|vb)proj$")
"""What tests use may refer to a framework as well."""
OF_DOCUMENTATION = later(r"(?i)(?:CS)?0?(?:15(?:7[0-4]|8[0147]|9[0-2])|1589|1658|171[0-2]|1723|1734)")
"""What the compiler says only where it writes the comments to a file (CS1591: there is none)."""
RUNS_TESTS = later(r"VSTest|_?TestTFM|DispatchToInnerBuildsWithVSTestTarget|InvokeTestingPlatform|_MTPBuild")


def level_kept(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    if before is None and after is None:
        return
    was, now = _level(before), _level(after)
    if now < was:
        yield Worse(node=after, text="is gone" if after is None else f"is {canonical(after)}")


def _level(node: Node | None) -> tuple[int, int]:
    said = LEVEL.fullmatch(canonical(node).strip()) if node is not None else None
    if said is None:
        return (1, 1)
    version = (said["version"] or "latest").lower()
    off = version == "none" or (version[0].isdigit() and float(version) < FIRST)
    ranks = {word: rank for rank, words in enumerate(MODES.split()) for word in words.split("=")}
    return (0 if off else 1, ranks.get((said["mode"] or "default").lower(), 1))


def errors_kept(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    key = ("WarningsAsErrors",)
    if truth(after.get(("TreatWarningsAsErrors",)), default=False):
        return
    for worse in no_less()(before.get(key), after.get(key), ()):
        yield Loss(rule=CHECK_OFF, key=key[0], text=worse.text, node=worse.node, old=before.get(key))


def muted(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Warnings about comments for a documentation that was not made were not given, either."""
    key = ("NoWarn",)
    documented = any(
        truth(said, default=bool(canonical(said).strip())) is not False
        for name in ("GenerateDocumentationFile", "DocumentationFile")
        if (said := before.get((name,))) is not None
    )
    for worse in no_more(("1701", "1702"))(before.get(key), after.get(key), paths):
        if documented or worse.node is None or not OF_DOCUMENTATION.fullmatch(canonical(worse.node).strip()):
            yield Loss(rule=MUTED, key=key[0], text=worse.text, node=worse.node, old=before.get(key))


def of_items(project: Node | None, *, is_of_tests: bool) -> dict[Key, Node]:
    """What targets and items of a file do to tests and analyzers; `is_of_tests`: the project that it is read for."""
    found: dict[Key, Node] = {}
    targets = occurrences(project.at("Target")) if project is not None else []
    for target in targets:
        name = target.at("@Name")
        if name is not None and RUNS_TESTS.fullmatch(name.text):
            found[("Target", name.text)] = name
    groups = occurrences(project.at("ItemGroup")) if project is not None else []
    groups += [group for target in targets for group in occurrences(target.at("ItemGroup"))]
    for group in groups:
        for item in occurrences(group.at("Analyzer")):
            if (removed := item.at("@Remove")) is not None:
                found[("AnalyzerRemove",)] = removed
        for item in occurrences(group.at("NuGetAuditSuppress")):
            if (given := item.at("@Include")) is not None:
                known = found[("NuGetAuditSuppress",)].items if ("NuGetAuditSuppress",) in found else []
                found[("NuGetAuditSuppress",)] = given.with_value([*known, given])
        for item in occurrences(group.at("PackageReference")):
            given = item.at("@Include")
            if given is not None and is_of_tests and FRAMEWORKS.fullmatch(given.text):
                found[("IsTestProject",)] = given.with_value("true")
    return found


def configured(project: Node | None) -> list[Node]:
    """Files of severities that hold for the whole project."""
    groups = occurrences(project.at("ItemGroup")) if project is not None else []
    kinds = ("GlobalAnalyzerConfigFiles", "EditorConfigFiles")
    items = (item for group in groups for kind in kinds for item in occurrences(group.at(kind)))
    return [given for item in items if (given := item.at("@Include")) is not None]


def analyzes(item: Node) -> bool:
    """A reference to a package of which the analyzers are used."""
    left_out, taken = (item.at(f"@{name}") or item.at(name) for name in ("ExcludeAssets", "IncludeAssets"))
    parts = [re.split(r"[;\s]+", canonical(node).lower()) if node is not None else None for node in (left_out, taken)]
    without, only = parts
    return not (without and {"analyzers", "all"} & set(without)) and (
        only is None or bool({"analyzers", "all"} & set(only))
    )


ROWS: tuple[Row, ...] = (
    Row("AnalysisLevel", level_kept, CHECK_OFF),
    *(Row(f"AnalysisMode{name}", ranked(MODES, "default"), CHECK_OFF) for name in CATEGORIES),
    *(Row(f"AnalysisLevel{name}", level_kept, CHECK_OFF) for name in CATEGORIES),
    Row("NuGetAudit", flag(good=True, default=True), CHECK_OFF),
    Row("NuGetAuditLevel", ranked("critical high moderate low", "low"), CHECK_OFF),
    Row("NuGetAuditMode", ranked("direct all", "direct"), CHECK_OFF),
    Row("NuGetAuditSuppress", no_more(), CHECK_OFF),
    Row("RestoreLockedMode", flag(good=True), CHECK_OFF),
    Row("CheckForOverflowUnderflow", flag(good=True), "cfg.test.weaker-run"),
    Row("GlobalConfigs", no_less(), CHECK_OFF),
    Row("EnablePackageValidation", flag(good=True), CHECK_OFF),
    Row("StyleCopEnabled", flag(good=True, default=True), CHECK_OFF),
    Row("StyleCopTreatErrorsAsWarnings", flag(good=False), CHECK_OFF),
    Row("CodeAnalysisRuleSet", same(), "cfg.other-configuration"),
    Row("MSBuildWarningsAsMessages", no_more(), MUTED),
    Row("VSTestTestCaseFilter", filtered(), FILTERED),
    Row("VSTestListTests", flag(good=False), NOT_RUN),
    Row("AnalyzerRemove", absent(), CHECK_OFF),
    Row("Target.*", absent(), NOT_RUN),
)
_COLLECTOR = "DataCollectionRunSettings.DataCollectors.DataCollector.Configuration"
RUN_ROWS: tuple[Row, ...] = (
    Row("RunConfiguration.TestCaseFilter", filtered(), FILTERED),
    Row("RunConfiguration.TreatNoTestsAsError", flag(good=True), NONE_ACCEPTED),
    *(
        Row(f"{name}.{switch}", flag(good=True, default=default), IGNORED)
        for name in ("MSTest", "MSTestV2")
        for switch, default in (
            ("MapInconclusiveToFailed", False),
            ("MapNotRunnableToFailed", True),
            ("TreatDiscoveryWarningsAsErrors", False),
            ("TreatClassAndAssemblyCleanupWarningsAsErrors", False),
        )
    ),
    Row("NUnit.Where", filtered(), FILTERED),
    Row("xUnit.FailSkips", flag(good=True), IGNORED),
    *(
        Row(f"{_COLLECTOR}.{name}", no_more(usual=r"(?i).*test.*|.*generated.*|.*/obj/.*"), "cfg.coverage.exclude")
        for name in ("Exclude", "ExcludeByFile")
    ),
    Row(f"{_COLLECTOR}.Include", filtered(), "cfg.coverage.scope"),
    Row(f"{_COLLECTOR}.Threshold", floor(), "cfg.coverage.threshold"),
)
XUNIT_ROWS: tuple[Row, ...] = tuple(Row(name, flag(good=True), IGNORED) for name in ("failSkips", "failWarns"))
RULE_LEVELS = "none hidden info=default warning error"


def rule_set(node: Node) -> Node:
    """`<Rules><Rule Id="CA1" Action="None" /></Rules>`: rules by their names."""
    found: dict[str, Node] = {}
    for group in occurrences(node.at("RuleSet", "Rules")):
        for rule in occurrences(group.at("Rule")):
            name, action = rule.at("@Id"), rule.at("@Action")
            if name is not None and action is not None:
                found[name.text] = action
    return node.with_value({"rules": node.with_value(found)} if found else None)
