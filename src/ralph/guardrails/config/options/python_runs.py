"""The options by which Python's test runners run fewer tests or forgive failures: one table per program."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.commands.given import no_narrower_ini
from ralph.guardrails.config.filters import no_fewer_tests, no_more_ignored, no_plugins_off
from ralph.guardrails.config.lattice import (
    absent,
    ceiling,
    floor,
    no_fewer_paths,
    no_less,
    no_more_paths,
    ranked,
    same,
)
from ralph.guardrails.config.lists import nowhere, patience
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.contracts import MIGRATIONS
from ralph.guardrails.config.options.harm import (
    COLLECTION,
    EXCLUDED,
    FILTERED,
    IGNORED,
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
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.python_tasks.wheels import kept_runner, no_more_skipped

THRESHOLD, OFF, EXCLUDE = "cfg.coverage.threshold", "cfg.coverage.off", "cfg.coverage.exclude"
TIGHTER = names("--runxfail --error-for-skips --fail-on-template-vars --disable-socket --block-network")
"""Without them the run accepts more."""
UNITTEST = (
    only("-k"),
    Option("--pattern -p", no_fewer_tests(("test*.py",)), COLLECTION),
    Option("--start-directory -s", no_fewer_tests(folders=True), COLLECTION),
)
DJANGO = (
    only("-k"),
    only("--tag"),
    without("--exclude-tag"),
    Option("--pattern -p", no_fewer_tests(("test*.py",)), COLLECTION),
    switch("--check --check-changes", IGNORED, good=True),
    switch("--deploy", IGNORED, good=True),
    Option("--fail-level", ranked("critical error warning info debug", "error"), IGNORED),
    *MIGRATIONS,
)
STESTR = (
    bad("--failing", FILTERED),
    without("--exclude-regex --black-regex -E"),
    without("--exclude-list --blacklist-file -e"),
    without("--include-list --whitelist-file -i"),
)
PYTEST = (
    only("-k"),
    only("-m"),
    without("--deselect"),
    without("--ignore"),
    without("--ignore-glob"),
    bad(
        "--collect-only --co --collectonly --setup-only --setuponly --setup-plan --setupplan --fixtures --markers "
        "--fixtures-per-test --funcargs --cache-show --help -h --version -V",
        NOT_RUN,
    ),
    bad("--last-failed --lf --stepwise --sw --stepwise-skip --picked --testmon --testmon-forceselect", FILTERED),
    bad("--sw-skip", FILTERED),
    bad("--benchmark-only", FILTERED),
    bad("--benchmark-skip", PARTLY),
    bad("--continue-on-collection-errors", COLLECTION),
    bad("--suppress-no-test-exit-code --suppress-tests-failed-exit-code", IGNORED),
    bad(
        "--snapshot-update --force-regen --regen-all --update-snapshots --update-goldens --update-golden "
        "--update-expected --gen-golden --regtest-reset --image-snapshot-update",
        SNAPSHOTS,
    ),
    Option("--inline-snapshot", absent(), SNAPSHOTS),
    Option("--mpl-generate-path --mpl-generate-hash-library", absent(), SNAPSHOTS),
    Option("--record-mode --vcr-record", ranked("all=rewrite new_episodes once none", "none"), SNAPSHOTS),
    again("--reruns --retries --max-runs --flake-runs", 0),
    bad("--force-flaky", RETRIES),
    bad("--noconftest --disable-plugin-autoload --doctest-ignore-import-errors", WEAKER),
    *(switch(name, WEAKER, good=True) for name in TIGHTER),
    *(Option(name, no_less(), WEAKER) for name in ("--fail-slow", "--benchmark-compare-fail")),
    Option("--max-warnings", ceiling(), WEAKER),
    Option("--timeout", patience(), WEAKER),
    Option("--hypothesis-profile", same(), PARTLY),
    Option("--cov-config", nowhere(), EXCLUDE),
    Option("--cov-precision", floor(0), "cfg.coverage.precision"),
    Option("-p", no_plugins_off(), WEAKER),
    Option("--override-ini -o", no_narrower_ini(), FILTERED, minor=PARTLY),
    switch("--doctest-modules", NOT_RUN, good=True),
    Option("--doctest-glob", no_less(), NOT_RUN),
    switch("--mypy --ruff --flake8 --pylint --nbval --nbmake", NOT_RUN, good=True),
    *(switch(name, IGNORED, good=True) for name in ("--mpl", "--arraydiff")),  # tests that only draw without it
    Option("--rootdir --confcutdir", absent(), PARTLY),
    Option("-W --pythonwarnings", no_less(), WEAKER),
    Option("--assert", ranked("plain rewrite", "rewrite"), WEAKER),
    some("--group --splits --shard-id --num-shards --test-group --test-group-count"),
    Option("--cov-fail-under", floor(), THRESHOLD),
    switch("--no-cov", OFF, good=False),
    Option("--cov", no_fewer_paths(absent_is_all=False, suffixes=(".py",)), OFF),
    switch("--cov-branch", OFF, good=True),
    switch("--strict-markers --strict", "cfg.pytest.strictness", good=True),
    switch("--strict-config", "cfg.pytest.strictness", good=True),
    Option("-W --pythonwarnings", no_more_ignored(), "cfg.pytest.strictness"),
)
COVERAGE_PY = (
    Option("--fail-under", floor(), THRESHOLD),
    Option("--omit", no_more_paths(), EXCLUDE),
    Option("--include", no_fewer_paths(suffixes=(".py",)), "cfg.coverage.scope"),
    Option("--source", no_fewer_paths(absent_is_all=False, suffixes=(".py",)), "cfg.coverage.scope"),
    switch("--branch", OFF, good=True),
    bad("--ignore-errors -i", "cfg.coverage.report-optional"),
    Option("--precision", floor(0), "cfg.coverage.precision"),
)
TOX = (
    choice("-e --env"),
    choice("-f"),
    choice("-m"),
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
    switch("--error-on-missing-interpreters", PARTLY, good=True),
    bad("--no-error-on-missing-interpreters", PARTLY),
)
PYTHON_RUNS: dict[str, Sequence[Option]] = {
    **dict.fromkeys(("pytest", "py.test"), PYTEST),
    "coverage": COVERAGE_PY,
    "unittest": UNITTEST,
    **dict.fromkeys(("manage.py", "django-admin"), DJANGO),
    "nose2": (only("-A --attribute -E --eval-attribute"), *UNITTEST[2:]),
    "ward": (only("--search"), only("--tags"), without("--exclude"), Option("--path", no_fewer_tests(), COLLECTION)),
    **dict.fromkeys(("stestr", "ostestr"), STESTR),
    "zope-testrunner": tuple(only(option) for option in ("-t --test", "-m --module", "-s --package", "--layer")),
    "behave": (
        only("--tags -t"),
        only("--include -i"),
        only("--name -n"),
        without("--exclude -e"),
        bad("--wip -w", FILTERED),
        bad("--dry-run -d", NOT_RUN),
    ),
    "mutmut": (Option("--paths-to-mutate", no_fewer_paths(suffixes=(".py",)), EXCLUDED),),
    "cibuildwheel": (
        Option("--test-skip", no_more_skipped(), EXCLUDED, minor=PARTLY),
        Option("--test-command", kept_runner(), NOT_RUN),
    ),
    "tox": TOX,
    "nox": NOX,
}
