"""Linters of what a project deploys: manifests, charts, templates, policies and playbooks."""

from __future__ import annotations

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Node, names
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.levels import EXCLUDED, IGNORED, inside, leveled

SEVERITY = "critical high medium low"


def _tool(name: str, places: tuple[Place, ...], *rows: Row) -> Tool:
    return Tool(name=name, places=places, rows=rows, suffixes=())


def _files(stem: str, *ends: str) -> tuple[Place, ...]:
    return tuple(Place(f"{stem}.{end}") for end in ends or ("yaml", "yml"))


def _overlooked(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more(), IGNORED) for key in keys)


def _paths(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED) for key in keys)


def _rego(node: Node) -> Node:
    """Regal's rules stand in categories; their names are their own."""
    if not f"/{node.path}".endswith((".regal.yaml", "/.regal/config.yaml")):
        return node.with_value({})
    rules = node.at("rules")
    found = {
        name: said
        for category in (rules.mapping.values() if rules is not None else ())
        for name, said in category.mapping.items()
    }
    return node.with_value({"rules": node.with_value(found)})


KICS = names("exclude-queries exclude-categories exclude-severities exclude-results")
CHARTS = names("check-version-increment validate-maintainers validate-chart-schema validate-yaml")
CLUSTERS: tuple[Tool, ...] = (
    _tool(
        "kube-linter",
        (*_files(".kube-linter"), *_files(".kubelinter")),
        *_overlooked("checks.exclude"),
        Row("checks.include", no_less(), IGNORED),
        Row("checks.addAllBuiltIn", flag(good=True), IGNORED),
        Row("checks.doNotAutoAddDefaults", flag(good=False), IGNORED),
        *_paths("checks.ignorePaths"),
    ),
    _tool(
        "terrascan",
        _files("terrascan", "toml"),
        *_overlooked("rules.skip-rules"),
        Row("rules.scan-rules", filtered(), IGNORED),
        Row("severity.level", ranked("high medium low", "low"), IGNORED),
    ),
    _tool(
        "tfsec",
        tuple(Place(f"config.{end}", shape=inside(".tfsec")) for end in ("yml", "yaml", "json")),
        Row("minimum_severity", ranked(SEVERITY, "low"), IGNORED),
        *_overlooked("exclude"),
        Row("include", filtered(), IGNORED),
        Row("severity_overrides.*", ranked("none low medium high critical error", "critical"), IGNORED),
    ),
    _tool(
        "kics",
        (Place("kics.config"), *_files("kics", "yaml", "yml", "json", "toml")),
        *_overlooked(*KICS),
        *_paths("exclude-paths"),
        Row("fail-on", no_less(("critical", "high", "medium", "low", "info")), IGNORED),
        Row("ignore-on-exit", ranked("all results errors none", "none"), IGNORED),
    ),
    _tool(
        "cfn-lint",
        (Place(".cfnlintrc"), *_files(".cfnlintrc")),
        *_overlooked("ignore_checks"),
        *_paths("ignore_templates"),
    ),
    _tool(
        "polaris",
        (*_files("polaris"), *_files(".polaris")),
        Row("checks.*", ranked("ignore warning danger", "ignore"), IGNORED),
        *_overlooked("exemptions"),
    ),
    _tool(
        "chart-testing",
        (*_files("ct"), *_files(".ct"), *_files("chart-testing")),
        *_overlooked("excluded-charts"),
        *(Row(name, flag(good=True, default=True), IGNORED) for name in CHARTS),
    ),
    leveled(
        "regal",
        (Place(".regal.yaml", shape=_rego), Place("config.yaml", shape=_rego)),
        usual="error",
        suffixes=(".rego",),
    ),
    leveled("dclint", (Place(".dclintrc"), *_files(".dclintrc", "yaml", "yml", "json"))),
    _tool(
        "foundry",
        _files("foundry", "toml"),
        Row("profile.*.deny_warnings", flag(good=True), IGNORED),
        Row("profile.*.deny", ranked("never notes warnings", "never"), IGNORED),
        *(Row(f"{start}fuzz.runs", floor(256), "cfg.test.weaker-run") for start in ("", "profile.*.")),
        *(Row(f"{start}invariant.runs", floor(256), "cfg.test.weaker-run") for start in ("", "profile.*.")),
        *(Row(f"{start}invariant.fail_on_revert", flag(good=True), IGNORED) for start in ("", "profile.*.")),
        *(
            Row(f"profile.*.no_match_{name}", filtered(), "cfg.test.excluded")
            for name in ("test", "contract", "path", "coverage")
        ),
        *(Row(f"profile.*.match_{name}", filtered(), "cfg.test.filtered") for name in ("test", "contract", "path")),
        *_overlooked("profile.*.ignored_error_codes", "profile.*.skip"),
    ),
)
