"""The options of build tools and of runners of other languages by which they run fewer tests (see `narrowing`)."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import taken_out
from ralph.guardrails.config.lattice import absent, floor, no_less, no_more, ranked
from ralph.guardrails.config.lists import since_another
from ralph.guardrails.config.options.harm import (
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
    only,
    some,
    without,
)
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.options.reruns import RETRY

MAKE = (bad("-i --ignore-errors", IGNORED), bad("-n --dry-run --just-print --recon -t --touch", NOT_RUN))
MONOREPO = (
    Option("--base", since_another(), FILTERED, minor=PARTLY),
    Option("--filter -F --scope --projects -p", taken_out(), EXCLUDED, minor=PARTLY),
    some("--since --affected"),
    without("--ignore --exclude"),
    bad("--dry-run --dry --graph", NOT_RUN),
    bad("--no-bail", IGNORED),
    bad("--only --exclude-task-dependencies --excludeTaskDependencies", PARTLY),
)
JUST = (bad("--no-deps", PARTLY),)
"""What a task waits for is not run: it may be a check."""
PNPM = (Option("--filter -F", taken_out(), EXCLUDED, minor=PARTLY),)
YARN = (without("--exclude"), some("--include --from --since"))
NPM = (some("--workspace -w"),)
BAZEL = (
    only("--test_filter"),
    only("--test_tag_filters"),
    bad("--build_tests_only --nobuild", NOT_RUN),
    Option("--flaky_test_attempts", absent(), RETRIES),
    again("--runs_per_test", 10_000),
)
XCODE = (only("-only-testing"), without("-skip-testing"), bad("-retry-tests-on-failure", RETRIES))
SWIFT = (only("--filter"), without("--skip"), bad("list --list-tests -l", NOT_RUN))
FLUTTER = (
    only("--name --plain-name -n -N"),
    only("--tags -t"),
    without("--exclude-tags -x"),
    bad("--no-fatal-infos --no-fatal-warnings", IGNORED),
    switch("--fatal-infos", IGNORED, good=True),
    switch("--fatal-warnings", IGNORED, good=True),
    RETRY,
)
MIX = (
    only("--only"),
    without("--exclude"),
    bad("--stale --failed", FILTERED),
    bad("--mute-exit-status", IGNORED),
    switch("--strict", IGNORED, good=True),
    switch("--warnings-as-errors", IGNORED, good=True),
    switch("--check-formatted", IGNORED, good=True),
    bad("--ignore-exit-status", IGNORED),
    Option("--exit-status", floor(2), IGNORED),
    Option("--ignore-checks --ignore", no_more(), IGNORED),
    only("--checks-only"),
    Option("--min-priority", absent(), IGNORED),
    without("--files-excluded"),
    some("--partitions"),
    Option("--ignore-advisory-ids --ignore-package-names", no_more(), IGNORED),
    Option("--exit", ranked("false high medium low", "false"), IGNORED),
    bad("--skip", IGNORED),
)
DENO = (
    only("--filter"),
    without("--ignore"),
    bad("--permit-no-files", NONE_ACCEPTED),
    bad("--no-run", NOT_RUN),
    bad("--no-check", WEAKER),
)
BUN = (only("-t --test-name-pattern"), bad("-u --update-snapshots", SNAPSHOTS), bad("--todo", FILTERED))
BEHAVE = (only("--tags -t"), without("--exclude -e"), only("--name -n"), bad("--dry-run -d", NOT_RUN))
ROBOT = (
    only("--include -i"),
    without("--exclude -e"),
    only("--test -t"),
    only("--suite -s"),
    bad("--dryrun --nostatusrc", IGNORED),
    Option("--skiponfailure", absent(), IGNORED),
)
DOCKER = (Option("--exit-code-from", no_less(), IGNORED),)
CONCURRENTLY = (Option("--success -s", ranked("first last all", "all"), IGNORED), bad("--no-fail", IGNORED))
BUILDERS: dict[str, Sequence[Option]] = {
    **dict.fromkeys(("make", "gmake"), MAKE),
    **dict.fromkeys(("turbo", "nx", "lerna"), MONOREPO),
    "melos": (some("--scope"), without("--ignore")),
    "rush": (some("--only --to --from --impacted-by"),),
    "behave": BEHAVE,
    "cucumber": (*BEHAVE, RETRY),
    "just": JUST,
    "pnpm": PNPM,
    "yarn": YARN,
    "npm": NPM,
    "robot": ROBOT,
    **dict.fromkeys(("bazel", "bazelisk"), BAZEL),
    "xcodebuild": XCODE,
    "swift": SWIFT,
    **dict.fromkeys(("flutter", "dart"), FLUTTER),
    "mix": MIX,
    "deno": DENO,
    "bun": BUN,
    **dict.fromkeys(("docker", "docker-compose", "podman", "podman-compose"), DOCKER),
    "concurrently": CONCURRENTLY,
    **dict.fromkeys(("npm-run-all", "run-p", "run-s"), (bad("--continue-on-error -c", PARTLY),)),
    "ng": (only("--include"), without("--exclude"), bad("--quiet --force", IGNORED)),
    "attw": (
        Option("--ignore-rules", no_more(), IGNORED),
        Option("--profile", ranked("esm-only node16 strict", "strict"), IGNORED),
        Option("--exclude-entrypoints", no_more(), PARTLY),
    ),
}
