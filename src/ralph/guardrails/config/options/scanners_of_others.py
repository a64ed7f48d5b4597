"""The options by which checkers of C and C++, PHP, Lua, Haskell, Swift and infrastructure look at less or forgive."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, ceiling, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import (
    EXCLUDED,
    FILTERED,
    IGNORED,
    NOT_RUN,
    PARTLY,
    SNAPSHOTS,
    bad,
    only,
    without,
)
from ralph.guardrails.config.options.model import Option, switch

THRESHOLD = "cfg.coverage.threshold"


def _off(spellings: str) -> Option:
    """Names of rules that are left out."""
    return Option(spellings, no_more(), IGNORED)


def _kept(spellings: str) -> Option:
    return switch(spellings, IGNORED, good=True)


UNFAILING = names("do-not-fail-on-risky do-not-fail-on-warning do-not-fail-on-skipped do-not-fail-on-incomplete")
PHPUNIT = (
    *(bad(f"--{name}", IGNORED) for name in UNFAILING),
    bad("--do-not-fail-on-empty-test-suite --dont-report-useless-tests", "cfg.test.none-accepted"),
    Option("--generate-baseline", absent(), IGNORED),
    Option("--min", floor(), THRESHOLD),
    bad("--todos --dirty --retry", FILTERED),
    bad("--update-snapshots", SNAPSHOTS),
)
OTHERS: dict[str, Sequence[Option]] = {
    "cppcheck": (
        Option("--error-exitcode", floor(0), IGNORED),
        Option("--enable", no_less(all_word="all"), IGNORED),
        _off("--suppress"),
        Option("--suppressions-list", absent(), IGNORED),
        Option("-i", no_more_paths(), IGNORED),
        _kept("--inconclusive"),
    ),
    "clang-tidy": (
        Option("-warnings-as-errors --warnings-as-errors", no_less(all_word="*"), IGNORED),
        Option("-checks --checks", absent(), IGNORED),
    ),
    "clang-format": (_kept("--Werror -Werror"), _kept("--dry-run -n")),
    "valgrind": (
        Option("--error-exitcode", floor(0), IGNORED),
        Option("--leak-check", ranked("no summary full=yes", "summary"), IGNORED),
        Option("--suppressions", absent(), IGNORED),
    ),
    "gcovr": (
        *(Option(f"--fail-under-{name}", floor(), THRESHOLD) for name in ("line", "branch", "function", "decision")),
        Option("--exclude -e", no_more_paths(), "cfg.coverage.exclude"),
    ),
    "scan-build": (_kept("--status-bugs -status-bugs"), Option("--exclude", no_more_paths(), IGNORED)),
    "phpcs": (
        bad("-n", IGNORED),
        Option("--warning-severity", ranked("0 10 9 8 7 6 5 4 3 2 1", "5"), IGNORED),
        Option("--error-severity", ceiling(5), IGNORED),
        Option("--ignore", no_more_paths(), IGNORED),
        _off("--exclude"),
        Option("--sniffs", filtered(), IGNORED),
    ),
    "php-cs-fixer": (_kept("--dry-run"),),
    "rector": (_kept("--dry-run -n"),),
    "phpmd": (
        bad("--ignore-violations-on-exit --ignore-errors-on-exit", IGNORED),
        Option("--exclude", no_more_paths(), IGNORED),
        Option("--minimumpriority --minimum-priority", floor(5), IGNORED),
        bad("--generate-baseline --update-baseline", IGNORED),
    ),
    "psalm": (
        Option("--set-baseline", absent(), IGNORED),
        Option("--error-level", ceiling(2), IGNORED),
        bad("--update-baseline", PARTLY),
    ),
    "infection": (
        Option("--min-msi", floor(), THRESHOLD),
        Option("--min-covered-msi", floor(), THRESHOLD),
        Option("--filter", absent(), PARTLY),
        bad("--ignore-msi-with-no-mutations", IGNORED),
    ),
    "checkov": (
        bad("-s --soft-fail", IGNORED),
        without("--skip-check"),
        _off("--soft-fail-on --skip-framework"),
        _off("--skip-path"),
        Option("--check -c", filtered(), IGNORED),
        Option("--hard-fail-on", no_less(), IGNORED),
        Option("--baseline", absent(), IGNORED),
    ),
    "trivy": (
        Option("--exit-code", floor(0), IGNORED),
        Option("--severity -s", no_less(), IGNORED),
        bad("--ignore-unfixed", "cfg.test.weaker-run"),
        Option("--ignorefile", absent(), IGNORED),
        Option("--skip-dirs --skip-files", no_more_paths(), IGNORED),
        Option("--scanners", no_less(("vuln", "secret")), IGNORED),
    ),
    "tfsec": (
        bad("-s --soft-fail", IGNORED),
        Option("--minimum-severity -m", ranked("critical high medium low", "low"), IGNORED),
        _off("--exclude -e"),
        Option("--exclude-path", no_more_paths(), IGNORED),
    ),
    "tflint": (
        bad("--force -f", IGNORED),
        Option("--minimum-failure-severity", ranked("error warning notice", "notice"), IGNORED),
        _off("--disable-rule"),
        Option("--only", filtered(), IGNORED),
        Option("--filter", absent(), PARTLY),
    ),
    "terraform": (_kept("-check"), _kept("-recursive")),
    "conftest": (bad("--no-fail", IGNORED), Option("--namespace -n", absent(), PARTLY)),
    "kics": (
        Option("--fail-on", no_less(("critical", "high", "medium", "low", "info")), IGNORED),
        Option("--ignore-on-exit", ranked("all results errors none", "none"), IGNORED),
        Option("--exclude-paths", no_more_paths(), IGNORED),
        _off("--exclude-queries --exclude-categories --exclude-severities"),
    ),
    "kubeconform": (_kept("-strict"), bad("-ignore-missing-schemas", IGNORED), _off("-skip")),
    "helm": (_kept("--strict"),),
    "busted": (
        without("--exclude-tags"),
        only("--tags -t"),
        without("--filter-out --exclude-pattern --exclude-names-file"),
        only("--filter --name"),
        bad("--list -l", NOT_RUN),
    ),
    "luacheck": (
        _off("--ignore -i"),
        Option("--exclude-files", no_more_paths(), IGNORED),
        Option("--only -o", filtered(), IGNORED),
        bad("--no-unused --no-redefined --no-global --no-unused-args --no-self -u -r -g -a", IGNORED),
    ),
    "stack": (
        only("--test-arguments --ta"),
        bad("--no-run-tests", NOT_RUN),
        switch("--pedantic", IGNORED, good=True),
    ),
    "cabal": (only("--test-options --test-option"),),
    "hlint": (_off("--ignore -i"), bad("--no-exit-code", IGNORED), Option("--only", filtered(), IGNORED)),
    "swiftlint": (
        bad("--lenient", IGNORED),
        _kept("--strict"),
        Option("--only-rule", filtered(), IGNORED),
        _off("--disable-rule"),
        Option("--baseline --write-baseline", absent(), IGNORED),
    ),
    "ctest": (
        Option("--tests-information -I", absent(), FILTERED),
        bad("--rerun-failed", FILTERED),
        Option("--exclude-from-file", absent(), EXCLUDED),
        Option("--tests-from-file", absent(), FILTERED),
    ),
    "flutter": (
        bad("--update-goldens", SNAPSHOTS),
        Option("--shard-index", absent(), PARTLY),
    ),
    "swift": (bad("--disable-xctest --disable-swift-testing", NOT_RUN),),
    "xcodebuild": (
        Option("-testPlan", absent(), PARTLY),
        Option("-skip-test-configuration", absent(), EXCLUDED),
        Option("-only-test-configuration", absent(), FILTERED),
    ),
    **dict.fromkeys(("phpunit", "pest"), PHPUNIT),
}
