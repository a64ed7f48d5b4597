"""The options of checkers that decide how strictly they check: one table per program.

An option is read into a setting and judged by the same checks as configuration. `takes` tells options with a value
from switches; an option may be given several times, its values then are one list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from ralph.guardrails.config.commands.cargo_words import spelled_out
from ralph.guardrails.config.commands.cypress_words import pairs_apart
from ralph.guardrails.config.commands.discover_words import placed
from ralph.guardrails.config.commands.floors import METRICS, no_lower_floors
from ralph.guardrails.config.commands.inline_settings import SPELLS_OUT
from ralph.guardrails.config.commands.inline_settings import spelled_out as without_inline_settings
from ralph.guardrails.config.lattice import (
    absent,
    ceiling,
    flag,
    floor,
    kept_on,
    no_less,
    no_more,
    no_more_paths,
    ranked,
)
from ralph.guardrails.config.lists import other_file
from ralph.guardrails.config.node import Key, Node, names
from ralph.guardrails.config.options.kinds import KINDS
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.options.narrowing import NARROWING, SHORT_VALUES
from ralph.guardrails.config.options.node import NODE_OPTIONS
from ralph.guardrails.config.options.python import PYTHON_OPTIONS
from ralph.guardrails.config.options.unread import options as reading_nothing
from ralph.guardrails.config.rows import Row
from ralph.system.patterns import later

THRESHOLD, OFF, EXCLUDE = "cfg.coverage.threshold", "cfg.coverage.off", "cfg.coverage.exclude"

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
CONFIG_OPTIONS = dict.fromkeys(("mypy", "dmypy", "zuban", "zmypy", "ty"), "--config-file") | {
    "pyrefly": "--config -c",
    "ruff": "--config",
    "flake8": "--config",
    "pylint": "--rcfile",
    "pytest": "-c --config-file",
    "coverage": "--rcfile",
    "bandit": "--configfile --ini -c",
    **dict.fromkeys(("pyright", "basedpyright", "tsc", "vue-tsc", "tsgo"), "--project -p"),
    **dict.fromkeys(("eslint", "jest", "vitest", "golangci-lint", "rubocop"), "--config -c"),
}
"""How a program is told to use another configuration file; what that file says is compared by `compare`."""
FLOORS = (Option("--fail-under --fail-below --min-coverage --minimum-coverage --cov-fail-under", floor(), THRESHOLD),)

STRICTNESS: dict[str, Sequence[Option]] = {
    **PYTHON_OPTIONS,
    "eslint": ESLINT,
    "tsc": TSC,
    "vue-tsc": TSC,
    "tsgo": TSC,
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
    **dict.fromkeys(("diff-quality", "grcov", "cargo-llvm-cov", "gcovr"), FLOORS),
}
TABLES = (STRICTNESS, NARROWING, NODE_OPTIONS, KINDS)
OPTIONS: dict[str, Sequence[Option]] = {
    name: tuple(option for table in TABLES for option in table.get(name, ()))
    for name in frozenset(name for table in TABLES for name in table)
}
"""By program. What is not named here checks nothing that these options could weaken."""


NEGATIVE = later(r"-\d+(?:\.\d+)?")
PROPERTY = later(r"-[DP]\w")
"""`-DskipTests` takes no word of its own after it."""
MANY_TRADES = frozenset(names("go cargo dotnet npm pnpm yarn make gmake turbo nx mkdocs twine manage.py django-admin"))
"""Programs whose first word says what they do."""

IN_BOTH_CASES = frozenset(("jest", "react-scripts", "vitest", "mocha", "nyc", "c8", "npm test"))


SEVERAL_VALUES = {
    **dict.fromkeys(
        ("jest", "react-scripts", "npm test"),
        frozenset(
            names(
                "--testPathIgnorePatterns --ignoreProjects --selectProjects --coveragePathIgnorePatterns --roots "
                "--testMatch --testRegex --testPathPatterns --testPathPattern"
            )
        ),
    ),
    "playwright": frozenset(("--project",)),
}
"""Options that take every word up to the next option."""


def options(program: str) -> Sequence[Option]:
    other = CONFIG_OPTIONS.get(program)
    own = (*OPTIONS[program], *reading_nothing(program))
    return (*own, Option(other, other_file(), NO_FILE, minor=OTHER_FILE)) if other else own


@cache
def rows(program: str) -> Sequence[Row]:
    return [option.row for option in options(program)]


@cache
def _by_name(program: str) -> Mapping[str, Option]:
    names = {name: option for option in options(program) for name in option.spellings}
    return {**_dashed(names), **names} if program in IN_BOTH_CASES else names


def _dashed(names: Mapping[str, Option]) -> Mapping[str, Option]:
    """`--pass-with-no-tests` for `--passWithNoTests`, and the other way round."""
    dashed = {re.sub(r"(?<=[a-z])[A-Z]", lambda found: f"-{found[0].lower()}", name): names[name] for name in names}
    joined = {re.sub(r"(?<=[a-z])-([a-z])", lambda found: found[1].upper(), name): names[name] for name in names}
    return {**dashed, **joined}


def has_value(program: str, name: str) -> bool:
    """True for an option whose value is the next word."""
    option = _by_name(program).get(name) if program in OPTIONS else None
    return option is not None and option.takes


def settings(program: str, words: Sequence[str], place: Node) -> dict[Key, Node]:
    """The watched options of one command line."""
    known = _by_name(program)
    several = SEVERAL_VALUES.get(program, frozenset())
    found: dict[Key, list[Node]] = {}
    words = spelled_out(words) if program == "cargo" else pairs_apart(words) if program == "cypress" else words
    words = list(placed(words)) if program == "unittest" else words
    words = list(without_inline_settings(program, words)) if program in SPELLS_OUT else words
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
        if bare and index < len(words) and (not words[index].startswith("-") or NEGATIVE.fullmatch(words[index])):
            value = words[index]
            index += 1
        key = tuple(option.row.key.split("."))
        found.setdefault(key, []).append(place.with_value(value if option.takes and value else True))
        while option.takes and name in several and index < len(words) and not words[index].startswith("-"):
            found[key].append(place.with_value(words[index]))
            index += 1
    return {key: values[0] if len(values) == 1 else place.with_value(list(values)) for key, values in found.items()}
