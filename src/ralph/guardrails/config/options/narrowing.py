"""The options by which a command runs fewer tests, forgives failures, repeats them or rewrites what they compare with.

One table per program (classes G09, G10, G13, G14). Options that only stop earlier (`-x`, `--maxfail`) take nothing
away.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import no_fewer_features, no_fewer_tests, picked
from ralph.guardrails.config.lattice import absent, flag, floor, no_fewer_paths, no_less, no_more_paths, ranked
from ralph.guardrails.config.lists import since_another
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.actions import ACTION_OPTIONS
from ralph.guardrails.config.options.builders import BUILDERS
from ralph.guardrails.config.options.dotnet import DOTNET
from ralph.guardrails.config.options.harm import (
    COLLECTION,
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
    only,
    some,
    without,
)
from ralph.guardrails.config.options.jvm import GRADLE, MAVEN
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.options.python_runs import PYTHON_RUNS
from ralph.guardrails.config.options.releasers import RELEASERS
from ralph.guardrails.config.options.reruns import RERUNS
from ralph.guardrails.config.options.scanners import SCANNERS
from ralph.guardrails.config.suffixes import JS

JEST = (
    only("--testNamePattern -t"),
    only("--testPathPattern --testPathPatterns --runTestsByPath --testMatch --testRegex"),
    without("--testPathIgnorePatterns"),
    without("--ignoreProjects"),
    only("--selectProjects"),
    Option("--roots --rootDir", no_fewer_tests(folders=True), COLLECTION),
    bad("--onlyChanged -o --onlyFailures -f --lastCommit", FILTERED),
    Option("--changedSince", since_another(), FILTERED, minor=PARTLY),
    some("--findRelatedTests --filter"),
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
    Option("--changed", since_another(), FILTERED, minor=PARTLY),
    some("--project"),
    some("--shard"),
    Option("--passWithNoTests", flag(good=False), NONE_ACCEPTED),
    Option("--dangerouslyIgnoreUnhandledErrors", flag(good=False), IGNORED),
    Option("--update -u", absent(), SNAPSHOTS),
    again("--retry --retry.count", 0),
    bad("--typecheck.only", FILTERED),
    bad("--mergeReports", PARTLY),
)
MOCHA = (
    only("--grep -g --fgrep -f"),
    bad("--invert -i", FILTERED),
    without("--ignore --exclude"),
    again("--retries", 0),
    bad("--dry-run --list-reporters --list-interfaces", NOT_RUN),
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
    Option("--repeat-each", floor(1), NOT_RUN),
    switch("--forbid-only", "cfg.test.allow-only", good=True),
)
CYPRESS = (
    only("--spec -s --config.specPattern"),
    without("--config.excludeSpecPattern"),
    again("--config.retries --config.retries.runMode", 2),
    only("--env.grep --env.grepTags --env.grepSpec"),
    bad("--pass-with-no-tests", NONE_ACCEPTED),
    some("--tag --group"),
)
JASMINE = (only("--filter --filter-path"),)
COVERED = ("lines", "branches", "functions")
NODE_TEST = (
    only("--test-name-pattern"),
    without("--test-skip-pattern"),
    bad("--test-only", FILTERED),
    bad("--test-update-snapshots", SNAPSHOTS),
    some("--test-shard --test-rerun-failures"),
    Option("--test-coverage-include", no_fewer_paths(suffixes=JS), "cfg.coverage.scope"),
    *(Option(f"--test-coverage-{name}", floor(), "cfg.coverage.threshold") for name in COVERED),
    Option("--test-coverage-exclude", no_more_paths(), "cfg.coverage.exclude"),
    switch("--experimental-test-coverage", "cfg.coverage.off", good=True),
)
TAP = (
    bad("--disable-coverage --allow-incomplete-coverage --allow-empty-coverage", "cfg.coverage.threshold"),
    bad("--no-check-coverage", "cfg.coverage.threshold"),
    bad("--only -O --invert -i --changed -n", FILTERED),
    only("--grep -g"),
    without("--exclude"),
    bad("--snapshot -S", SNAPSHOTS),
)
AVA = (only("--match -m"), bad("--update-snapshots -u", SNAPSHOTS))
ANALYZERS = names(
    "appends asmdecl assign atomic bools buildtag cgocall composites copylocks defers directive errorsas framepointer "
    "httpresponse ifaceassert loopclosure lostcancel nilfunc printf shift sigchanyzer slog stdmethods stdversion "
    "stringintconv structtag testinggoroutine tests timeformat unmarshal unreachable unsafeptr unusedresult"
)
"""Of `go vet`, which runs all but those that it is told not to."""
GO = (
    only("-run --run -test.run -testify.m --testify.m"),
    without("-skip --skip -test.skip"),
    bad("-short --short -test.short", FILTERED),
    Option("-list --list", absent(), NOT_RUN),
    bad("-c -n", NOT_RUN),
    Option("-count --count", floor(1), NOT_RUN),
    Option("-exec", absent(), NOT_RUN),
    Option("-vet --vet", absent("all"), IGNORED),
    Option("-vettool", absent(), IGNORED),
    *(Option(f"-{name}", flag(good=True, default=True), IGNORED) for name in ANALYZERS),
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
    Option("--ignore-filename-regex --exclude-files", no_more_paths(), "cfg.coverage.exclude"),
    bad("--ignore-run-fail --ignore-panics", IGNORED),
    without("--exclude-re"),
    bad("--check", PARTLY),
    without("--ignore"),
    Option("--release-type", ranked("major minor patch", "patch"), IGNORED),
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
    again("--retries", 0),  # what the variable of its plugin says
    switch("--fail-if-no-examples", NONE_ACCEPTED, good=True),
)
PARALLEL = (only("--pattern -p"), without("--exclude-pattern"), some("--only-group"))
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
    again("--retries", 0),  # what its variable says
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
PRE_COMMIT = (
    Option("--hook-stage", absent(), PARTLY),
    switch("--all-files -a", FILTERED, good=True),
    bad("--show-diff-on-failure-only", PARTLY),
)
NARROWING: dict[str, Sequence[Option]] = {
    **SCANNERS,
    **ACTION_OPTIONS,
    **{program: (*SCANNERS.get(program, ()), *own) for program, own in BUILDERS.items()},
    **PYTHON_RUNS,
    **RELEASERS,
    **RERUNS,
    "jest": JEST,
    "react-scripts": JEST,
    "vitest": VITEST,
    "mocha": MOCHA,
    "playwright": PLAYWRIGHT,
    "cypress": CYPRESS,
    "jasmine": JASMINE,
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
    **dict.fromkeys(("parallel_rspec", "parallel_test"), PARALLEL),
    **dict.fromkeys(("phpunit", "pest"), (*PHPUNIT, *SCANNERS["phpunit"])),
    "bats": BATS,
    "minitest": (only("--name -n --include -i"), without("--exclude -e -x")),
    "googletest": (only("--gtest_filter"),),
    "boost-test": (only("--run_test"),),
    "ctest": (*CTEST, *SCANNERS["ctest"]),
    "meson": (only("--suite"), without("--no-suite")),
    **dict.fromkeys(("pre-commit", "prek"), PRE_COMMIT),
}
SHORT_VALUES = frozenset(("pytest", "py.test", "mocha", "tox", "nox", "rspec", "ctest", "make"))
"""Programs that take `-kexpr` for `-k expr`."""
