"""The options by which linters and scanners forgive what they find (class G10). One table per program."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered, no_check_off
from ralph.guardrails.config.lattice import absent, ceiling, flag, floor, no_more, ranked
from ralph.guardrails.config.lists import fewer_named, only_these
from ralph.guardrails.config.options.audits import AUDIT_OPTIONS
from ralph.guardrails.config.options.contracts import CONTRACT_OPTIONS
from ralph.guardrails.config.options.harm import IGNORED, NONE_ACCEPTED, PARTLY, WEAKER, bad, without
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.options.prose import PROSE_OPTIONS
from ralph.guardrails.config.options.scanners_of_others import OTHERS
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED

THRESHOLD = "cfg.coverage.threshold"
SORBET = (
    without("--ignore"),
    Option("--suppress-error-code --error-black-list --isolate-error-code --error-white-list", no_more(), IGNORED),
    Option("--typed", ranked("ignore false true strict strong", "true"), IGNORED),
)
SCANNERS: dict[str, Sequence[Option]] = {
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
    "publint": (switch("--strict", IGNORED, good=True),),
    "yamllint": (switch("--strict -s", IGNORED, good=True), bad("--no-warnings", IGNORED)),
    "ansible-lint": (switch("--strict -s", IGNORED, good=True), without("--skip-list -x")),
    "actionlint": (without("-ignore"),),
    "sqlfluff": (bad("--nofail", IGNORED), without("--exclude-rules -e")),
    "vale": (
        bad("--no-exit", IGNORED),
        Option("--minAlertLevel", ranked("error warning suggestion", "suggestion"), IGNORED),
    ),
    "staticcheck": (
        Option("-checks", no_check_off(), IGNORED),
        Option("-fail", absent(), IGNORED),
        Option("-tests", flag(good=True, default=True), IGNORED),
    ),
    **dict.fromkeys(("revive", "golint"), (switch("-set_exit_status", IGNORED, good=True), without("-exclude"))),
    "golangci-lint": (
        Option("--issues-exit-code", floor(1), IGNORED),
        Option("--tests", flag(good=True, default=True), "cfg.golangci.exclude"),
        Option("--new-from-patch", absent(), "cfg.golangci.new-only"),
        Option("--default", ranked("none fast standard all", "standard"), "cfg.golangci.linter-removed"),
        Option("--enable-only", only_these(), "cfg.golangci.linter-removed"),
        bad("--fast-only --no-config", "cfg.golangci.linter-removed"),
        without("--exclude-files"),
    ),
    "errcheck": (
        bad("-ignoretests", IGNORED),
        Option("-exclude", absent(), IGNORED),
        without("-ignorepkg"),
        without("-ignore"),
        switch("-blank", IGNORED, good=True),
        switch("-asserts", IGNORED, good=True),
    ),
    "gosec": (
        bad("-no-fail --no-fail", IGNORED),
        without("-exclude"),
        without("-exclude-dir"),
        Option("-include", filtered(), IGNORED),
        *(
            Option(f"-{name} --{name}", ranked("high medium low", "low"), IGNORED)
            for name in ("severity", "confidence")
        ),
    ),
    "grype": (
        bad("--only-fixed", WEAKER),
        Option("--fail-on -f", ranked("none critical high medium low negligible", "none"), IGNORED),
    ),
    "dependency-review": (
        Option("--fail-on-severity", ranked("critical high moderate low", "low"), IGNORED),
        bad("--warn-only", IGNORED),
    ),
    "dependency-check": (Option("--failOnCVSS", ceiling(11), IGNORED),),
    "gitleaks": (
        Option("--exit-code", floor(1), IGNORED),
        Option("--baseline-path -b", absent(), IGNORED),
        Option("--log-opts", absent(), PARTLY),
        Option("--gitleaks-ignore-path -i", absent(), PARTLY),
    ),
    "semgrep": (
        *(switch(name, IGNORED, good=True) for name in ("--error", "--disable-nosem", "--no-suppress-errors")),
        *(without(name) for name in ("--exclude", "--exclude-rule")),
        Option("--severity", fewer_named(all_if_none=True), IGNORED),
    ),
    "hadolint": (
        bad("--no-fail", IGNORED),
        without("--ignore"),
        Option("--failure-threshold -t", ranked("error warning info style=ignore=none", "info"), IGNORED),
    ),
    "brakeman": (
        bad("--no-exit-on-warn --no-exit-on-error -w2 -w3", IGNORED),
        Option("--confidence-level -w", ceiling(1), IGNORED),
        without("--except -x"),
        without("--skip-files"),
        Option("--test -t", filtered(), IGNORED),
        Option("--only-files", absent(), PARTLY),
    ),
    **dict.fromkeys(("bundler-audit", "bundle-audit"), (without("--ignore -i"),)),
    "reek": (
        Option("--failure-exit-code", floor(2), IGNORED),
        Option("--smell", filtered(), IGNORED),
    ),
    "steep": (
        Option("--severity-level", ranked("error warning information hint", "hint"), IGNORED),
        Option("--save-expectations", absent(), IGNORED),
    ),
    "srb": SORBET,
    "safety": (bad("--continue-on-error", IGNORED), Option("--exit-code", floor(1), IGNORED), without("--ignore -i")),
    "snyk": (
        Option("--severity-threshold", ranked("critical high medium low", "low"), IGNORED),
        Option("--fail-on", ranked("upgradable=patchable all", "all"), IGNORED),
    ),
    "govulncheck": (
        Option("-format --format", ranked("sarif=openvex=json text", "text"), IGNORED),  # of the others it exits with 0
        bad("-json --json", IGNORED),
        Option("-mode --mode", absent(), PARTLY),
    ),
    "phpstan": (bad("--generate-baseline", IGNORED), Option("--level -l", floor(), WEAKER)),
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
    "rubocop": (
        bad("--auto-gen-config --disable-pending-cops --lint -l", IGNORED),
        Option("--only", absent(), PARTLY),
    ),
    "shellcheck": (),
    "mutmut": (),
    **OTHERS,
    **CONTRACT_OPTIONS,
    **AUDIT_OPTIONS,
    **PROSE_OPTIONS,
}
