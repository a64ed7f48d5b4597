"""Commands of checkers and coverage floors in CI files, scripts, Makefiles and task tables."""

from __future__ import annotations

import pytest

from tests.guardrails.config.cases import Case, one, rules

SRC = {"src/pay.py": "X = 1\n", "src/a.ts": ""}
CI = ".github/workflows/ci.yml"


def step(run: str, head: str = "") -> str:
    return f"on: [push]\n{head}jobs:\n  t:\n    steps:\n      - uses: actions/checkout@v4\n      - run: {run}\n"


def cmd(name: str, before: str, after: str, *found: str) -> Case:
    """The same command lines, in a workflow."""
    return one(name, CI, step(before), step(after), *found, tree=SRC)


def script(name: str, before: str, after: str, *found: str, path: str = "scripts/check.sh") -> Case:
    return one(name, path, f"#!/bin/sh\n{before}\n", f"#!/bin/sh\n{after}\n", *found, tree=SRC)


def make(name: str, before: str, after: str, *found: str) -> Case:
    return one(name, "Makefile", before, after, *found, tree=SRC)


def package(name: str, before: str, after: str, *found: str) -> Case:
    form = '{{"scripts": {{"check": "{}"}}}}'
    return one(name, "package.json", form.format(before), form.format(after), *found, tree=SRC)


FLOOR = "cfg.coverage.threshold"

