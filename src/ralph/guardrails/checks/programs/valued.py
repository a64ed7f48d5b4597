"""Options whose value is the next word of a command: that word is no path that the command looks at."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.checks.programs.own_values import HAS_VALUE, OWN_VALUES
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.flags import SEVERAL_VALUES, has_value

VALUE_OPTIONS = frozenset(
    names(
        "--platform --pythonplatform --pythonversion "
        "-k -m -n -p -c -o -W -r -e -t -g -f -s -S -i -I -j -C -d -x -P -E -R -L -A -D --maxfail --tb "
        "--durations --timeout "
        "--junitxml --junit-xml --cov-report --cov-config --cov-fail-under --reruns --dist --rootdir "
        "--basetemp --color "
        "--ignore --ignore-glob --deselect --import-mode --capture --config --config-file --select "
        "--extend-select "
        "--exclude --format --output --output-format --output-file --max-warnings --ext --rule --plugin "
        "--parser --env "
        "--coverage-reporter --reporter --reporters --project --cache-location --cache-dir --ignore-pattern "
        "--ignore-path "
        "--rulesdir --resolve-plugins-relative-to --testNamePattern --testPathPattern --testPathIgnorePatterns "
        "--maxWorkers --shard --python-version --python --target-version --line-length --disable --enable "
        "--rcfile "
        "--numprocesses --html --splits --group --ds --hypothesis-profile --log-level --log-cli-level "
        "--fail-under "
        "--package --features --target --profile --manifest-path --skip --test --bin --retries --tags --grep "
        "--require --exclude-features "
        "--loader --import --test-reporter --coverprofile -coverprofile -covermode -coverpkg -run -skip "
        "-timeout -count "
        "-parallel -tags -cpu -bench -benchtime --timings --jobs --severity --shell --source-path --filter "
        "--logger "
        "--configuration --framework --runtime --settings --results-directory --collect --verbosity --level "
        "--memory-limit "
        "--ignore-missing-imports-for --show-error-codes-for --seed --out --backend --order --pattern --tag "
        "--fail-level --enable-error-code --suppressions-location --always-true --always-false --selectProjects "
        "--ignoreProjects --testPathPatterns "
        "--browser --trace --tsconfig --global-timeout --max-failures --ui-port --ui-host --reporter-options "
        "--reporter-option --key --ci-build-id --port --outputFile --pool --environment --workers --repeat-each "
        "--setupFiles --setupFilesAfterEnv --testTimeout --testEnvironment --coverageDirectory --coverageProvider "
        "--coverageReporters --cacheDirectory --changedSince --changed --preset --node-arguments --concurrency "
        "--test-concurrency --test-timeout --test-reporter-destination --auto-cancel-after-failures --hookTimeout "
        "--maxConcurrency --workerIdleMemoryLimit --slow-test-threshold"
    )
)
SWITCH_LETTERS = {"pytest": "xqvsl", "eslint": "", "shellcheck": "", "tsc": "", "tsgo": ""}
LOOKS_AT_PATHS = frozenset(
    names("mypy pyright basedpyright ty pyrefly ruff flake8 pylint pycodestyle eslint oxlint biome rubocop standardrb")
)
TOLD_BY_TABLES = LOOKS_AT_PATHS | frozenset(
    names("xenon lizard cspell typos codespell interrogate perlcritic zuban refurb")
)
"""Their options of the command line are known, and which of them have a value."""


def takes(program: str, option: str) -> bool:
    """The word behind the option is its value. A checker's table knows more of them."""
    if program == "node" and option == "--test":
        return False
    if option in OWN_VALUES.get(program, ()) or HAS_VALUE.fullmatch(option):
        return True
    if len(option) == 2:
        return option in VALUE_OPTIONS and option[1:] not in SWITCH_LETTERS.get(program, "\0")
    return option in VALUE_OPTIONS or (program in TOLD_BY_TABLES and has_value(program, option))


OF_JEST = frozenset(names("--reporters --setupFiles --setupFilesAfterEnv --coverageReporters --moduleDirectories"))


def values_behind(program: str, option: str, rest: Sequence[str]) -> int:
    """How many of the words behind an option are its values: some take all up to the next option."""
    if not rest or rest[0].startswith("-") or not takes(program, option):
        return 0
    several = SEVERAL_VALUES.get(program, frozenset()) | (OF_JEST if program == "jest" else frozenset())
    if option not in several:
        return 1
    return next((index for index, word in enumerate(rest) if word.startswith("-")), len(rest))
