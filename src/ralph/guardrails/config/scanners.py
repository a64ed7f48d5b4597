"""The options by which linters and scanners forgive what they find (class G10). One table per program."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import no_check_off
from ralph.guardrails.config.harm import IGNORED, NONE_ACCEPTED, PARTLY, WEAKER, bad, without
from ralph.guardrails.config.lattice import absent, ceiling, floor, no_less, no_more, ranked
from ralph.guardrails.config.option import Option, switch
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED

THRESHOLD = "cfg.coverage.threshold"
EXIT_ZERO = bad("--exit-zero", IGNORED)
SCANNERS: dict[str, Sequence[Option]] = {
    "ruff": (bad("--exit-zero -e", IGNORED),),
    "flake8": (EXIT_ZERO,),
    "pylint": (EXIT_ZERO,),
    "bandit": (EXIT_ZERO, *(bad(spelling, WEAKER) for spelling in ("-ll", "-lll", "-ii", "-iii"))),
    "eslint": (bad("--no-error-on-unmatched-pattern --pass-on-no-patterns", NONE_ACCEPTED),),
    "stylelint": (
        bad("--allow-empty-input --aei", NONE_ACCEPTED),
        Option("--max-warnings --mw", ceiling(), IGNORED),
        bad("--quiet -q", IGNORED),
    ),
    "oxlint": (
        switch("--deny-warnings", IGNORED, good=True),
        Option("--max-warnings", ceiling(), IGNORED),
        Option("-A --allow", no_more(), "cfg.eslint.rule-off"),
        bad("--quiet", IGNORED),
    ),
    "biome": (
        switch("--error-on-warnings", IGNORED, good=True),
        Option("--diagnostic-level", ranked("error warn info", "info"), IGNORED),
        Option("--skip", no_more(), "cfg.biome.rule-off"),
        bad("--no-errors-on-unmatched", NONE_ACCEPTED),
    ),
    "knip": (
        bad("--no-exit-code", IGNORED),
        Option("--max-issues", ceiling(0), IGNORED),
        Option("--exclude", no_more(), IGNORED),
        Option("--include", absent(), PARTLY),
    ),
    "type-coverage": (
        Option("--at-least --is", floor(), THRESHOLD),
        switch("--strict", IGNORED, good=True),
        without("--ignore-files"),
    ),
    "jscpd": (
        Option("--threshold -t", ceiling(None, MANIFOLD), LIFTED, minor=RAISED),
        Option("--min-tokens -k", ceiling(50, MANIFOLD), LIFTED, minor=RAISED),
        Option("--min-lines -l", ceiling(5, MANIFOLD), LIFTED, minor=RAISED),
        Option("--exitCode", floor(0), IGNORED),
    ),
    "madge": (switch("--circular -c", IGNORED, good=True), switch("--orphans", IGNORED, good=True)),
    "depcruise": (Option("--ignore-known", absent(), PARTLY),),
    "pa11y": (Option("--threshold -T", ceiling(0, MANIFOLD), LIFTED, minor=RAISED),),
    "pa11y-ci": (Option("--threshold -T", ceiling(0, MANIFOLD), LIFTED, minor=RAISED),),
    "infection": (Option("--min-msi", floor(), THRESHOLD), Option("--min-covered-msi", floor(), THRESHOLD)),
    "docstr-coverage": (Option("--fail-under -F", floor(), THRESHOLD),),
    "lizard": (Option("-C --CCN", ceiling(15, MANIFOLD), LIFTED, minor=RAISED),),
    "publint": (switch("--strict", IGNORED, good=True),),
    "yamllint": (switch("--strict -s", IGNORED, good=True), bad("--no-warnings", IGNORED)),
    "ansible-lint": (switch("--strict -s", IGNORED, good=True), without("--skip-list -x")),
    "actionlint": (without("-ignore"),),
    "sqlfluff": (bad("--nofail", IGNORED), without("--exclude-rules -e")),
    "vale": (
        bad("--no-exit", IGNORED),
        Option("--minAlertLevel", ranked("error warning suggestion", "suggestion"), IGNORED),
    ),
    "pyright": (
        switch("--warnings", "cfg.pyright.rule", good=True),
        Option("--level", ranked("error warning", "warning"), "cfg.pyright.rule"),
    ),
    "ty": (
        EXIT_ZERO,
        switch("--error-on-warning", IGNORED, good=True),
        without("--ignore"),
    ),
    "pytype": (without("--disable -d"),),
    "pydocstyle": (without("--add-ignore"),),
    "pycodestyle": (without("--ignore"),),
    "deptry": (without("--ignore -i"),),
    "vulture": (Option("--min-confidence", ceiling(0), WEAKER),),
    "xenon": tuple(
        Option(f"--max-{name} -{name[0]}", ranked("F E D C B A", "F"), "cfg.lint.limit-raised")
        for name in ("absolute", "modules", "average")
    ),
    "staticcheck": (Option("-checks", no_check_off(), IGNORED), Option("-fail", absent(), IGNORED)),
    **dict.fromkeys(("revive", "golint"), (switch("-set_exit_status", IGNORED, good=True),)),
    "golangci-lint": (Option("--issues-exit-code", floor(1), IGNORED),),
    "gosec": (
        bad("-no-fail --no-fail", IGNORED),
        without("-exclude"),
        without("-exclude-dir"),
        *(
            Option(f"-{name} --{name}", ranked("high medium low", "low"), IGNORED)
            for name in ("severity", "confidence")
        ),
    ),
    "trivy": (
        Option("--exit-code", floor(0), IGNORED),
        Option("--severity", no_less(), IGNORED),
        bad("--ignore-unfixed", WEAKER),
    ),
    "grype": (Option("--fail-on -f", ranked("none critical high medium low negligible", "none"), IGNORED),),
    "dependency-review": (
        Option("--fail-on-severity", ranked("critical high moderate low", "low"), IGNORED),
        bad("--warn-only", IGNORED),
    ),
    "dependency-check": (Option("--failOnCVSS", ceiling(11), IGNORED),),
    "gitleaks": (Option("--exit-code", floor(1), IGNORED),),
    "semgrep": (switch("--error", IGNORED, good=True), without("--exclude"), without("--exclude-rule")),
    "checkov": (bad("-s --soft-fail", IGNORED), without("--skip-check")),
    "tfsec": (
        bad("-s --soft-fail", IGNORED),
        Option("--minimum-severity -m", ranked("CRITICAL HIGH MEDIUM LOW", "LOW"), IGNORED),
    ),
    "hadolint": (
        bad("--no-fail", IGNORED),
        without("--ignore"),
        Option("--failure-threshold -t", ranked("error warning info style=ignore=none", "info"), IGNORED),
    ),
    "tflint": (
        bad("--force -f", IGNORED),
        Option("--minimum-failure-severity", ranked("error warning notice", "notice"), IGNORED),
    ),
    "brakeman": (bad("--no-exit-on-warn --no-exit-on-error", IGNORED),),
    "safety": (bad("--continue-on-error", IGNORED), Option("--exit-code", floor(1), IGNORED), without("--ignore -i")),
    "pip-audit": (bad("--dry-run", IGNORED), without("--ignore-vuln")),
    "snyk": (
        Option("--severity-threshold", ranked("critical high medium low", "low"), IGNORED),
        Option("--fail-on", ranked("upgradable=patchable all", "all"), IGNORED),
    ),
    "govulncheck": (Option("-mode -format", absent(), PARTLY),),
    "swiftlint": (bad("--lenient", IGNORED), switch("--strict", IGNORED, good=True)),
    "phpstan": (bad("--generate-baseline", IGNORED), Option("--level -l", floor(), WEAKER)),
    "psalm": (Option("--set-baseline", absent(), IGNORED),),
    "npm": (
        Option("--audit-level", ranked("none critical high moderate low info", "low"), IGNORED),
        bad("--if-present", IGNORED),
    ),
    "pnpm": (
        Option("--audit-level", ranked("critical high moderate low", "low"), IGNORED),
        bad("--if-present", IGNORED),
    ),
    "yarn": (Option("--severity", ranked("critical high moderate low", "low"), IGNORED),),
    "codecov": (switch("--fail-on-error -Z", IGNORED, good=True),),
    "isort": (without("--skip"),),
    "black": (without("--exclude"), without("--extend-exclude --force-exclude")),
    "rubocop": (bad("--auto-gen-config", IGNORED), Option("--only", absent(), PARTLY)),
    "shellcheck": (),
    "mutmut": (),
}