WORSE = [
    cmd("floor falls", "pytest --cov --cov-fail-under=90", "pytest --cov --cov-fail-under=89.9", FLOOR),
    cmd("floor in two words", "pytest --cov --cov-fail-under 90", "pytest --cov --cov-fail-under 9", FLOOR),
    cmd(
        "floor through uv and python", "uv run --group dev python -m pytest --cov-fail-under=90", "uv run pytest", FLOOR
    ),
    cmd(
        "floor in a pipe of commands",
        "cd x && pytest --cov-fail-under=90 | tee log",
        "cd x && pytest --cov-fail-under=1 | tee log",
        FLOOR,
    ),
    cmd("floor in quotes", "pytest '--cov-fail-under=90'", 'pytest "--cov-fail-under=10"', FLOOR),
    cmd("floor commented out", "pytest --cov-fail-under=90", "'pytest # --cov-fail-under=90'", FLOOR),
    cmd("floor in sh -c", "bash -c 'pytest --cov-fail-under=90'", "bash -c 'pytest --cov-fail-under=9'", FLOOR),
    cmd("coverage report", "coverage report --fail-under=90", "coverage report", FLOOR),
    cmd("coverage not collected", "pytest --cov=src", "pytest", "cfg.coverage.off"),
    cmd("coverage plugin off", "pytest --cov=src", "pytest --cov=src -p no:cov", "cfg.coverage.off"),
    cmd("diff-cover", "diff-cover coverage.xml --fail-under=95", "diff-cover coverage.xml --fail-under=20", FLOOR),
    cmd("mypy not strict", "mypy --strict src", "mypy src", "cfg.mypy.strict-off"),
    cmd("mypy code off", "mypy src", "mypy src --disable-error-code arg-type", "cfg.mypy.codes-off"),
    cmd("mypy tolerant", "poetry run mypy src", "poetry run mypy src --allow-untyped-defs", "cfg.mypy.check-off"),
    cmd("ruff selects less", "ruff check --select E,F", "ruff check --select E", "cfg.ruff.select"),
    cmd("ruff ignores", "ruff check .", "ruff check . --extend-ignore=F841", "cfg.ruff.ignore"),
    cmd("ruff leaves out product", "ruff check .", "ruff check . --exclude src", "cfg.ruff.exclude"),
    cmd(
        "eslint warnings",
        "npx eslint . --max-warnings 0",
        "npx eslint . --max-warnings 500",
        "cfg.eslint.warnings-allowed",
    ),
    cmd("eslint warnings unlimited", "npx eslint . --max-warnings=0", "npx eslint .", "cfg.eslint.warnings-allowed"),
    cmd("eslint rule off", "yarn eslint .", "yarn eslint . --rule eqeqeq:off", "cfg.eslint.rule-off"),
    cmd("tsc not strict", "npx tsc --noEmit --strict", "npx tsc --noEmit --strict false", "cfg.tsconfig.strict-off"),
    cmd("vitest floor", "npx vitest run --coverage --coverage.thresholds.lines=90", "npx vitest run --coverage", FLOOR),
    cmd("vitest allows only", "npx vitest run", "npx vitest run --allowOnly", "cfg.test.allow-only"),
    cmd("c8 floor", "npx c8 --check-coverage --lines 90 mocha", "npx c8 --check-coverage --lines 5 mocha", FLOOR),
    cmd("clippy denies less", "cargo clippy -- -D warnings", "cargo clippy", "cfg.cargo.lint-lowered"),
    cmd(
        "clippy allows",
        "cargo clippy -- -D warnings",
        "cargo clippy -- -D warnings -A clippy::unwrap_used",
        "cfg.cargo.lint-lowered",
    ),
    cmd("llvm-cov floor", "cargo llvm-cov --fail-under-lines 80", "cargo llvm-cov", FLOOR),
    cmd(
        "golangci-lint new only",
        "golangci-lint run",
        "golangci-lint run --new-from-rev=HEAD~1",
        "cfg.golangci.new-only",
    ),
    cmd("golangci-lint linter off", "golangci-lint run", "golangci-lint run -D gosec", "cfg.golangci.linter-removed"),
    cmd("dotnet warnings", "dotnet build", "dotnet build /p:TreatWarningsAsErrors=false", "cfg.msbuild.check-off"),
    cmd("gradle without a check", "./gradlew build", "./gradlew build -x detekt", "cfg.jvm.check-off"),
    cmd("shellcheck", "shellcheck *.sh", "shellcheck -e SC2086 *.sh", "cfg.shellcheck.exclude"),
    one(
        "floor through a workflow variable",
        CI,
        step("pytest --cov-fail-under=$MIN", "env:\n  MIN: 90\n"),
        step("pytest --cov-fail-under=$MIN", "env:\n  MIN: 20\n"),
        FLOOR,
        tree=SRC,
    ),
    one(
        "floor through an expression",
        CI,
        step("pytest --cov-fail-under=${{ env.MIN }}", "env: {MIN: 90}\n"),
        step("pytest --cov-fail-under=${{ env.MIN }}", "env: {MIN: 20}\n"),
        FLOOR,
        tree=SRC,
    ),
    one(
        "floor through PYTEST_ADDOPTS",
        CI,
        step("pytest", "env: {PYTEST_ADDOPTS: --cov-fail-under=90}\n"),
        step("pytest", "env: {PYTEST_ADDOPTS: --no-cov}\n"),
        FLOOR,
        "cfg.coverage.off",
        tree=SRC,
    ),
    one(
        "named floor of an action",
        CI,
        step("x\n      - uses: some/coverage-action@v2\n        with: {min_coverage: 80}"),
        step("x\n      - uses: some/coverage-action@v3\n        with: {min_coverage: 8}"),
        FLOOR,
        tree=SRC,
    ),
    one(
        "upload may fail",
        CI,
        step("x\n      - uses: codecov/codecov-action@v4\n        with: {fail_ci_if_error: true}"),
        step("x\n      - uses: codecov/codecov-action@v4\n        with: {fail_ci_if_error: false}"),
        "cfg.coverage.report-optional",
        tree=SRC,
    ),
    one(
        "anchored script",
        ".gitlab-ci.yml",
        ".t: &t\n  script: [pytest --cov-fail-under=90]\nt:\n  <<: *t\n",
        ".t: &t\n  script: [pytest]\nt:\n  <<: *t\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "own script over the anchored one",
        ".gitlab-ci.yml",
        ".t: &t\n  script: [pytest --cov-fail-under=90]\nt:\n  <<: *t\n",
        ".t: &t\n  script: [pytest --cov-fail-under=90]\nt:\n  <<: *t\n  script: [pytest]\n",
        FLOOR,
        tree=SRC,
    ),
    one("broken workflow", CI, step("pytest"), "on: [push\n", "cfg.unreadable", tree=SRC),
    script("block scalar's lines", "ruff check .\npytest --cov-fail-under=90", "ruff check .\npytest", FLOOR),
    script("continued line", "pytest \\\n  --cov-fail-under=90", "pytest \\\n  --cov-fail-under=5", FLOOR),
    script(
        "variable",
        'MIN_COVERAGE=90\npytest --cov-fail-under="$MIN_COVERAGE"',
        'MIN_COVERAGE=30\npytest --cov-fail-under="$MIN_COVERAGE"',
        FLOOR,
    ),
    script(
        "arguments in a variable", 'ARGS="--cov --cov-fail-under=90"\npytest $ARGS', 'ARGS="--cov"\npytest $ARGS', FLOOR
    ),
    script("own comparison", 'if [ "$cov" -lt 85 ]; then exit 1; fi', 'if [ "$cov" -lt 15 ]; then exit 1; fi', FLOOR),
    script("own comparison in arithmetic", "(( coverage < 85 )) && exit 1", "(( coverage < 5 )) && exit 1", FLOOR),
    script("a hook", "mypy --strict src", "mypy src", "cfg.mypy.strict-off", path=".husky/pre-push"),
    script("without a suffix", "mypy --strict src", "mypy src", "cfg.mypy.strict-off", path="bin/check"),
    make("recipe", "test:\n\tpytest --cov-fail-under=90\n", "test:\n\t@pytest --cov-fail-under=0\n", FLOOR),
    make(
        "variable of make",
        "MIN ?= 90\ntest:\n\tpytest --cov-fail-under=$(MIN)\n",
        "MIN ?= 10\ntest:\n\tpytest --cov-fail-under=$(MIN)\n",
        FLOOR,
    ),
    make("continued recipe", "test:\n\tpytest \\\n\t  --cov-fail-under=90\n", "test:\n\tpytest \\\n\t  -q\n", FLOOR),
    package("script", "eslint . --max-warnings 0 && tsc", "eslint . && tsc", "cfg.eslint.warnings-allowed"),
    one(
        "tox",
        "tox.ini",
        "[testenv]\ncommands =\n    pytest --cov-fail-under=90 {posargs}\n",
        "[testenv]\ncommands =\n    pytest {posargs}\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "addopts",
        "pytest.ini",
        "[pytest]\naddopts = --cov --cov-fail-under=90\n",
        "[pytest]\naddopts = --cov --cov-fail-under=50\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "hatch script",
        "pyproject.toml",
        "[tool.hatch.envs.default.scripts]\ncov = 'pytest --cov-fail-under=90'\n",
        "[tool.hatch.envs.default.scripts]\ncov = 'pytest'\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "pre-commit arguments",
        ".pre-commit-config.yaml",
        "repos:\n- repo: x\n  hooks:\n  - id: mypy\n    args: [--strict]\n",
        "repos:\n- repo: x\n  hooks:\n  - id: mypy\n    args: []\n",
        "cfg.mypy.strict-off",
        tree=SRC,
    ),
    one("script deleted with its floor", "check.sh", "pytest --cov-fail-under=90\n", None, FLOOR, tree=SRC),
    Case(
        "floor moved to a command",
        SRC | {"pyproject.toml": "[tool.coverage.report]\nfail_under=90\n", "check.sh": "pytest --cov\n"},
        SRC | {"pyproject.toml": "", "check.sh": "pytest --cov --cov-fail-under=90\n"},
        ("cfg.moved",),
    ),
    make(
        "another configuration file",
        "lint:\n\tmypy src\n",
        "lint:\n\tmypy --config-file= src\n",
        "cfg.other-configuration",
    ),
    Case(
        "a weaker configuration file",
        SRC | {"mypy.ini": "[mypy]\nstrict=True\n", "Makefile": "lint:\n\tmypy src\n"},
        SRC
        | {
            "mypy.ini": "[mypy]\nstrict=True\n",
            "lax.ini": "[mypy]\n",
            "Makefile": "lint:\n\tmypy --config-file lax.ini src\n",
        },
        ("cfg.mypy.strict-off",),
    ),
    Case(
        "a weaker project",
        SRC | {"tsconfig.json": '{"compilerOptions": {"strict": true}}', "check.sh": "tsc --noEmit\n"},
        SRC
        | {
            "tsconfig.json": '{"compilerOptions": {"strict": true}}',
            "tsconfig.lax.json": "{}",
            "check.sh": "tsc -p tsconfig.lax.json --noEmit\n",
        },
        ("cfg.tsconfig.strict-off",),
    ),
    Case(
        "left to a target that ran before",
        SRC | {CI: step("pytest --cov-fail-under=90"), "Makefile": "t:\n\tpytest --cov-fail-under=90\n"},
        SRC | {CI: step("make t"), "Makefile": "t:\n\tpytest --cov-fail-under=90\n"},
        ("cfg.moved",),
    ),
    one(
        "an included CI file",
        "ci/test.yml",
        "test:\n  script: pytest --cov-fail-under=90\n",
        "test:\n  script: pytest\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "a Dockerfile",
        "Dockerfile",
        "FROM x\nRUN a && \\\n  pytest --cov-fail-under=90\n",
        "FROM x\nRUN a && \\\n  pytest\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "a Jenkinsfile",
        "Jenkinsfile",
        "stage('t') { sh 'pytest --cov-fail-under=90' }",
        "stage('t') { sh 'pytest' /* --cov-fail-under=90 */ }",
        FLOOR,
        tree=SRC,
    ),
    one(
        "a nox session",
        "noxfile.py",
        "def t(s):\n    s.run('pytest', '--cov-fail-under=90')\n",
        "def t(s):\n    s.run('pytest', '--cov-fail-under=9')\n",
        FLOOR,
        tree=SRC,
    ),
    one(
        "a script that does not parse",
        "check.sh",
        "pytest --cov-fail-under=90\n",
        "if then (\npytest --no-cov\n",
        FLOOR,
        "cfg.coverage.off",
        tree=SRC,
    ),
    one(
        "a copy that nothing runs",
        "package.json",
        '{"scripts": {"test": "pytest --cov-fail-under=90"}}',
        '{"scripts": {"all": "pytest --cov-fail-under=90", "test": "pytest --cov-fail-under=1"}}',
        FLOOR,
        tree=SRC,
    ),
    make(
        "a target that nothing asks for",
        "test:\n\tmypy --strict src\n",
        "strict:\n\tmypy --strict src\n\ntest:\n\tmypy src\n",
        "cfg.mypy.strict-off",
    ),
]

