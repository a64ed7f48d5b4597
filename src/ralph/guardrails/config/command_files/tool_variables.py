"""Variables of the environment that hold options of a program, or stand for one.

- Some hold the options that every call gets (`PYTEST_ADDOPTS`, `GOFLAGS`), others are the value of one option
  (`GRYPE_FAIL_ON_SEVERITY`). Programs of one library take each option of theirs so, in capitals behind their own name
  (`TRIVY_SKIP_DIRS`), and builds of .NET, Gradle and Cypress each property.
"""

from __future__ import annotations

from collections.abc import Callable

from ralph.guardrails.config.command_files.surroundings import Form

HOLDS_OPTIONS = {
    **dict.fromkeys(("PYTEST_ADDOPTS", "PYTEST_FLAGS", "PYTEST_ARGS", "PYTEST_OPTS"), "pytest"),
    **dict.fromkeys(("GOFLAGS", "GOTESTFLAGS", "TESTFLAGS", "GOTEST_FLAGS"), "go"),
    **dict.fromkeys(("MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_CLI_OPTS", "MVN_OPTS", "MVN_ARGS", "MAVEN_FLAGS"), "mvn"),
    **dict.fromkeys(("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"), "mvn"),
    **dict.fromkeys(("GRADLE_OPTS", "GRADLE_FLAGS"), "gradle"),
    **dict.fromkeys(("JEST_ARGS", "JEST_OPTS"), "jest"),
    **dict.fromkeys(("RSPEC_OPTS", "SPEC_OPTS"), "rspec"),
    **dict.fromkeys(("MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS"), "make"),
    **dict.fromkeys(("MYPY_FLAGS", "MYPY_ARGS", "MYPY_OPTS"), "mypy"),
    **dict.fromkeys(("CTEST_FLAGS", "CTEST_ARGS"), "ctest"),
    "SPHINXOPTS": "sphinx-build",
    **dict.fromkeys(("MOCHA_OPTS", "MOCHA_ARGS", "MOCHA_OPTIONS"), "mocha"),
    "NODE_OPTIONS": "node",
    "ROBOT_OPTIONS": "robot",
    "RUBOCOP_OPTS": "rubocop",
    "SHELLCHECK_OPTS": "shellcheck",
    "TESTOPTS": "minitest",
}
"""Variables whose options a program takes, by itself or as many projects name them."""
STANDS_FOR = {
    "GRYPE_FAIL_ON_SEVERITY": ("grype", "--fail-on"),
    "CIBW_TEST_COMMAND": ("cibuildwheel", "--test-command"),
    "CIBW_TEST_SKIP": ("cibuildwheel", "--test-skip"),
    "COVERAGE_RCFILE": ("coverage", "--rcfile"),
    "PYLINTRC": ("pylint", "--rcfile"),
    "BIOME_CONFIG_PATH": ("biome", "--config-path"),
    "GITLEAKS_CONFIG": ("gitleaks", "--config"),
    "TFLINT_CONFIG_FILE": ("tflint", "--config"),
    "TOX_SKIP_ENV": ("tox", "--skip-env"),
    "HADOLINT_NOFAIL": ("hadolint", "--no-fail"),
    "BOOST_TEST_RUN_FILTERS": ("boost-test", "--run_test"),
    "BATS_TEST_RETRIES": ("bats", "--retries"),
    "RSPEC_RETRY_RETRY_COUNT": ("rspec", "--retries"),
    "GTEST_FILTER": ("googletest", "--gtest_filter"),
    "PROMPTFOO_PASS_RATE_THRESHOLD": ("promptfoo", "--pass-rate-threshold"),
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": ("promptfoo", "--failed-test-exit-code"),
}
"""Variables that are the value of one option."""
PROPERTIES = [
    "TreatWarningsAsErrors",
    "NoWarn",
    "Nullable",
    "RunAnalyzers",
    "RunAnalyzersDuringBuild",
    "EnableNETAnalyzers",
    "WarningLevel",
    "EnforceCodeStyleInBuild",
    "NuGetAudit",
    "VSTestTestCaseFilter",
]
"""What a build of .NET takes from the environment where no project says it."""


def _dashed(*program: str) -> Callable[[str, str], tuple[str, ...]]:
    return lambda name, value: (*program, f"--{name.lower().replace('_', '-')}={value}")


def _of_cypress(name: str, value: str) -> tuple[str, ...]:
    """`CYPRESS_RETRIES` and `CYPRESS_retries` are the same setting, whether Cypress knows it or a test asks for it."""
    words = name.lower().split("_") if name.isupper() else [name]
    setting = f"{words[0]}{''.join(word.capitalize() for word in words[1:])}={value}"
    return "cypress", f"--config.{setting}", f"--env.{setting}"


BEGINS = {
    "ORG_GRADLE_PROJECT_": lambda name, value: ("gradle", f"-P{name}={value}"),
    "TRIVY_": _dashed("trivy"),
    "HADOLINT_": _dashed("hadolint"),
    "NEXTEST_": lambda name, value: ("cargo", "nextest", f"--{name.lower().replace('_', '-')}={value}"),
    "CYPRESS_": _of_cypress,
    "NPM_CONFIG_": _dashed("npm", "audit"),
    "npm_config_": _dashed("npm", "audit"),
}
"""Programs that take every option of theirs so: the rest of the name is the option's."""
SET = Form(
    rf"(?:{'|'.join((*HOLDS_OPTIONS, *STANDS_FOR, *PROPERTIES))}|(?:{'|'.join(BEGINS)})[A-Za-z]\w*)",
    (*HOLDS_OPTIONS, *STANDS_FOR, *PROPERTIES, *BEGINS),
)


def words_for(name: str, value: str) -> tuple[str, ...]:
    """The words of a call that a variable stands for which is the value of one option; none for any other variable."""
    if name in STANDS_FOR:
        program, option = STANDS_FOR[name]
        return program, f"{option}={value}"
    if name in PROPERTIES:
        return "dotnet", f"-p:{name}={value}"
    start = next((start for start in BEGINS if name.startswith(start)), None)
    return BEGINS[start](name[len(start) :], value) if start is not None else ()
