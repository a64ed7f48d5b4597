"""Switches of a Gradle build that ask for a property or a variable: `allWarningsAsErrors = hasProperty("strict")`.

Rule: where nothing of the tree sets any of the names that an expression asks for (`gradle.properties`, what CI and
other files run, their variables), it is what it is without them: its default, or the answer that they are not there.
What CI sets by itself is set; what cannot be told stays unknown. A value that hangs on what CI sets is what it can be
there (`in_ci`): the worst of that counts.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.command_files.scripts import command_files
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
_OF_CI = (
    r"CI|CONTINUOUS_INTEGRATION|BUILD_\w+|JENKINS_\w+|GITHUB_\w+|GITLAB_\w+|TRAVIS\w*|CIRCLE\w*|TEAMCITY\w*|TF_BUILD"
    r"|BUILDKITE\w*|RUNNER_\w+"
)
_ASKS_FOR_CI = later(
    rf"\b(?:getenv|environmentVariable)\s*\(\s*[\"'](?:{_OF_CI})[\"']\s*\)"
    rf"|\bgetenv\(\)\s*(?:\.(?:containsKey|get)\(|\[|\.(?=CI\b))\s*[\"']?(?:{_OF_CI})\b[\"']?\s*[\])]?"
    r"|\bSystem\.env\.CI\b"
)
_EITHER = later(
    r"(?:if\s*\(\s*(?P<if>.*)\)\s*(?P<then>true|false)\s*else\s*(?P<else>true|false)"
    r"|(?P<asked>[^?]*)\?\s*(?P<yes>true|false)\s*:\s*(?P<no>true|false))",
    re.DOTALL,
)
_NEGATED = later(r"==\s*null\b|!=\s*[\"']?true\b|\.isNullOr(?:Empty|Blank)\(\)")
_BY_ITSELF = later(
    rf"{_OF_CI}|HOME|USER|PATH|JAVA_HOME|os\..*|java\..*|user\..*|idea\..*|org\.gradle\..*|version|group"
)
_NAME = later(r"(?:project\.)?(?P<name>[A-Za-z_]\w*)")
_OTHER = {"true": "false", "false": "true"}
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
    if depth == 0 and _NAME.fullmatch(said) is not None and said not in ("true", "false"):
        given = _given(text, said)
        return None if given is None else settled(text, given, side, depth + 1)
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


def in_ci(text: str, said: str) -> frozenset[str]:
    """`true` and `false`, as far as an expression that asks whether CI runs the build may be that there; empty for any
    other."""
    negated = said.startswith("!") and _NAME.fullmatch(said[1:]) is not None
    given = _given(text, said.lstrip("!"))
    answers = _in_ci(said if given is None else given)
    return frozenset(_OTHER[each] for each in answers) if negated and given is not None else answers


def _in_ci(said: str) -> frozenset[str]:
    if _ASKS_FOR_CI.search(said) is None:
        return frozenset()
    if (either := _EITHER.fullmatch(said.strip())) is not None:
        asked, yes, no = (either[one] or either[two] for one, two in (("if", "asked"), ("then", "yes"), ("else", "no")))
        return frozenset(yes if each == "true" else no for each in _in_ci(asked))
    part = next(part for part in re.split(r"\|\||&&", said) if _ASKS_FOR_CI.search(part)).strip()
    answer = str((_NEGATED.search(part) is None) is not part.startswith("!")).lower()
    open_left = ("&&" in said and answer == "true") or ("||" in said and answer == "false")
    return frozenset(("true", "false")) if open_left else frozenset((answer,))


def _given(text: str, name: str) -> str | None:
    """What a variable of the script is."""
    named = _NAME.fullmatch(name)
    if named is None:
        return None
    form = re.compile(rf"\b(?:val|def|var|boolean|Boolean)\s+{named['name']}\b(?:\s*:\s*\w+)?\s*(?:=|by)\s*")
    given = form.search(text)
    return None if given is None else expression(text, given.end())


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