INNOCENT = [
    cmd("same in a block", "pytest --cov-fail-under=90", "|\n          set -e\n          pytest --cov-fail-under=90"),
    cmd("same in other words", "pytest --cov-fail-under=90 -q", "python -m pytest -q --cov-fail-under 90.0"),
    cmd("through uv", "mypy --strict src", "uv run mypy --strict src"),
    cmd("words in an echo", "pytest", "echo mypy --ignore-errors --cov-fail-under=1 && pytest"),
    cmd("more", "ruff check .", "ruff check . --select ALL --output-format=github"),
    cmd("new command", "pytest", "pytest && mypy src --ignore-missing-imports"),
    cmd("an unrelated ignore", "grep -r x .", "grep -r x . --exclude-dir=src"),
    cmd("reporters", "npx vitest run", "npx vitest run --reporter=junit --coverage"),
    cmd("floor rises", "pytest --cov-fail-under=90", "pytest --cov-fail-under=91"),
    cmd("narrower ignore", "ruff check . --ignore F", "ruff check . --ignore F401"),
    script("here document", "pytest", "cat <<'X'\npytest --no-cov\nX\npytest"),
    script("comment", "pytest", "# pytest --no-cov\npytest"),
    script("a number that is no coverage", '[ "$tries" -lt 5 ] && exit 1', '[ "$tries" -lt 3 ] && exit 1'),
    script("recovered", 'echo "recover at 5"', 'RECOVERY_LIMIT=3\necho "recover at 3"'),
    make(
        "new target",
        "test:\n\tpytest --cov-fail-under=90\n",
        ".PHONY: test fast\n\nfast:\n\tpytest --no-cov -x\n\ntest:\n\tpytest --cov-fail-under=90\n",
    ),
    make(
        "variable introduced",
        "test:\n\tpytest --cov-fail-under=90\n",
        "MIN := 90\ntest:\n\tpytest --cov-fail-under=$(MIN)\n",
    ),
    package("a script added", "eslint .", 'eslint .", "dev": "vitest --coverage.enabled=false'),
    Case(
        "moved to another workflow",
        SRC | {CI: step("pytest --cov-fail-under=90")},
        SRC | {".github/workflows/test.yml": step("pytest --cov-fail-under=90")},
    ),
    Case(
        "moved into a script",
        SRC | {CI: step("pytest --cov --cov-fail-under=90")},
        SRC | {CI: step("./check.sh"), "check.sh": "#!/bin/sh\nset -e\npytest --cov --cov-fail-under=90\n"},
    ),
    one(
        "action updated",
        CI,
        step("x\n      - uses: actions/setup-node@v3\n        with: {node-version: 18}"),
        step("x\n      - uses: actions/setup-node@v4\n        with: {node-version: 22}"),
        tree=SRC,
    ),
    one("dependabot", ".github/dependabot.yml", "version: 2\n", "version: 2\nupdates: []\n", tree=SRC),
    one(
        "strict added to addopts",
        "pytest.ini",
        "[pytest]\naddopts = -q\n",
        "[pytest]\naddopts = -q --strict-markers -p no:cacheprovider\n",
        tree=SRC,
    ),
    Case(
        "an equal configuration file",
        SRC | {"mypy.ini": "[mypy]\nstrict=True\n", "Makefile": "lint:\n\tmypy src\n"},
        SRC
        | {
            "strict.ini": "[mypy]\nstrict=True\n",
            "Makefile": "lint:\n\tmypy --config-file strict.ini src\n",
            "mypy.ini": "[mypy]\nstrict=True\n",
        },
    ),
    cmd("coverage of the one package", "pytest --cov", "pytest --cov=src --cov-report=xml"),
    cmd("one command in two", "mypy --strict src tests", "mypy --strict src && mypy tests"),
    one(
        "a script in parts",
        "package.json",
        '{"scripts": {"lint": "eslint . --max-warnings 0"}}',
        '{"scripts": {"lint": "npm run lint:js", "lint:js": "eslint . --max-warnings 0"}}',
        tree=SRC,
    ),
    one(
        "a script before the other",
        "package.json",
        '{"scripts": {"lint": "eslint . --max-warnings 0"}}',
        '{"scripts": {"fix": "eslint . --fix", "lint": "eslint . --max-warnings 0 --cache"}}',
        tree=SRC,
    ),
]


@pytest.mark.parametrize("case", WORSE, ids=lambda case: case.name)
def test_worse(case: Case) -> None:
    assert rules(case.before, case.after) == tuple(sorted(case.rules))


@pytest.mark.parametrize("case", INNOCENT, ids=lambda case: case.name)
def test_innocent(case: Case) -> None:
    assert rules(case.before, case.after) == ()
