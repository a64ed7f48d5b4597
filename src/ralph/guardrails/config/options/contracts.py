"""The options by which checks of contracts, data, migrations and load look at less or forgive."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.lattice import absent, floor, no_less, no_more, ranked
from ralph.guardrails.config.lists import fewer_named
from ralph.guardrails.config.options.harm import (
    FILTERED,
    IGNORED,
    NOT_RUN,
    PARTLY,
    SNAPSHOTS,
    WEAKER,
    again,
    bad,
    paths_off,
    rules_off,
    strict,
    without,
)
from ralph.guardrails.config.options.model import Option, switch

SEVERITIES = "none error warn=warning info hint"
EXAMPLES = 100


MIGRATIONS = (
    Option("--exclude-migration-tests --ignore-name --ignore-name-contains", no_more(), IGNORED),
    Option("--exclude-apps", no_more(), IGNORED),
    Option("--include-migrations-from", absent(), PARTLY),
)
"""Of `lintmigrations`, a command of Django's `manage.py`."""
CONTRACT_OPTIONS: dict[str, Sequence[Option]] = {
    "spectral": (
        Option("--fail-severity -F", ranked("error warn info hint", "error"), IGNORED),
        bad("--ignore-unknown-format", PARTLY),
    ),
    "redocly": (
        rules_off("--skip-rule --skip-preprocessor"),
        Option("--extends", ranked("minimal recommended spec recommended-strict", "recommended"), IGNORED),
        bad("--generate-ignore-file", IGNORED),
    ),
    "vacuum": (
        Option("--fail-severity -n", ranked(SEVERITIES, "error"), IGNORED),
        bad("--ignore-array-circle-ref --ignore-polymorph-circle-ref", IGNORED),
        Option("--ignore-file", absent(), IGNORED),
        Option("--min-score", floor(10), IGNORED),
    ),
    "oasdiff": (
        Option("--fail-on -o", ranked("none err warn info", "none"), IGNORED),
        Option("--err-ignore --warn-ignore", absent(), IGNORED),
        rules_off("--exclude-elements"),
        Option("--match-path -p", absent(), PARTLY),
    ),
    "openapi-diff": (strict("--fail-on-incompatible"), strict("--fail-on-changed")),
    "buf": (paths_off("--exclude-path"), Option("--path", absent(), PARTLY), bad("--limit-to-input-files", IGNORED)),
    "schemathesis": (
        Option("--checks -c", no_less(all_word="all"), IGNORED),
        rules_off("--exclude-checks"),
        *(without(f"--exclude-{name}") for name in ("path", "path-regex", "method", "tag", "operation-id", "name")),
        bad("--exclude-deprecated", WEAKER),
        *(Option(f"--include-{name}", absent(), FILTERED) for name in ("path", "path-regex", "method", "tag")),
        Option("--max-examples -n --hypothesis-max-examples", floor(EXAMPLES), WEAKER),
        bad("--dry-run", NOT_RUN),
    ),
    "graphql-inspector": (Option("--rule", no_more(), IGNORED),),
    "graphql-schema-linter": (
        Option("--rules -r", fewer_named(all_if_none=True), IGNORED),
        Option("--ignore -i", absent(), IGNORED),
    ),
    "dredd": (
        bad("--dry-run -y --names -n", NOT_RUN),
        Option("--only -x", absent(), FILTERED),
        Option("--method -m", absent(), FILTERED),
    ),
    "pact-broker": (bad("--dry-run", IGNORED), Option("--ignore", no_more(), IGNORED)),
    "dbt": (
        switch("--warn-error", IGNORED, good=True),
        Option("--warn-error-options", absent(), PARTLY),
        without("--exclude"),
        Option("--select -s --models -m --selector", absent(), FILTERED),
        Option("--exclude-resource-type --exclude-resource-types", absent(), "cfg.test.excluded"),
        Option("--resource-type --resource-types", absent(), FILTERED),
        bad("--empty", WEAKER),
    ),
    "soda": (bad("--no-fail", IGNORED),),
    "promptfoo": (
        Option(
            "--filter-first-n -n --filter-sample --filter-pattern --filter-metadata --filter-range", absent(), FILTERED
        ),
        Option("--filter-failing --filter-errors-only", absent(), FILTERED),
        Option("--pass-rate-threshold", floor(100), "cfg.coverage.threshold"),
        Option("--failed-test-exit-code", floor(100), IGNORED),
    ),
    "deepeval": (bad("--ignore-errors -i --skip-on-missing-params -s --use-cache -c", IGNORED),),
    "k6": (bad("--no-thresholds", IGNORED), Option("--iterations -i", absent(), PARTLY)),
    "locust": (Option("--exit-code-on-error", floor(1), IGNORED),),
    "hurl": (
        bad("--ignore-asserts --continue-on-error", IGNORED),
        again("--retry", 0),
        Option("--to-entry", absent(), FILTERED),
    ),
    "newman": (
        bad("--suppress-exit-code -x", IGNORED),
        Option("--folder", absent(), FILTERED),
    ),
    "bru": (Option("--tests-only --exclude-tags", absent(), PARTLY), Option("--tags", absent(), FILTERED)),
    "lhci": (
        Option(
            "--preset",
            ranked("lighthouse:no-pwa lighthouse:recommended=lighthouse:all", "lighthouse:recommended"),
            IGNORED,
        ),
    ),
    "squawk": (rules_off("--exclude -e"), paths_off("--exclude-path"), bad("--no-error-on-unmatched-pattern", PARTLY)),
    "prisma": (strict("--exit-code"),),
    "jupyter": (bad("--allow-errors", IGNORED),),
    "test-storybook": (
        switch("--failOnConsole", IGNORED, good=True),
        without("--excludeTags"),
        Option("--includeTags", absent(), FILTERED),
        bad("--updateSnapshot -u", SNAPSHOTS),
        bad("--passWithNoTests", "cfg.test.none-accepted"),
        Option("--shard", absent(), PARTLY),
        Option("--testNamePattern -t", absent(), FILTERED),
    ),
    "molecule": (switch("--all", FILTERED, good=True), Option("--scenario-name -s", absent(), PARTLY)),
}
