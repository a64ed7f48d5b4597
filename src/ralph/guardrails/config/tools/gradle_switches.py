"""Switches of a Gradle build that ask for a property or a variable: `allWarningsAsErrors = hasProperty("strict")`.

Rule: where nothing of the tree sets any of the names that an expression asks for (`gradle.properties`, what CI and
other files run, their variables), it is what it is without them: its default, or the answer that they are not there.
What CI sets by itself is set; what cannot be told stays unknown.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.gradle_blocks import openings
from ralph.system.patterns import later

_ASKS = later(
    r"\b(?:(?:has|find)Property|(?:gradle|system)Property|environmentVariable|getenv|getProperty|getBoolean)"
    r"\s*\(\s*[\"'](?P<name>[\w.-]+)[\"']\s*\)"
)
_DEFAULT = later(r"(?:\.(?:orElse|getOrElse)\(\s*|\?:\s*)[\"']?(?P<value>true|false)\b")
_THERE = later(
    r"\bhasProperty\(|\.isPresent\b|!=\s*null\b|==\s*[\"']?true\b|\.toBoolean\(|toBoolean\b|\bgetBoolean\(|\.equals\("
)
_NOT_THERE = later(r"==\s*null\b|!=\s*[\"']?true\b")
_BY_ITSELF = later(
    r"CI|CONTINUOUS_INTEGRATION|BUILD_\w+|JENKINS_\w+|GITHUB_\w+|GITLAB_\w+|TRAVIS\w*|CIRCLE\w*|TEAMCITY\w*|TF_BUILD"
    r"|BUILDKITE\w*|RUNNER_\w+|HOME|USER|PATH|JAVA_HOME|os\..*|java\..*|user\..*|idea\..*|org\.gradle\..*|version|group"
)
_NAME = later(r"(?:project\.)?(?P<name>[A-Za-z_]\w*)")
LONGEST = 400


def expression(text: str, start: int) -> str:
    """What is written from here on, over lines that go on with a call, to the bracket that closes it."""
    depth = 0
    for index in range(start, min(len(text), start + LONGEST)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        ends = text[index] == "\n" and not re.match(r"\s*(?:\.|\?:|\?\.)", text[index + 1 : index + 80])
        if depth < 0 or (depth == 0 and ends):
            return text[start:index].strip()
    return text[start : start + LONGEST].strip()


def settled(text: str, said: str, side: Side, depth: int = 0) -> str | None:
    """`true` or `false`, where nothing sets what an expression asks for; None where that cannot be told."""
    named = _NAME.fullmatch(said)
    if named is not None and depth == 0 and named["name"] not in ("true", "false"):
        form = re.compile(rf"\b(?:val|def|var|boolean|Boolean)\s+{named['name']}\b(?:\s*:\s*\w+)?\s*(?:=|by)\s*")
        given = form.search(text)
        return None if given is None else settled(text, expression(text, given.end()), side, depth + 1)
    names = [match["name"] for match in _ASKS.finditer(said)]
    if not names or "||" in said or "&&" in said or any(_is_set(name, side) for name in names):
        return None
    default = _DEFAULT.search(said)
    if default is not None:
        found = default["value"] == "true"
    elif _NOT_THERE.search(said):
        found = True
    elif _THERE.search(said):
        found = False
    else:
        return None
    return str(found is not said.startswith("!")).lower()


def condition(text: str, place: int) -> str | None:
    """What the nearest `if` around a place asks."""
    for index in openings(text, place):
        head = re.search(r"\bif\s*\((?P<asked>.*)\)\s*$", text[text.rfind("\n", 0, index) + 1 : index])
        if head is not None:
            return head["asked"].strip()
    return None


def _is_set(name: str, side: Side) -> bool:
    """A file that sets properties or runs programs names it."""
    if _BY_ITSELF.fullmatch(name):
        return True
    files = [path for path in side.paths if path.rpartition("/")[2] in ("gradle.properties", ".env", ".envrc")]
    form = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])|(?:-P|-D|ORG_GRADLE_PROJECT_){re.escape(name)}\b")
    return any(form.search(side.text(path) or "") for path in sorted({*files, *command_files(side)}))
