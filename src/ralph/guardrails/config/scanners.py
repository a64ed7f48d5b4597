"""The options by which linters and scanners forgive what they find (class G10). One table per program."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.harm import IGNORED, NONE_ACCEPTED, PARTLY, WEAKER, bad, without
from ralph.guardrails.config.lattice import absent, floor, no_less, ranked
from ralph.guardrails.config.option import Option, switch

EXIT_ZERO = bad("--exit-zero", IGNORED)
SCANNERS: dict[str, Sequence[Option]] = {
    "ruff": (bad("--exit-zero -e", IGNORED),),
    "flake8": (EXIT_ZERO,),
    "pylint": (EXIT_ZERO,),
    "bandit": (EXIT_ZERO,),
    "eslint": (bad("--no-error-on-unmatched-pattern --pass-on-no-patterns", NONE_ACCEPTED),),
    "stylelint": (bad("--allow-empty-input --aei", NONE_ACCEPTED), Option("--max-warnings", absent(), PARTLY)),
    "golangci-lint": (Option("--issues-exit-code", floor(1), IGNORED),),
    "gosec": (bad("-no-fail --no-fail", IGNORED), without("-exclude"), without("-exclude-dir")),
    "trivy": (
        Option("--exit-code", floor(0), IGNORED),
        Option("--severity", no_less(), IGNORED),
        bad("--ignore-unfixed", WEAKER),
    ),
    "gitleaks": (Option("--exit-code", floor(1), IGNORED),),
    "semgrep": (switch("--error", IGNORED, good=True), without("--exclude"), without("--exclude-rule")),
    "checkov": (bad("-s --soft-fail", IGNORED), without("--skip-check")),
    "tfsec": (bad("-s --soft-fail", IGNORED),),
    "hadolint": (bad("--no-fail", IGNORED), without("--ignore")),
    "tflint": (bad("--force -f", IGNORED),),
    "brakeman": (bad("--no-exit-on-warn --no-exit-on-error", IGNORED),),
    "safety": (bad("--continue-on-error", IGNORED), Option("--exit-code", floor(1), IGNORED), without("--ignore -i")),
    "pip-audit": (bad("--dry-run", IGNORED), without("--ignore-vuln")),
    "snyk": (Option("--severity-threshold", ranked("critical high medium low", "low"), IGNORED),),
    "govulncheck": (Option("-mode -format", absent(), PARTLY),),
    "swiftlint": (bad("--lenient", IGNORED),),
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
