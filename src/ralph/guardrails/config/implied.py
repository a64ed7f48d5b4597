"""Where options stand that every call of a program gets: variables of the environment, and files of nothing else.

Gradle reads its properties from a file (`gradle.properties`) and from variables (`ORG_GRADLE_PROJECT_x`); Maven takes
those of its virtual machine for its own, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.system.patterns import later

OPTION_VARIABLES = {
    **dict.fromkeys(("PYTEST_ADDOPTS", "PYTEST_FLAGS", "PYTEST_ARGS", "PYTEST_OPTS"), "pytest"),
    **dict.fromkeys(("GOFLAGS", "GOTESTFLAGS", "TESTFLAGS", "GOTEST_FLAGS"), "go"),
    **dict.fromkeys(("MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_CLI_OPTS", "MVN_OPTS", "MVN_ARGS", "MAVEN_FLAGS"), "mvn"),
    **dict.fromkeys(("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"), "mvn"),
    **dict.fromkeys(("GRADLE_OPTS", "GRADLE_FLAGS"), "gradle"),
    **dict.fromkeys(("JEST_ARGS", "JEST_OPTS"), "jest"),
    **dict.fromkeys(("RSPEC_OPTS", "SPEC_OPTS"), "rspec"),
    **dict.fromkeys(("MAKEFLAGS", "MFLAGS"), "make"),
    **dict.fromkeys(("MYPY_FLAGS", "MYPY_ARGS", "MYPY_OPTS"), "mypy"),
    **dict.fromkeys(("CTEST_FLAGS", "CTEST_ARGS"), "ctest"),
    "SPHINXOPTS": "sphinx-build",
    **dict.fromkeys(("MOCHA_OPTS", "MOCHA_ARGS"), "mocha"),
}
"""Variables whose options a program takes, by itself or as many projects name them."""
VALUE_VARIABLES = {
    "TRIVY_SEVERITY": ("trivy", "--severity"),
    "TRIVY_EXIT_CODE": ("trivy", "--exit-code"),
    "GRYPE_FAIL_ON_SEVERITY": ("grype", "--fail-on"),
    "CIBW_TEST_COMMAND": ("cibuildwheel", "--test-command"),
    "CIBW_TEST_SKIP": ("cibuildwheel", "--test-skip"),
    "COVERAGE_RCFILE": ("coverage", "--rcfile"),
    "PYLINTRC": ("pylint", "--rcfile"),
    "TOX_SKIP_ENV": ("tox", "--skip-env"),
    "PROMPTFOO_PASS_RATE_THRESHOLD": ("promptfoo", "--pass-rate-threshold"),
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": ("promptfoo", "--failed-test-exit-code"),
}
"""Variables that are the value of one option."""
OPTION_FILES = {
    ".rspec": "rspec",
    ".rspec-local": "rspec",
    "mocha.opts": "mocha",
    ".ctestrc": "ctest",
    "directory.build.rsp": "dotnet",
}
MAVEN_FILES = (".mvn/maven.config", ".mvn/jvm.config")
GRADLE_FILE = "gradle.properties"
GRADLE_VARIABLE = "ORG_GRADLE_PROJECT_"
PROPERTY = later(r"(?P<name>[\w.-]+)\s*(?:[=:]|\s)\s*(?P<value>.*)")


def holds_options(path: str) -> bool:
    name = posixpath.basename(path).lower()
    return name in OPTION_FILES or name == GRADLE_FILE or f"/{path}".endswith(tuple(f"/{each}" for each in MAVEN_FILES))


def options(path: str, text: str) -> Iterator[tuple[str, str, int]]:
    """(program, options, line) of a file that holds some; comments say nothing."""
    name = posixpath.basename(path).lower()
    program = "gradle" if name == GRADLE_FILE else OPTION_FILES.get(name, "mvn")
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if said.startswith("#") or (said.startswith("!") and program == "gradle"):
            continue
        if program == "gradle":
            said = _of_gradle(said)
        if said:
            yield program, said, number


def _of_gradle(line: str) -> str:
    """A property of the build as the option that sets it."""
    match = PROPERTY.fullmatch(line)
    if match is None:
        return ""
    name, value = match["name"], match["value"].strip()
    if name == "org.gradle.jvmargs":
        return value
    if name == "org.gradle.dependency.verification":
        return f"--dependency-verification={value}"
    plain = re.sub(r"\s", "", value)
    return f"-D{name.removeprefix('systemProp.')}={plain}" if name.startswith("systemProp.") else f"-P{name}={plain}"


def of_variable(name: str, value: str) -> tuple[str, ...]:
    """The words of a call that a variable stands for which is the value of one option; none for any other variable."""
    if name in VALUE_VARIABLES:
        program, option = VALUE_VARIABLES[name]
        return program, f"{option}={value}"
    return ("gradle", f"-P{name.removeprefix(GRADLE_VARIABLE)}={value}") if name.startswith(GRADLE_VARIABLE) else ()
