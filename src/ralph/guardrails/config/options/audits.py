"""The options by which audits of secrets, packages, licences and infrastructure forgive what they find."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, ceiling, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.options.harm import IGNORED, NOT_RUN, PARTLY, WEAKER, bad, paths_off, rules_off, strict
from ralph.guardrails.config.options.model import Option, switch

LEVELS = "critical high moderate=medium low"


def _level(spellings: str, usual: str = "low") -> Option:
    return Option(spellings, ranked(LEVELS, usual), IGNORED)


AUDIT_OPTIONS: dict[str, Sequence[Option]] = {
    "audit-ci": (
        bad("--critical -c --high -h", IGNORED),
        bad("--report-only", IGNORED),
        bad("--skip-dev -s", WEAKER),
        rules_off("--allowlist -a"),
    ),
    "better-npm-audit": (_level("--level -l"), rules_off("--exclude -x"), bad("--production -p", WEAKER)),
    "license-checker": (
        Option("--failOn", no_less(), IGNORED),
        Option("--onlyAllow", no_more(), IGNORED),
        rules_off("--excludePackages --excludePackagesStartingWith"),
        bad("--production", WEAKER),
    ),
    "lockfile-lint": (
        *(strict(f"--{name}") for name in ("validate-https", "validate-integrity", "validate-package-names")),
        Option("--allowed-hosts", no_more(), IGNORED),
    ),
    "secretlint": (Option("--secretlintignore", absent(), PARTLY),),
    "osv-scanner": (
        Option("--config", absent(), PARTLY),
        Option("--experimental-exclude --exclude", no_more_paths(), IGNORED),
    ),
    "trufflehog": (
        strict("--fail"),
        rules_off("--exclude-detectors"),
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
    "retire": (_level("--severity"), rules_off("--ignore"), Option("--exitwith", floor(13), IGNORED)),
    "terrascan": (
        rules_off("--skip-rules"),
        Option("--scan-rules", filtered(), IGNORED),
        Option("--severity", ranked("high medium low", "low"), IGNORED),
    ),
    "kube-linter": (
        rules_off("--exclude"),
        bad("--do-not-auto-add-defaults", IGNORED),
        paths_off("--ignore-paths"),
        Option("--include", no_less(), IGNORED),
        strict("--add-all-built-in"),
    ),
    "kubescape": (
        _level("--severity-threshold -s"),
        Option("--compliance-threshold", floor(0), IGNORED),
        Option("--fail-threshold -t", ceiling(100), IGNORED),
        Option("--exceptions", absent(), IGNORED),
        rules_off("--exclude-namespaces"),
    ),
    "polaris": (
        strict("--set-exit-code-on-danger"),
        Option("--set-exit-code-below-score", floor(0), IGNORED),
        Option("--checks", filtered(), IGNORED),
    ),
    "kube-score": (rules_off("--ignore-test"), strict("--exit-one-on-warning")),
    "kubeval": (strict("--strict"), bad("--ignore-missing-schemas", IGNORED), rules_off("--skip-kinds")),
    "kyverno": (bad("--audit-warn", IGNORED), Option("--test-case-selector -t", absent(), PARTLY)),
    "dockle": (
        Option("--exit-code -c", floor(0), IGNORED),
        Option("--exit-level -l", ranked("fatal warn info", "warn"), IGNORED),
        rules_off("--ignore -i"),
    ),
    "bearer": (
        Option("--severity", no_less(("critical", "high", "medium", "low")), IGNORED),
        Option("--fail-on-severity", no_less(("critical", "high", "medium", "low")), IGNORED),
        Option("--exit-code", floor(1), IGNORED),
        rules_off("--skip-rule"),
        Option("--only-rule", filtered(), IGNORED),
        paths_off("--skip-path"),
    ),
    "cfn-lint": (
        rules_off("--ignore-checks -i"),
        Option("--non-zero-exit-code", ranked("none error warning informational", "informational"), IGNORED),
        Option("--ignore-templates", no_more_paths(), IGNORED),
    ),
    **dict.fromkeys(
        ("cfn_nag_scan", "cfn_nag"),
        (Option("--deny-list-path --blacklist-path -r", absent(), IGNORED), strict("--fail-on-warnings")),
    ),
    "ct": (
        switch("--all", PARTLY, good=True),
        Option("--charts", absent(), PARTLY),
        rules_off("--excluded-charts"),
        *(
            Option(f"--{name}", flag(good=True, default=True), IGNORED)
            for name in ("check-version-increment", "validate-chart-schema")
        ),
    ),
    "packer": (
        bad("-syntax-only", WEAKER),
        Option("-except", absent(), IGNORED),
        Option("-only", absent(), PARTLY),
        strict("-check"),
        strict("-evaluate-datasources"),
    ),
    "regal": (
        Option("--fail-level -l", ranked("error warning", "error"), IGNORED),
        rules_off("--disable -d --disable-category"),
        Option("--ignore-files", no_more_paths(), IGNORED),
        bad("--disable-all -D", IGNORED),
    ),
    "opa": (
        strict("--fail -f"),
        Option("--run -r", absent(), PARTLY),
        Option("--threshold", floor(0), "cfg.coverage.threshold"),
        strict("--strict -S"),
    ),
    "promtool": (
        Option("--lint", ranked("none duplicate-rules all", "duplicate-rules"), IGNORED),
        strict("--lint-fatal"),
    ),
    "dive": (
        Option("--lowestEfficiency", floor(0), "cfg.coverage.threshold"),
        Option("--highestUserWastedPercent", ceiling(), IGNORED),
    ),
    "slither": (
        *(strict(f"--fail-{level}") for level in ("pedantic", "low", "medium", "high")),
        bad("--fail-none", IGNORED),
        *(bad(f"--exclude-{level}", IGNORED) for level in ("informational", "low", "medium", "high")),
        rules_off("--exclude"),
        paths_off("--filter-paths"),
        bad("--triage-mode", NOT_RUN),
    ),
    "nix-flake": (bad("--no-build", NOT_RUN),),
}
