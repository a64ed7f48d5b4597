"""Functions of a Jenkinsfile that are called with texts: `check('tests')` and its step `sh "pytest ${args}"`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.called.parameters.blocks import Block, Entry
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

FUNCTION = later(
    r"\s*(?:static\s+|private\s+)?(?:def|void|String|boolean)\s+(?P<name>\w+)\s*\((?P<parameters>[^()]+)\)\s*\{\s*"
)
PARAMETER = later(r"(?:\w+\s+)?(?P<name>\w+)(?:\s*=\s*(?P<quote>['\"])(?P<default>[^'\"]*)(?P=quote))?\s*")
TEXT = later(r"\s*(?P<quote>['\"])(?P<text>[^'\"$]*)(?P=quote)\s*")
MOST = 40


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    text = "\n".join(lines)
    for number, line in enumerate(lines):
        function = FUNCTION.fullmatch(line) if "(" in line else None
        if function is None:
            continue
        parameters = [PARAMETER.fullmatch(part.strip()) for part in function["parameters"].split(",")]
        known = [each for each in parameters if each is not None]
        if len(known) != len(parameters):
            continue
        names = "|".join(re.escape(each["name"]) for each in known)
        hole = re.compile(rf"\$(?:\{{(?={names}\}}))?(?P<name>{names})\b\}}?")
        yield Block(number + 1, _end(lines, number), hole, _entries(function["name"], known, text), "; ")


def _end(lines: Sequence[str], start: int) -> int:
    """The first line with the brace that closes a function."""
    deep = depth(lines[start])
    for number in range(start + 1, len(lines)):
        if lines[number].lstrip().startswith("}") and depth(lines[number]) <= deep:
            return number
    return len(lines)


def _entries(name: str, parameters: Sequence[re.Match[str]], text: str) -> list[Entry]:
    found: list[Entry] = []
    for call in re.finditer(
        rf"(?m)(?<![\w.])(?<!def )(?<!void ){re.escape(name)}[ \t]*(?:\((?P<words>[^()\n]*)\)|(?P<bare>['\"][^\n]*))",
        text,
    ):
        words = [TEXT.fullmatch(each) for each in (call["words"] or call["bare"] or "").split(",")]
        given = {each["name"]: each["default"] for each in parameters if each["default"] is not None}
        for parameter, word in zip(parameters, words, strict=False):
            if word is not None:
                given[parameter["name"]] = word["text"]
        found.append(given)
    return found[:MOST]
