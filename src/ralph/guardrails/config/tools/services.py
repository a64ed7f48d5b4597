"""Coverage floors that services keep: Codecov, go-test-coverage, SonarQube."""

from __future__ import annotations

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import ceiling, flag, floor, no_fewer_paths, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

THRESHOLD, EXCLUDE, MINOR_OMISSION = "cfg.coverage.threshold", "cfg.coverage.exclude", "cfg.coverage.exclude-minor"
OPTIONAL = "cfg.coverage.report-optional"
ANY = ("",)

CODECOV_FILES = ("codecov.yml", ".codecov.yml", "codecov.yaml", ".codecov.yaml")


CODECOV = Tool(
    name="codecov",
    places=tuple(Place(name) for name in CODECOV_FILES),
    rows=(
        Row("coverage.status.*.*.target", floor(), THRESHOLD),
        Row("coverage.status.*.*.threshold", ceiling(0), "cfg.coverage.drop-allowed"),
        Row("coverage.status.*.*.informational", flag(good=False), OPTIONAL),
        Row("coverage.status.*.*.if_not_found", ranked("success failure", "failure"), OPTIONAL),
        Row("coverage.status.*.*.branches", filtered(), "cfg.test.partly"),
        Row("coverage.status.*.*.enabled", flag(good=True, default=True), OPTIONAL),
        Row("coverage.status.*.*.paths", no_fewer_paths(), "cfg.coverage.scope"),
        Row("coverage.status.*.*.if_ci_failed", flag(good=True, default=True), OPTIONAL),
        Row("coverage.status.*", flag(good=True, default=True), OPTIONAL),
        Row("coverage.status.*.*", flag(good=True, default=True), OPTIONAL),
        Row("ignore", no_more_paths(), EXCLUDE, MINOR_OMISSION),
    ),
    suffixes=ANY,
)

GO_COVERAGE = Tool(
    name="go-test-coverage",
    places=tuple(Place(name) for name in (".testcoverage.yml", ".testcoverage.yaml")),
    rows=(
        *(Row(f"threshold.{part}", floor(0), THRESHOLD) for part in ("file", "package", "total")),
        Row("exclude.paths", no_more_paths(), EXCLUDE, MINOR_OMISSION),
    ),
    suffixes=(".go",),
)


def _dashed(node: Node) -> Node:
    """Property names are flat; their dots are no path."""
    return node.with_value({key.replace(".", "-"): value for key, value in node.mapping.items()})


SONAR = Tool(
    name="sonar",
    places=(Place("sonar-project.properties", shape=_dashed),),
    rows=(
        Row("sonar-coverage-exclusions", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("sonar-exclusions", no_more_paths(), "cfg.sonar.exclusions"),
        Row("sonar-sources", no_fewer_paths(), "cfg.sonar.exclusions"),
        Row("sonar-inclusions", no_fewer_paths(), "cfg.sonar.exclusions"),
        *(
            Row(f"sonar-{name}", no_more_paths(), "cfg.sonar.exclusions")
            for name in ("global-exclusions", "cpd-exclusions")
        ),
        *(
            Row(f"sonar-issue-ignore-{name}", no_more(), "cfg.sonar.exclusions")
            for name in ("multicriteria", "allfile", "block")
        ),
        Row("sonar-qualitygate-wait", flag(good=True), "cfg.check.failures-ignored"),
        *(Row(f"sonar-{name}", flag(good=False), "cfg.check.failures-ignored") for name in ("skip", "scanner-skip")),
    ),
    suffixes=ANY,
)

SERVICES: tuple[Tool, ...] = (CODECOV, GO_COVERAGE, SONAR)
