"""The options by which a command runs fewer tests, forgives failures, repeats them or rewrites what they compare with.

One table per program (classes G09, G10, G13, G14). Options that only stop earlier (`-x`, `--maxfail`) take nothing
away.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.builders import BUILDERS
from ralph.guardrails.config.filters import no_fewer_features, no_fewer_tests, no_plugins_off, picked
from ralph.guardrails.config.given import no_narrower_ini
from ralph.guardrails.config.harm import (
    COLLECTION,
    EXCLUDED,
    FILTERED,
    IGNORED,
    NONE_ACCEPTED,
    NOT_RUN,
    PARTLY,
    RETRIES,
    SNAPSHOTS,
    WEAKER,
    again,
    bad,
    choice,
    only,
    some,
    without,
)
from ralph.guardrails.config.jvm_options import GRADLE, MAVEN
from ralph.guardrails.config.lattice import absent, flag, floor, no_less, no_more_paths, ranked
from ralph.guardrails.config.option import Option, switch
from ralph.guardrails.config.scanners import SCANNERS

PYTEST = (
    only("-k"),
    only("-m"),
    without("--deselect"),
    without("--ignore"),
    without("--ignore-glob"),
    bad(
        "--collect-only --co --collectonly --setup-only --setuponly --setup-plan --setupplan --fixtures --markers",
        NOT_RUN,
    ),
    bad("--last-failed --lf --stepwise --sw --stepwise-skip --picked --testmon", FILTERED),
    bad("--sw-skip", FILTERED),
    bad("--continue-on-collection-errors", COLLECTION),
    bad("--suppress-no-test-exit-code --suppress-tests-failed-exit-code", IGNORED),
    bad(
        "--snapshot-update --force-regen --regen-all --update-snapshots --update-goldens --update-golden "
        "--update-expected --gen-golden",
        SNAPSHOTS,
    ),
    Option("--inline-snapshot", absent(), SNAPSHOTS),
    Option("--record-mode --vcr-record", ranked("all=rewrite new_episodes once none", "none"), SNAPSHOTS),
    again("--reruns --retries --max-runs --flake-runs", 0),
    bad("--force-flaky", RETRIES),
    bad("--noconftest", WEAKER),
    Option("-p", no_plugins_off(), WEAKER),
    Option("--override-ini -o", no_narrower_ini(), FILTERED, minor=PARTLY),
    switch("--doctest-modules", NOT_RUN, good=True),
    Option("--doctest-glob", no_less(), NOT_RUN),
    switch("--mypy --ruff --flake8 --pylint --nbval --nbmake", NOT_RUN, good=True),
    Option("--rootdir --confcutdir", absent(), PARTLY),
    Option("-W --pythonwarnings", no_less(), WEAKER),
    Option("--assert", ranked("plain rewrite", "rewrite"), WEAKER),
    some("--group --splits --shard-id --num-shards"),
)
JEST = (
    only("--testNamePattern -t"),
    only("--testPathPattern --testPathPatterns --runTestsByPath --testMatch --testRegex"),
    without("--testPathIgnorePatterns"),
    without("--ignoreProjects"),
    only("--selectProjects"),
    Option("--roots --rootDir", no_fewer_tests(folders=True), COLLECTION),
    bad("--onlyChanged -o --onlyFailures -f --lastCommit", FILTERED),
    some("--changedSince --findRelatedTests"),
    some("--shard"),
    Option("--passWithNoTests", flag(good=False), NONE_ACCEPTED),
    bad("--listTests --showConfig --clearCache", NOT_RUN),
    bad("--updateSnapshot -u", SNAPSHOTS),
    Option("--ci", flag(good=True), "cfg.test.snapshots-written"),
    Option("--forceExit", flag(good=False), WEAKER),
    Option("--testFailureExitCode", floor(1), IGNORED),
)
VITEST = (
    only("--testNamePattern -t"),
    without("--exclude"),
    Option("--dir --root", no_fewer_tests(folders=True), COLLECTION),
    some("--changed --project"),
    some("--shard"),
    Option("--passWithNoTests", flag(good=False), NONE_ACCEPTED),
    Option("--dangerouslyIgnoreUnhandledErrors", flag(good=False), IGNORED),
    Option("--update -u", absent(), SNAPSHOTS),
    again("--retry", 0),
    bad("--mergeReports", PARTLY),
)
MOCHA = (
    only("--grep -g --fgrep -f"),
    bad("--invert -i", FILTERED),
    without("--ignore --exclude"),
    again("--retries", 0),
    bad("--dry-run", NOT_RUN),
    bad("--pass-on-failing-test-suite", IGNORED),
    switch("--forbid-only", "cfg.test.allow-only", good=True),
    bad("--no-forbid-only", "cfg.test.allow-only"),
    switch("--forbid-pending", IGNORED, good=True),
    switch("--fail-zero", NONE_ACCEPTED, good=True),
    bad("--exit", WEAKER),
)
PLAYWRIGHT = (
    only("--grep -g"),
    without("--grep-invert"),
    some("--project --only-changed"),
    some("--shard"),
    bad("--pass-with-no-tests", NONE_ACCEPTED),
    again("--retries", 1),
    Option("--update-snapshots -u", absent(), SNAPSHOTS),
    bad("--ignore-snapshots", SNAPSHOTS),
    bad("--list", NOT_RUN),
    bad("--last-failed", FILTERED),
    switch("--forbid-only", "cfg.test.allow-only", good=True),
)
CYPRESS = (only("--spec -s"), some("--tag --group"))
COVERED = ("lines", "branches", "functions")
NODE_TEST = (
    only("--test-name-pattern"),
    without("--test-skip-pattern"),
    bad("--test-only", FILTERED),
    bad("--test-update-snapshots", SNAPSHOTS),
    some("--test-shard"),
    *(Option(f"--test-coverage-{name}", floor(), "cfg.coverage.threshold") for name in COVERED),
    Option("--test-coverage-exclude", no_more_paths(), "cfg.coverage.exclude"),
    switch("--experimental-test-coverage", "cfg.coverage.off", good=True),
)
TAP = (
    bad("--disable-coverage --allow-incomplete-coverage --allow-empty-coverage", "cfg.coverage.threshold"),
    bad("--no-check-coverage", "cfg.coverage.threshold"),
    bad("--only -O", FILTERED),
)
AVA = (only("--match -m"), bad("--update-snapshots -u", SNAPSHOTS))
GO = (
    only("-run --run -test.run"),
    without("-skip --skip -test.skip"),
    bad("-short --short -test.short", FILTERED),
    Option("-list --list", absent(), NOT_RUN),
    bad("-c -n", NOT_RUN),
    Option("-count --count", floor(1), NOT_RUN),
    Option("-exec", absent(), NOT_RUN),
    Option("-vet --vet", absent(), IGNORED),
    Option("-tags --tags", no_less(), FILTERED),
    switch("-race --race", WEAKER, good=True),
    bad("-update --update -update-golden -golden.update", SNAPSHOTS),
)
CARGO = (
    without("--skip --exclude-features"),
    without("--exclude"),
    Option("--test --bin --example --bench", picked(), FILTERED),
    Option("--package -p", picked(), FILTERED),
    Option("--features", no_fewer_features(), PARTLY),
    bad("--no-default-features", PARTLY),
    bad("--lib --bins --doc --examples", FILTERED),
    bad("--no-run --list", NOT_RUN),
    bad("--ignored", FILTERED),
    switch("--workspace --all", FILTERED, good=True),
    switch("--all-targets", PARTLY, good=True),
    switch("--all-features", PARTLY, good=True),
    switch("--feature-powerset", PARTLY, good=True),
    switch("--each-feature", PARTLY, good=True),
    Option("--depth", floor(10_000), PARTLY),
    only("--filter-expr -E"),
    again("--retries", 0),
    Option("--no-tests", ranked("pass=warn fail", "fail"), NONE_ACCEPTED),
    bad("--accept", SNAPSHOTS),
)
DOTNET = (
    only("--filter"),
    bad("--list-tests -t --test-list", NOT_RUN),
    Option("--ignore-exit-code", absent(), IGNORED),
    again("--retry-failed-tests", 0),
    Option("--minimum-expected-tests", floor(), NONE_ACCEPTED),
)
RSPEC = (
    only("--tag -t"),
    only("--pattern -P"),
    without("--exclude-pattern"),
    only("--example -e --example-matches -E"),
    bad("--only-failures --next-failure -n", FILTERED),
    bad("--dry-run", NOT_RUN),
    Option("--failure-exit-code", floor(1), IGNORED),
    Option("--error-exit-code", floor(1), IGNORED),
)
PHPUNIT = (
    only("--filter"),
    only("--group"),
    without("--exclude-group"),
    without("--exclude-filter"),
    only("--testsuite"),
    without("--exclude-testsuite"),
    bad("--list-tests --list-groups --list-suites", NOT_RUN),
    *(
        switch(f"--fail-on-{name}", WEAKER, good=True)
        for name in ("warning", "risky", "incomplete", "skipped", "empty-test-suite")
    ),
)
BATS = (
    only("--filter -f"),
    only("--filter-tags"),
    Option("--filter-status", absent(), FILTERED),
    bad("--count -c", NOT_RUN),
)
CTEST = (
    only("-R --tests-regex"),
    only("-L --label-regex"),
    without("-E --exclude-regex"),
    without("-LE --label-exclude"),
    bad("-N --show-only", NOT_RUN),
    Option("--repeat", absent(), RETRIES),
    Option("--no-tests", ranked("ignore error", "error"), NONE_ACCEPTED),
)
TOX = (
    choice("-e --env"),
    bad("-n --notest", NOT_RUN),
    Option("--skip-env", absent(), EXCLUDED),
    bad("-s --skip-missing-interpreters", PARTLY),
    bad("-l --listenvs", NOT_RUN),
)
NOX = (
    choice("-s --session --sessions -e"),
    choice("-k --keywords"),
    choice("-t --tags"),
    bad("-l --list --list-sessions --install-only", NOT_RUN),
)
PRE_COMMIT = (
    Option("--hook-stage", absent(), PARTLY),
    switch("--all-files -a", FILTERED, good=True),
    bad("--show-diff-on-failure-only", PARTLY),
)
NARROWING: dict[str, Sequence[Option]] = {
    **SCANNERS,
    **{program: (*SCANNERS.get(program, ()), *own) for program, own in BUILDERS.items()},
    **dict.fromkeys(("pytest", "py.test"), PYTEST),
    "jest": JEST,
    "react-scripts": JEST,
    "vitest": VITEST,
    "mocha": MOCHA,
    "playwright": PLAYWRIGHT,
    "cypress": CYPRESS,
    "node": NODE_TEST,
    "npm test": (*MOCHA, *VITEST, *JEST),
    "tap": TAP,
    "ava": AVA,
    "go": GO,
    "gotestsum": (*GO, Option("--rerun-fails", absent(), RETRIES)),
    "cargo": CARGO,
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), MAVEN),
    **dict.fromkeys(("gradle", "gradlew"), GRADLE),
    "dotnet": DOTNET,
    "rspec": RSPEC,
    **dict.fromkeys(("phpunit", "pest"), PHPUNIT),
    "bats": BATS,
    "ctest": CTEST,
    "meson": (only("--suite"), without("--no-suite")),
    "tox": TOX,
    "nox": NOX,
    **dict.fromkeys(("pre-commit", "prek"), PRE_COMMIT),
}
SHORT_VALUES = frozenset(("pytest", "py.test", "mocha", "tox", "nox", "rspec", "ctest", "make"))
"""Programs that take `-kexpr` for `-k expr`."""
