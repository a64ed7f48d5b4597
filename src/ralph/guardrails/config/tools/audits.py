"""Audits of packages, licences, secrets and pipelines: what they fail for, and what they are told to overlook."""

from __future__ import annotations

from collections.abc import Callable

from ralph.guardrails.config.exclusions.by_line import by_what_stands_there
from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, flag, no_less, no_more, ranked
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.levels import IGNORED

LEVELS = ("low", "moderate", "high", "critical")
FALLING = "none critical high moderate=medium low info=negligible"


def _lowest(node: Node) -> Node:
    """audit-ci: the least severe level that it fails for."""
    on = [name for name in LEVELS if (said := node.at(name)) is not None and said.value is True]
    settings = {name: value for name, value in node.mapping.items() if name not in LEVELS}
    place = node.at(on[0]) if on else None
    return node.with_value({**settings, "fails": (place or node).with_value(on[0])} if on else settings)


def _listed(key: str, named: str) -> Callable[[Node], Node]:
    """The items of a list by their names; one that is disabled is none."""

    def shape(node: Node) -> Node:
        whole = node.at(key)
        found = []
        for item in whole.items if whole is not None else ():
            name, off = item.at(named), item.at("disabled")
            if name is not None and not (off is not None and off.value is True):
                found.append(item.with_value(canonical(name)))
        return node.with_value({**node.mapping, key: (whole or node).with_value(found)} if found else {})

    return shape


def _tool(name: str, places: tuple[Place, ...], *rows: Row, invited: bool = False) -> Tool:
    programs = MANY_LINTERS if invited else ()
    refine = by_what_stands_there if name == "zizmor" else None
    return Tool(
        name=name, places=places, rows=rows, suffixes=(), by_invitation=invited, programs=programs, refine=refine
    )


def _files(stem: str, *ends: str) -> tuple[Place, ...]:
    return tuple(Place(f"{stem}.{end}") for end in ends)


def _overlooked(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more(), IGNORED) for key in keys)


MANY_LINTERS = ("super-linter", "megalinter")
"""They run other linters without a word."""
PNPM = ("ignoreCves", "ignoreGhsas")
AUDITS: tuple[Tool, ...] = (
    _tool(
        "audit-ci",
        tuple(Place(f"{dot}audit-ci.{end}", shape=_lowest) for dot in ("", ".") for end in ("json", "jsonc", "json5")),
        Row("fails", ranked(FALLING, "none"), IGNORED),
        *(Row(name, flag(good=False), IGNORED) for name in ("report-only", "skip-dev", "pass-enoaudit")),
    ),
    _tool("yarn's audit", (Place(".yarnrc.yml"),), *_overlooked("npmAuditIgnoreAdvisories", "npmAuditExcludePackages")),
    _tool(
        "pnpm's audit",
        (Place("pnpm-workspace.yaml", ("auditConfig",)), Place("package.json", ("pnpm", "auditConfig"))),
        *_overlooked(*PNPM),
    ),
    _tool("npm's audit", (Place(".npmrc"),), Row("audit-level", ranked(FALLING, "none"), IGNORED)),
    _tool(
        "cargo-audit",
        (Place("audit.toml"),),
        Row("output.deny", no_less(), IGNORED),
        Row("advisories.severity_threshold", ranked("critical high medium low none", "none"), IGNORED),
    ),
    _tool(
        "composer's audit",
        (Place("composer.json", ("config", "audit")),),
        *_overlooked("ignore"),
        Row("ignore.*", absent(), IGNORED),
        Row("abandoned", ranked("ignore report fail", "fail"), IGNORED),
        Row("block-insecure", flag(good=True, default=True), IGNORED),
    ),
    _tool(
        "grype",
        (*_files(".grype", "yaml", "yml"), *_files("grype", "yaml", "yml")),
        Row("fail-on-severity", ranked(FALLING, "none"), IGNORED),
        Row("only-fixed", flag(good=False), IGNORED),
    ),
    _tool(
        "gitleaks",
        (Place(".gitleaks.toml"), Place("gitleaks.toml")),
        *_overlooked("extend.disabledRules"),
        Row("extend.useDefault", flag(good=True), IGNORED),
    ),
    _tool(
        "secretlint",
        tuple(Place(f".secretlintrc{end}", shape=_listed("rules", "id")) for end in (".json", ".yml", ".yaml")),
        Row("rules", no_less(), IGNORED),
    ),
    _tool(
        "detect-secrets",
        (Place(".secrets.baseline", shape=_listed("plugins_used", "name")),),
        Row("plugins_used", no_less(), IGNORED),
    ),
    _tool(
        "zizmor",
        (*_files("zizmor", "yml", "yaml"), *_files(".zizmor", "yml", "yaml")),
        Row("rules.*.disable", flag(good=False), IGNORED),
        *_overlooked("rules.*.ignore"),
        Row("rules.unpinned-uses.config.policies.*", ranked("any ref-pin hash-pin", "hash-pin"), IGNORED),
        invited=True,
    ),
    _tool("actionlint", _files("actionlint", "yaml", "yml"), *_overlooked("paths.*.ignore"), invited=True),
    _tool(
        "dependency review",
        _files("dependency-review-config", "yml", "yaml"),
        Row("fail-on-severity", ranked(FALLING, "low"), IGNORED),
        *_overlooked("allow-ghsas", "allow-licenses", "allow-dependencies-licenses"),
        Row("warn-only", flag(good=False), IGNORED),
        *(Row(name, no_less(), IGNORED) for name in ("deny-licenses", "deny-packages", "deny-groups")),
        *(Row(name, flag(good=True, default=True), IGNORED) for name in ("license-check", "vulnerability-check")),
        Row("fail-on-scopes", no_less(("runtime",)), IGNORED),
    ),
    _tool("socket", _files("socket", "yml", "yaml"), Row("issueRules.*", flag(good=True, default=True), IGNORED)),
    _tool(
        "slither",
        (Place("slither.config.json"),),
        *_overlooked("detectors_to_exclude", "filter_paths"),
        Row("detectors_to_run", filtered(), IGNORED),
        Row("fail_on", ranked("none high medium low pedantic", "pedantic"), IGNORED),
        *(Row(f"exclude_{name}", flag(good=False), IGNORED) for name in ("high", "medium", "low", "informational")),
        *(Row(f"fail_{name}", flag(good=True), IGNORED) for name in ("high", "medium", "low")),
    ),
)
