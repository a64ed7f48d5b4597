"""The options of checkers that decide how strictly they check: one table per program.

An option is read into a setting and judged by the same checks as configuration. `takes` tells options with a value
from switches; an option may be given several times, its values then are one list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ralph.guardrails.config.cargo_words import spelled_out
from ralph.guardrails.config.filters import no_more_ignored
from ralph.guardrails.config.floors import METRICS, no_lower_floors
from ralph.guardrails.config.lattice import (
    absent,
    ceiling,
    flag,
    floor,
    kept_on,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    other_file,
    ranked,
)
from ralph.guardrails.config.narrowing import NARROWING, SHORT_VALUES
from ralph.guardrails.config.node import Key, Node, names
from ralph.guardrails.config.option import Option, switch
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Row
from ralph.guardrails.ruff_codes import RUFF_DEFAULT
from ralph.system.patterns import later

THRESHOLD, OFF, EXCLUDE = "cfg.coverage.threshold", "cfg.coverage.off", "cfg.coverage.exclude"


MYPY_CHECKS = names(
    "--strict --disallow-untyped-defs --disallow-incomplete-defs --disallow-untyped-calls "
    "--check-untyped-defs --warn-return-any --no-implicit-reexport --strict-equality "
    "--warn-unused-ignores --warn-unreachable"
)
MYPY_TOLERANCES = names(
    "--no-strict-optional --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls "
    "--allow-any-generics --no-check-untyped-defs --no-warn-return-any --no-warn-unused-ignores "
    "--no-strict-equality --implicit-reexport --implicit-optional --allow-redefinition "
    "--no-warn-no-return --allow-untyped-globals --ignore-errors"
)

PYTEST = (
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
    Option("--include", no_fewer_paths(), "cfg.coverage.scope"),
    Option("--source", no_fewer_paths(absent_is_all=False), "cfg.coverage.scope"),
    switch("--branch", OFF, good=True),
)
RUFF = (
    Option("--ignore --extend-ignore", no_more(prefixes=True), "cfg.ruff.ignore"),
    Option("--select", no_less(RUFF_DEFAULT, all_word="ALL", prefixes=True), "cfg.ruff.select"),
    Option("--exclude --extend-exclude", no_more_paths(), "cfg.ruff.exclude"),
    Option("--per-file-ignores --extend-per-file-ignores", no_more(), "cfg.ruff.ignore"),
    switch("--isolated --add-noqa", "cfg.ruff.ignore", good=False),
)
FLAKE8_DEFAULT = names("E F W C90")
FLAKE8 = (
    Option("--ignore --extend-ignore", no_more(prefixes=True), "cfg.flake8.ignore"),
    Option("--select", no_less(FLAKE8_DEFAULT, prefixes=True), "cfg.flake8.select"),
    Option("--exclude --extend-exclude", no_more_paths(), "cfg.flake8.exclude"),
    Option("--per-file-ignores", no_more(), "cfg.flake8.ignore"),
    Option("--max-complexity", ceiling(mild=MANIFOLD), LIFTED, minor=RAISED),
)
MYPY = (
    switch(MYPY_CHECKS[0], "cfg.mypy.strict-off", good=True),
    *(switch(name, "cfg.mypy.check-off", good=True) for name in MYPY_CHECKS[1:]),
    *(switch(name, "cfg.mypy.check-off", good=False) for name in MYPY_TOLERANCES),
    switch("--ignore-missing-imports", "cfg.mypy.missing-imports", good=False),
    Option("--follow-imports", ranked("skip silent=error normal", "normal"), "cfg.mypy.imports-skipped"),
    Option("--disable-error-code", no_more(), "cfg.mypy.codes-off"),
    Option("--exclude", no_more_paths(), "cfg.mypy.exclude"),
)
PYLINT = (
    Option("--disable -d", no_more(), "cfg.pylint.disable"),
    Option("--fail-under", floor(10), "cfg.pylint.disable"),
    switch("--errors-only -E", "cfg.pylint.disable", good=False),
    Option("--ignore --ignore-paths --ignore-patterns", no_more_paths(), "cfg.pylint.exclude"),
)
BANDIT = (
    Option("--skip -s", no_more(), "cfg.bandit.skips"),
    Option("--exclude -x", no_more_paths(), "cfg.bandit.skips"),
    Option("--severity-level", ranked("high medium low all", "all"), "cfg.bandit.skips"),
)
ESLINT = (
    Option("--max-warnings", ceiling(), "cfg.eslint.warnings-allowed"),
    Option("--rule", no_more(), "cfg.eslint.rule-off"),
    Option("--ignore-pattern", no_more_paths(), "cfg.eslint.ignores"),
    switch("--no-eslintrc --no-config-lookup", "cfg.eslint.rule-off", good=False),
    switch("--quiet", "cfg.eslint.warnings-allowed", good=False),
    switch("--no-inline-config", "cfg.eslint.inline-config", good=True),
    switch("--pass-on-unpruned-suppressions --suppress-all", "cfg.eslint.suppressions", good=False),
    Option("--suppress-rule", no_more(), "cfg.eslint.suppressions"),
)
STRICT_FAMILY = names(
    "noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization "
    "noImplicitThis useUnknownInCatchVariables alwaysStrict"
)
TSC = (
    Option("--strict", kept_on(), "cfg.tsconfig.strict-off"),
    *(Option(f"--{name}", kept_on(), "cfg.tsconfig.strict-member-off") for name in STRICT_FAMILY),
    *(
        Option(f"--{name}", kept_on(), "cfg.tsconfig.check-off")
        for name in ("noUnusedLocals", "noUnusedParameters", "noImplicitReturns", "noUncheckedIndexedAccess")
    ),
    Option("--skipLibCheck", flag(good=False), "cfg.tsconfig.lib-check"),
    Option("--noCheck", flag(good=False), "cfg.tsconfig.check-off"),
)
JEST = (
    Option("--coverageThreshold", no_lower_floors, THRESHOLD),
    Option("--coverage --collectCoverage", flag(good=True), OFF),
    Option("--coveragePathIgnorePatterns", no_more_paths(), EXCLUDE),
)
VITEST = (
    *(Option(f"--coverage.thresholds.{metric}", floor(), THRESHOLD) for metric in METRICS),
    Option("--coverage.exclude", no_more_paths(), EXCLUDE),
    Option("--coverage --coverage.enabled", flag(good=True), OFF),
    Option("--coverage.thresholds.autoUpdate", flag(good=False), "cfg.coverage.auto-update"),
    Option("--allowOnly", flag(good=False), "cfg.test.allow-only"),
)
COUNTER = (
    Option("--check-coverage", flag(good=True), THRESHOLD),
    *(Option(f"--{metric}", floor(), THRESHOLD) for metric in METRICS),
    Option("--exclude -x", no_more_paths(), EXCLUDE),
)
NODE = tuple(Option(f"--test-coverage-{metric}", floor(), THRESHOLD) for metric in METRICS)
GOLANGCI = (
    Option("--disable -D", no_more(), "cfg.golangci.linter-removed"),
    Option("--enable -E", no_less(), "cfg.golangci.linter-removed"),
    Option("--exclude -e", no_more(), "cfg.golangci.exclude"),
    Option("--skip-dirs --exclude-dirs --skip-files", no_more_paths(), "cfg.golangci.exclude"),
    Option("--new-from-rev --new-from-merge-base", absent(), "cfg.golangci.new-only"),
    switch("--new -n", "cfg.golangci.new-only", good=False),
    switch("--disable-all --fast", "cfg.golangci.linter-removed", good=False),
)
CARGO = (
    Option("-D --deny -F --forbid", no_less(), "cfg.cargo.lint-lowered"),
    Option("-A --allow --cap-lints", no_more(), "cfg.cargo.lint-lowered"),
    Option("--fail-under --fail-under-lines --fail-under-functions --fail-under-regions", floor(), THRESHOLD),
)
RUBOCOP = (
    Option("--except", no_more(), "cfg.rubocop.cop-off"),
    Option(
        "--fail-level",
        ranked("fatal=f error=e warning=w convention=c refactor=r info=i", "info"),
        "cfg.rubocop.cop-off",
    ),
)
SHELLCHECK = (
    Option("-e --exclude", no_more(), "cfg.shellcheck.exclude"),
    Option("-S --severity", ranked("error warning info style", "style"), "cfg.shellcheck.exclude"),
)
DOTNET = (
    Option("/p:Threshold -p:Threshold --property:Threshold", floor(), THRESHOLD),
    Option("/p:TreatWarningsAsErrors -p:TreatWarningsAsErrors", flag(good=True, default=True), "cfg.msbuild.check-off"),
    Option("/p:RunAnalyzers -p:RunAnalyzers", flag(good=True, default=True), "cfg.msbuild.check-off"),
    switch("/warnaserror -warnaserror", "cfg.msbuild.check-off", good=True),
)
MAVEN = (
    Option("-Djacoco.haltOnFailure", flag(good=True, default=True), "cfg.coverage.report-optional"),
    Option("-Djacoco.skip", flag(good=False), OFF),
    *(
        Option(f"-D{tool}.skip", flag(good=False), "cfg.jvm.check-off")
        for tool in ("checkstyle", "pmd", "spotbugs", "enforcer")
    ),
)
GRADLE = (Option("-x --exclude-task", no_more(), "cfg.jvm.check-off"),)
OTHER_FILE, NO_FILE = "cfg.other-configuration", "check.narrowed"
CONFIG_OPTIONS = dict.fromkeys(("mypy", "dmypy"), "--config-file") | {
    "ruff": "--config",
    "flake8": "--config",
    "pylint": "--rcfile",
    "pytest": "-c --config-file",
    "coverage": "--rcfile",
    "bandit": "--configfile --ini -c",
    **dict.fromkeys(("pyright", "tsc", "vue-tsc"), "--project -p"),
    **dict.fromkeys(("eslint", "jest", "vitest", "golangci-lint", "rubocop"), "--config -c"),
}
"""How a program is told to use another configuration file; what that file says is compared by `compare`."""
FLOORS = (Option("--fail-under --fail-below --min-coverage --minimum-coverage --cov-fail-under", floor(), THRESHOLD),)
INTERROGATE = (Option("--fail-under -f", floor(), THRESHOLD),)

STRICTNESS: dict[str, Sequence[Option]] = {
    "pytest": PYTEST,
    "py.test": PYTEST,
    "coverage": COVERAGE_PY,
    "ruff": RUFF,
    "flake8": FLAKE8,
    "mypy": MYPY,
    "dmypy": MYPY,
    "pylint": PYLINT,
    "bandit": BANDIT,
    "eslint": ESLINT,
    "tsc": TSC,
    "vue-tsc": TSC,
    "jest": JEST,
    "vitest": VITEST,
    "nyc": COUNTER,
    "c8": COUNTER,
    "node": NODE,
    "golangci-lint": GOLANGCI,
    "cargo": CARGO,
    "rubocop": RUBOCOP,
    "shellcheck": SHELLCHECK,
    "dotnet": DOTNET,
    "mvn": MAVEN,
    "mvnw": MAVEN,
    "gradle": GRADLE,
    "gradlew": GRADLE,
    "interrogate": INTERROGATE,
    **dict.fromkeys(("diff-cover", "diff-quality", "grcov", "cargo-llvm-cov", "gcovr", "codespell"), FLOORS),
}
OPTIONS: dict[str, Sequence[Option]] = {
    name: (*STRICTNESS.get(name, ()), *NARROWING.get(name, ())) for name in STRICTNESS.keys() | NARROWING.keys()
}
"""By program. What is not named here checks nothing that these options could weaken."""


PROPERTY = later(r"-[DP]\w")
"""`-DskipTests` takes no word of its own after it."""
MANY_TRADES = frozenset(("go", "cargo", "dotnet", "npm", "pnpm", "yarn", "make", "gmake", "turbo", "nx"))
"""Programs whose first word says what they do."""


def options(program: str) -> Sequence[Option]:
    other = CONFIG_OPTIONS.get(program)
    return (*OPTIONS[program], Option(other, other_file(), NO_FILE, minor=OTHER_FILE)) if other else OPTIONS[program]


@cache
def rows(program: str) -> Sequence[Row]:
    return [option.row for option in options(program)]


@cache
def _by_name(program: str) -> Mapping[str, Option]:
    return {name: option for option in options(program) for name in option.spellings}


def has_value(program: str, name: str) -> bool:
    """True for an option whose value is the next word."""
    option = _by_name(program).get(name) if program in OPTIONS else None
    return option is not None and option.takes


def settings(program: str, words: Sequence[str], place: Node) -> dict[Key, Node]:
    """The watched options of one command line."""
    known = _by_name(program)
    found: dict[Key, list[Node]] = {}
    words = spelled_out(words) if program == "cargo" else words
    index = 0
    while index < len(words):
        name, given, value = words[index].partition("=")
        option = known.get(name)
        if option is None and program in SHORT_VALUES and (short := known.get(name[:2])) and name[1:2] != "-":
            option, given, value = short, "=", words[index][2:]
        if option is None and ":" in name and (named := known.get(name.partition(":")[0])):
            option, given, value = named, ":", words[index].partition(":")[2]
        index += 1
        if (
            option in (None, known.get("-p"))
            and program == "pytest"
            and name == "-p"
            and " ".join(words[index : index + 1]) in ("no:cov", "no:pytest_cov")
        ):
            option, given = known["--no-cov"], ""
        if option is None:
            continue
        bare = option.takes and not given and not PROPERTY.match(name)
        if bare and index < len(words) and not words[index].startswith("-"):
            value = words[index]
            index += 1
        key = tuple(option.row.key.split("."))
        found.setdefault(key, []).append(place.with_value(value if option.takes and value else True))
    return {key: values[0] if len(values) == 1 else place.with_value(list(values)) for key, values in found.items()}
