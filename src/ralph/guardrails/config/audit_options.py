"""The options by which audits of secrets, packages, licences and infrastructure forgive what they find."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.harm import IGNORED, NOT_RUN, PARTLY, WEAKER, bad
from ralph.guardrails.config.lattice import absent, ceiling, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.option import Option, switch

LEVELS = "critical high moderate=medium low"


def _off(spellings: str) -> Option:
    """Names of rules or findings that are left out."""
    return Option(spellings, no_more(), IGNORED)


def _paths(spellings: str) -> Option:
    return Option(spellings, no_more_paths(), IGNORED)


def _kept(spellings: str) -> Option:
    return switch(spellings, IGNORED, good=True)


def _level(spellings: str, usual: str = "low") -> Option:
    return Option(spellings, ranked(LEVELS, usual), IGNORED)


AUDIT_OPTIONS: dict[str, Sequence[Option]] = {
    "audit-ci": (
        bad("--critical -c --high -h", IGNORED),
        bad("--report-only", IGNORED),
        bad("--skip-dev -s", WEAKER),
        _off("--allowlist -a"),
    ),
    "better-npm-audit": (_level("--level -l"), _off("--exclude -x"), bad("--production -p", WEAKER)),
    "license-checker": (
        Option("--failOn", no_less(), IGNORED),
        Option("--onlyAllow", no_more(), IGNORED),
        _off("--excludePackages --excludePackagesStartingWith"),
        bad("--production", WEAKER),
    ),
    "lockfile-lint": (
        *(_kept(f"--{name}") for name in ("validate-https", "validate-integrity", "validate-package-names")),
        Option("--allowed-hosts", no_more(), IGNORED),
    ),
    "secretlint": (Option("--secretlintignore", absent(), PARTLY),),
    "osv-scanner": (
        Option("--config", absent(), PARTLY),
        Option("--experimental-exclude --exclude", no_more_paths(), IGNORED),
    ),
    "trufflehog": (
        _kept("--fail"),
        _off("--exclude-detectors"),
        Option("--include-detectors", absent(), IGNORED),
        Option("--exclude-paths -x --exclude-globs", absent(), PARTLY),
        bad("--only-verified", WEAKER),
    ),
    "zizmor": (
        bad("--no-exit-codes", IGNORED),
        Option("--min-severity", ranked("high medium low informational unknown", "unknown"), IGNORED),
        Option("--min-confidence", ranked("high medium low unknown", "unknown"), IGNORED),
        switch("--pedantic -p", IGNORED, good=True),
        bad("--no-online-audits --offline", WEAKER),
    ),
    "retire": (_level("--severity"), _off("--ignore"), Option("--exitwith", floor(13), IGNORED)),
    "terrascan": (
        _off("--skip-rules"),
        Option("--scan-rules", filtered(), IGNORED),
        Option("--severity", ranked("high medium low", "low"), IGNORED),
    ),
    "kube-linter": (
        _off("--exclude"),
        bad("--do-not-auto-add-defaults", IGNORED),
        _paths("--ignore-paths"),
        Option("--include", no_less(), IGNORED),
        _kept("--add-all-built-in"),
    ),
    "kubescape": (
        _level("--severity-threshold -s"),
        Option("--compliance-threshold", floor(0), IGNORED),
        Option("--fail-threshold -t", ceiling(100), IGNORED),
        Option("--exceptions", absent(), IGNORED),
        _off("--exclude-namespaces"),
    ),
    "polaris": (
        _kept("--set-exit-code-on-danger"),
        Option("--set-exit-code-below-score", floor(0), IGNORED),
        Option("--checks", filtered(), IGNORED),
    ),
    "kube-score": (_off("--ignore-test"), _kept("--exit-one-on-warning")),
    "kubeval": (_kept("--strict"), bad("--ignore-missing-schemas", IGNORED), _off("--skip-kinds")),
    "kyverno": (bad("--audit-warn", IGNORED), Option("--test-case-selector -t", absent(), PARTLY)),
    "dockle": (
        Option("--exit-code -c", floor(0), IGNORED),
        Option("--exit-level -l", ranked("fatal warn info", "warn"), IGNORED),
        _off("--ignore -i"),
    ),
    "bearer": (
        Option("--severity", no_less(("critical", "high", "medium", "low")), IGNORED),
        Option("--fail-on-severity", no_less(("critical", "high", "medium", "low")), IGNORED),
        Option("--exit-code", floor(1), IGNORED),
        _off("--skip-rule"),
        Option("--only-rule", filtered(), IGNORED),
        _paths("--skip-path"),
    ),
    "cfn-lint": (
        _off("--ignore-checks -i"),
        Option("--non-zero-exit-code", ranked("none error warning informational", "informational"), IGNORED),
        Option("--ignore-templates", no_more_paths(), IGNORED),
    ),
    **dict.fromkeys(
        ("cfn_nag_scan", "cfn_nag"),
        (Option("--deny-list-path --blacklist-path -r", absent(), IGNORED), _kept("--fail-on-warnings")),
    ),
    "ct": (
        switch("--all", PARTLY, good=True),
        Option("--charts", absent(), PARTLY),
        _off("--excluded-charts"),
        *(
            Option(f"--{name}", flag(good=True, default=True), IGNORED)
            for name in ("check-version-increment", "validate-chart-schema")
        ),
    ),
    "packer": (
        bad("-syntax-only", WEAKER),
        Option("-except", absent(), IGNORED),
        Option("-only", absent(), PARTLY),
        _kept("-check"),
        _kept("-evaluate-datasources"),
    ),
    "regal": (
        Option("--fail-level -l", ranked("error warning", "error"), IGNORED),
        _off("--disable -d --disable-category"),
        Option("--ignore-files", no_more_paths(), IGNORED),
        bad("--disable-all -D", IGNORED),
    ),
    "opa": (
        _kept("--fail -f"),
        Option("--run -r", absent(), PARTLY),
        Option("--threshold", floor(0), "cfg.coverage.threshold"),
        _kept("--strict -S"),
    ),
    "promtool": (
        Option("--lint", ranked("none duplicate-rules all", "duplicate-rules"), IGNORED),
        _kept("--lint-fatal"),
    ),
    "dive": (
        Option("--lowestEfficiency", floor(0), "cfg.coverage.threshold"),
        Option("--highestUserWastedPercent", ceiling(), IGNORED),
    ),
    "slither": (
        *(_kept(f"--fail-{level}") for level in ("pedantic", "low", "medium", "high")),
        bad("--fail-none", IGNORED),
        *(bad(f"--exclude-{level}", IGNORED) for level in ("informational", "low", "medium", "high")),
        _off("--exclude"),
        _paths("--filter-paths"),
        bad("--triage-mode", NOT_RUN),
    ),
    "nix-flake": (bad("--no-build", NOT_RUN),),
}
