"""Files that hold nothing but options which every call of a program gets; variables do the same (`tool_variables`).

Gradle reads its properties from a file (`gradle.properties`); Maven takes those of its virtual machine for its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.system.patterns import later

OPTION_FILES = {
    ".rspec": "rspec",
    ".rspec-local": "rspec",
    "mocha.opts": "mocha",
    ".ctestrc": "ctest",
    "directory.build.rsp": "dotnet",
}
MAVEN_FILES = (".mvn/maven.config", ".mvn/jvm.config")
GRADLE_FILE = "gradle.properties"
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
