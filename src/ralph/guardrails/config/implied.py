"""Where options stand that every call of a program gets: variables of the environment, and files of nothing else."""

from __future__ import annotations

OPTION_VARIABLES = {
    **dict.fromkeys(("PYTEST_ADDOPTS", "PYTEST_FLAGS", "PYTEST_ARGS", "PYTEST_OPTS"), "pytest"),
    **dict.fromkeys(("GOFLAGS", "GOTESTFLAGS", "TESTFLAGS", "GOTEST_FLAGS"), "go"),
    **dict.fromkeys(("MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_CLI_OPTS"), "mvn"),
    **dict.fromkeys(("GRADLE_OPTS", "GRADLE_FLAGS"), "gradle"),
    **dict.fromkeys(("JEST_ARGS", "JEST_OPTS"), "jest"),
    **dict.fromkeys(("RSPEC_OPTS", "SPEC_OPTS"), "rspec"),
    **dict.fromkeys(("MAKEFLAGS", "MFLAGS"), "make"),
    **dict.fromkeys(("MYPY_FLAGS", "MYPY_ARGS", "MYPY_OPTS"), "mypy"),
    **dict.fromkeys(("CTEST_FLAGS", "CTEST_ARGS"), "ctest"),
    **dict.fromkeys(("MOCHA_OPTS", "MOCHA_ARGS"), "mocha"),
}
"""Variables whose options a program takes, by itself or as many projects name them."""
VALUE_VARIABLES = {
    "TRIVY_SEVERITY": ("trivy", "--severity"),
    "TRIVY_EXIT_CODE": ("trivy", "--exit-code"),
    "GRYPE_FAIL_ON_SEVERITY": ("grype", "--fail-on"),
}
"""Variables that are the value of one option."""
OPTION_FILES = {".rspec": "rspec", ".rspec-local": "rspec", "mocha.opts": "mocha", ".ctestrc": "ctest"}
