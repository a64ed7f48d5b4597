"""The options of Python's linters and other tools that make each of them look at less. One table per program.

Type checkers are in `type_options`, what runs tests in `python_runs`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.lattice import (
    absent,
    ceiling,
    floor,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
)
from ralph.guardrails.config.lists import fewer_named, no_more_any, no_wide
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import FILTERED, IGNORED, NOT_RUN, PARTLY, WEAKER, bad, without
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.options.types import TYPE_OPTIONS
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED
from ralph.guardrails.ruff_codes import RUFF_DEFAULT

THRESHOLD, COVERAGE_EXCLUDE = "cfg.coverage.threshold", "cfg.coverage.exclude"
RUFF_IGNORE, FLAKE8_IGNORE, PYLINT_OFF = "cfg.ruff.ignore", "cfg.flake8.ignore", "cfg.pylint.disable"
BANDIT_SKIPS = "cfg.bandit.skips"

RUFF = (
    Option("--ignore --extend-ignore", no_more(prefixes=True), RUFF_IGNORE),
    Option("--select", no_less(RUFF_DEFAULT, all_word="ALL", prefixes=True), "cfg.ruff.select"),
    Option("--extend-select", no_less(all_word="ALL", prefixes=True), "cfg.ruff.select"),
    Option("--exclude --extend-exclude", no_more_paths(), "cfg.ruff.exclude"),
    Option("--per-file-ignores --extend-per-file-ignores", no_more(), RUFF_IGNORE),
    switch("--isolated --add-noqa --add-ignore", RUFF_IGNORE, good=False),
    switch("--ignore-noqa", RUFF_IGNORE, good=True),
    bad("--exit-zero -e --fix-only", IGNORED),
    bad("--show-files --show-settings", NOT_RUN),
)
FLAKE8_DEFAULT, FLAKE8_IGNORED = names("E F W C90"), names("E121 E123 E126 E226 E24 E704 W503 W504")
COMPLEXITIES = "--max-cognitive-complexity --max-expression-complexity --max-annotations-complexity"
FLAKE8 = (
    # What says which rules are ignored takes the place of those that are where nothing says so.
    Option("--ignore", no_more(FLAKE8_IGNORED, prefixes=True), FLAKE8_IGNORE),
    Option("--extend-ignore", no_more(prefixes=True), FLAKE8_IGNORE),
    Option("--select", no_less(FLAKE8_DEFAULT, prefixes=True), "cfg.flake8.select"),
    Option("--extend-select", no_less(prefixes=True), "cfg.flake8.select"),
    Option("--enable-extensions", no_less(), "cfg.flake8.select"),
    Option("--exclude --extend-exclude", no_more_paths(), "cfg.flake8.exclude"),
    Option("--filename", no_fewer_paths(suffixes=(".py",)), "cfg.flake8.exclude"),
    Option("--per-file-ignores", no_more(), FLAKE8_IGNORE),
    *(
        Option(name, ceiling(mild=MANIFOLD), LIFTED, minor=RAISED)
        for name in ("--max-complexity", *names(COMPLEXITIES))
    ),
    switch("--disable-noqa", FLAKE8_IGNORE, good=True),
    switch("--doctests", FLAKE8_IGNORE, good=True),
    switch("--isolated", FLAKE8_IGNORE, good=False),
    bad("--exit-zero", IGNORED),
    bad("--bug-report", NOT_RUN),
)
PYLINT_LIMITS = names(
    "--max-args --max-branches --max-statements --max-complexity --max-locals --max-attributes --max-returns "
    "--max-nested-blocks --max-bool-expr --max-public-methods --max-positional-arguments --max-module-lines"
)
PYLINT = (
    Option("--disable -d", no_more(), PYLINT_OFF),
    Option("--enable -e", fewer_named(), PYLINT_OFF),
    Option("--load-plugins", no_less(), PYLINT_OFF),
    Option("--fail-on", no_less(), PYLINT_OFF),
    Option("--confidence", absent(), PYLINT_OFF),
    Option("--fail-under", floor(10), PYLINT_OFF),
    switch("--errors-only -E", PYLINT_OFF, good=False),
    Option("--ignore --ignore-paths --ignore-patterns", no_more_paths(), "cfg.pylint.exclude"),
    Option("--ignored-modules", no_more_any(), "cfg.pylint.exclude"),
    Option("--generated-members", no_wide(), PYLINT_OFF),
    Option("--ignored-classes", no_wide(), PYLINT_OFF),
    *(Option(name, ceiling(mild=MANIFOLD), LIFTED, minor=RAISED) for name in PYLINT_LIMITS),
    bad("--exit-zero", IGNORED),
    bad("--list-msgs --list-msgs-enabled --list-groups --list-extensions --generate-rcfile", NOT_RUN),
)
HIGH_TO_ALL = ranked("high medium low all", "all")
BANDIT = (
    Option("--skip -s", no_more(), BANDIT_SKIPS),
    Option("--tests -t", fewer_named(all_if_none=True), BANDIT_SKIPS),
    Option("--exclude -x", no_more_paths(), BANDIT_SKIPS),
    Option("--severity-level", HIGH_TO_ALL, BANDIT_SKIPS),
    Option("--confidence-level", HIGH_TO_ALL, BANDIT_SKIPS),
    Option("--baseline -b", absent(), BANDIT_SKIPS),
    switch("--ignore-nosec", BANDIT_SKIPS, good=True),
    switch("--recursive -r", BANDIT_SKIPS, good=True),
    bad("--exit-zero", IGNORED),
    *(bad(spelling, WEAKER) for spelling in ("-ll", "-lll", "-ii", "-iii")),
)
TIDY = "--skip -s --skip-glob --sg --extend-skip --extend-skip-glob"
INTERROGATE_EASE = names(
    "--ignore-module -m --ignore-nested-functions -n --ignore-private -p --ignore-semiprivate -s --ignore-magic -M "
    "--ignore-init-method -i --ignore-init-module -I --ignore-nested-classes -C --ignore-setters -S "
    "--ignore-property-decorators -D"
)


def _excludes(spellings: str, rule: str = IGNORED) -> Option:
    return Option(spellings, no_more_paths(unknown_is_minor=True), rule)


PYTHON_OPTIONS: dict[str, Sequence[Option]] = {
    **TYPE_OPTIONS,
    "ruff": RUFF,
    "flake8": FLAKE8,
    "pylint": PYLINT,
    "bandit": BANDIT,
    "pydocstyle": (
        Option("--add-ignore --ignore", no_more(), IGNORED),
        Option("--select", fewer_named(all_if_none=True), IGNORED),
        Option("--match", absent(), PARTLY),
        Option("--match-dir", absent(), PARTLY),
    ),
    "pycodestyle": (
        without("--ignore"),
        Option("--select", fewer_named(all_if_none=True), IGNORED),
        _excludes("--exclude"),
    ),
    "isort": (_excludes(TIDY),),
    "black": (without("--exclude"), without("--extend-exclude --force-exclude")),
    "docformatter": (_excludes("--exclude -e"),),
    "autoflake": (_excludes("--exclude"), switch("--check --check-diff -c -cd", IGNORED, good=True)),
    "autopep8": (_excludes("--exclude"), switch("--exit-code", IGNORED, good=True)),
    "yapf": (_excludes("--exclude -e"),),
    "pyupgrade": (bad("--exit-zero-even-if-changed", IGNORED),),
    "refurb": (
        Option("--ignore", no_more(), IGNORED),
        Option("--disable", no_more(), IGNORED),
        bad("--disable-all", IGNORED),
        switch("--enable-all", IGNORED, good=True),
        Option("--enable", no_less(), IGNORED),
    ),
    "deptry": (
        without("--ignore -i"),
        _excludes("--exclude -e --extend-exclude -ee"),
        Option("--per-rule-ignores -pri", no_more(usual=r".*"), IGNORED),
    ),
    "lint-imports": (Option("--contract", absent(), FILTERED),),
    "vulture": (
        Option("--min-confidence", ceiling(0), WEAKER),
        _excludes("--exclude"),
        Option("--ignore-names", no_wide(), IGNORED),
        Option("--ignore-decorators", no_wide(), IGNORED),
    ),
    "interrogate": (
        Option("--fail-under -f", floor(), THRESHOLD),
        _excludes("--exclude -e"),
        Option("--ignore-regex -r", absent(), WEAKER),
        *(bad(name, WEAKER) for name in INTERROGATE_EASE),
    ),
    "docstr-coverage": (Option("--fail-under -F", floor(), THRESHOLD), _excludes("--exclude -e")),
    "lizard": (
        Option("-C --CCN", ceiling(15, MANIFOLD), LIFTED, minor=RAISED),
        Option("-i --ignore_warnings", ceiling(0), IGNORED),
        _excludes("--exclude -x"),
    ),
    "xenon": (
        *(
            Option(f"--max-{name} -{name[0]}", ranked("f e d c b a", "f"), RAISED)
            for name in ("absolute", "modules", "average")
        ),
        _excludes("--exclude -e"),
    ),
    "complexipy": (
        Option("--max-complexity-allowed -mx", ceiling(15, MANIFOLD), LIFTED, minor=RAISED),
        bad("--ignore-complexity -i", IGNORED),
        _excludes("--exclude -e"),
    ),
    "codespell": (
        Option("--fail-under", floor(), THRESHOLD),
        _excludes("--skip -S"),
    ),
    "check-manifest": (_excludes("--ignore"),),
    "pyroma": (Option("--min -n", floor(8), IGNORED),),
    "twine": (switch("--strict", IGNORED, good=True),),
    "pip-audit": (
        bad("--dry-run", IGNORED),
        without("--ignore-vuln"),
        switch("--strict -S", IGNORED, good=True),
    ),
    "diff-cover": (
        Option("--fail-under", floor(), THRESHOLD),
        Option("--exclude", no_more_paths(), COVERAGE_EXCLUDE),
        Option("--include", no_fewer_paths(suffixes=(".py",)), COVERAGE_EXCLUDE),
        Option("--compare-branch", no_wide(r"@|HEAD"), COVERAGE_EXCLUDE, minor=PARTLY),
    ),
    "mkdocs": (switch("--strict -s", IGNORED, good=True),),
    "sphinx-build": (
        switch("-W --fail-on-warning", IGNORED, good=True),
        switch("-n --nitpicky", WEAKER, good=True),
    ),
}
