"""The options of `dotnet` by which it runs fewer tests, checks less, or forgives what it finds (see `narrowing`)."""

from __future__ import annotations

from ralph.guardrails.config.lattice import absent, flag, floor, no_more, no_more_paths, ranked
from ralph.guardrails.config.options.harm import (
    IGNORED,
    NONE_ACCEPTED,
    NOT_RUN,
    PARTLY,
    again,
    bad,
    only,
    without,
)
from ralph.guardrails.config.options.model import Option

CHECK_OFF, MUTED = "cfg.msbuild.check-off", "cfg.msbuild.warnings-muted"


def _property(name: str) -> str:
    return " ".join(f"{start}{name}" for start in ("-p:", "/p:", "--property:", "-property:", "/property:"))


DOTNET = (
    only("--filter"),
    only("RunConfiguration.TestCaseFilter"),
    only(_property("VSTestTestCaseFilter")),
    only("--filter-class --filter-method --filter-namespace --filter-trait --filter-query --treenode-filter"),
    without("--filter-not-class --filter-not-method --filter-not-namespace --filter-not-trait"),
    bad("--list-tests -t --test-list", NOT_RUN),
    Option("--ignore-exit-code", absent(), IGNORED),
    again("--retry-failed-tests", 0),
    Option("--minimum-expected-tests", floor(), NONE_ACCEPTED),
    Option("--break-at --threshold-break -b", floor(), "cfg.coverage.threshold"),
    Option("--severity", ranked("error warn info", "warn"), IGNORED),
    Option("--exclude", no_more_paths(), IGNORED),
    Option("--exclude-diagnostics", no_more(), IGNORED),
    Option("--diagnostics", absent(), IGNORED),
    Option("--include", absent(), PARTLY),
    Option("/nowarn -nowarn", no_more(), MUTED),
    Option(_property("NoWarn"), no_more(), MUTED),
    Option(_property("Nullable"), ranked("disable annotations warnings enable", "enable"), "cfg.msbuild.nullable-off"),
    Option(_property("EnableNETAnalyzers"), flag(good=True, default=True), CHECK_OFF),
    Option(_property("EnforceCodeStyleInBuild"), flag(good=True), CHECK_OFF),
    Option(_property("RunAnalyzersDuringBuild"), flag(good=True, default=True), CHECK_OFF),
    Option(_property("NuGetAudit"), flag(good=True, default=True), CHECK_OFF),
    Option(_property("WarningLevel"), floor(4), CHECK_OFF),
)
