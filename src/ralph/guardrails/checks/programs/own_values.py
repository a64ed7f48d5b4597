"""Options of single programs whose value is the next word, and names of options that have one in any program.

A report that a check writes, or a format, is nothing that it looks at: `phpunit --coverage-clover out.xml` runs all.
An option that decides which tests run, or what of them counts, stands here only if a table of settings judges it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

HAS_VALUE = later(
    r"--(?!no-|(?:test|spec|src|source|include|input|target|scan)s?-?(?:file|path|dir|directory)$)"
    r"[\w.-]*(?:[a-z](?:[-._]|(?=[A-Z]))|out|cache)"
    r"(?:[Ff]ile|(?<!By)[Pp]ath|[Dd]ir|[Dd]irectory|[Ff]ormat|[Ff]ormatter|[Rr]egex|dialect)"
)
"""`--cache-dir`, `--output.sarif.path`, `--tsBuildInfoFile`; not what may say where tests are (`--test-dir`), nor
`--runTestsByPath`, behind which the tests stand."""
PHPUNIT = names(
    "--coverage-clover --coverage-cobertura --coverage-crap4j --coverage-html --coverage-openclover --coverage-php "
    "--coverage-xml --coverage-filter --log-junit --log-otr --log-teamcity --log-events-text "
    "--log-events-verbose-text --testdox-html --testdox-text --testdox-xml --bootstrap --order-by --columns "
    "--include-path --printer --random-order-seed"
)
OWN_VALUES: Mapping[str, frozenset[str]] = {
    program: frozenset(options)
    for programs, options in (
        (
            "cargo",
            names(
                "--message-format --target-dir --color --config --cargo-profile --build-jobs --test-threads --engine "
                "--objects --report-uri --exclude-files --timeout-multiplier --success-output --failure-output "
                "--status-level --final-status-level --message-format-version --shuffle-seed --cfg --command "
                "--fail-under-lines --fail-under-functions --fail-under-regions --exclude --depth --logfile -Z"
            ),
        ),
        ("phpunit pest paratest", PHPUNIT),
        ("phpcs psalm", names("--report --standard")),
        (
            "ctest",
            names(
                "--output-junit --output-log --test-dir --build-config --parallel --repeat --schedule-random-seed "
                "--stop-time --interactive-debug-mode -O"
            ),
        ),
        (
            "golangci-lint",
            names(
                "--out-format --build-tags --modules-download-mode --go --path-prefix --path-mode --concurrency "
                "--max-issues-per-linter --max-same-issues"
            ),
        ),
        ("mocha", names("--file --ui --slow --node-option --watch-files")),
        (
            "jest react-scripts",
            names(
                "--testResultsProcessor --snapshotFormat --testEnvironmentOptions --globals --coverageThreshold --bail"
            ),
        ),
        (
            "vitest",
            names(
                "--coverage.reporter --coverage.provider --coverage.exclude --mode "
                "--outputFile.junit --outputFile.json --outputFile.html --sequence.seed --diff"
            ),
        ),
        ("rubocop standardrb", names("--cache-root")),
        (
            "sqlfluff",
            names("--dialect --write-output --templater --processes --encoding"),
        ),
        ("manage.py", names("--testrunner --pythonpath --parallel")),
        ("tsc vue-tsc tsgo", names("--lib --module --moduleResolution --jsx --types --generateTrace")),
        ("tap tape", names("--coverage-report")),
        (
            "mypy dmypy",
            names(
                "--html-report --xml-report --txt-report --lineprecision-report --linecount-report "
                "--linecoverage-report --any-exprs-report --xslt-html-report --xslt-txt-report --cobertura-xml-report"
            ),
        ),
        ("pyright basedpyright", names("--pythonpath --typeshedpath --venvpath --threads")),
        ("detekt", names("--report --plugins --jvm-target --language-version --classpath -b -cp")),
        ("ktlint", names("--editorconfig")),
        ("semgrep", names("--sarif-output --json-output --junit-xml-output --text-output --gitlab-sast-output")),
        ("bats", names("--gather-test-outputs-in --report-formatter --formatter")),
    )
    for program in programs.split()
}
"""What `--config` and the like have in every program stands in `valued`."""
