"""Scripts of the project that hand on what they are given: `./run.sh tests/slow` and its line `pytest "$@"`."""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.config.called.call import Call, written
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

USED = later(r"\"?\$\{?(?:(?P<all>[@*])|(?P<number>[1-9])(?::?-(?P<default>[^}\n]*))?)\}?\"?")
COMMAND = later(
    r"\s*(?:exec\s+)?(?P<command>(?!(?:if|then|elif|else|fi|for|do|done|while|until|case|esac|function|local|export|cd|echo|printf"
    r"|set|test|trap|return|exit|source|mkdir|rm)\b)[A-Za-z./][\w./-]*\s[^\n]*)"
)
"""A line that is a command by itself, and may be a check."""
TAKES_APART = later(r"(?m)\bshift\b|\bgetopts?\b|\bcase\s+[\"']?\$\{?[1@*]|^\s*set\s+--")
"""A script that goes through its words itself."""
PARAMETER = later(r"(?P<name>\w+)\s*(?::\s*[\w.\[\] |]+)?=\s*[\"'](?P<default>[^\"'\n]*)[\"']")
TASK = later(
    r"(?m)^(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\((?P<parameters>[^)]*)\)[^\n]*:"
    r"(?P<body>(?:\n(?:[ \t]+[^\n]*|[ \t]*(?=\n)))*)"
)
RUN = later(r"\.run\(\s*[fF]?(?P<quote>[\"'])(?P<text>(?:(?!(?P=quote)).)*)(?P=quote)")


def of_shell(call: Call, side: Side) -> list[str]:
    name = call.program.split()[-1].removeprefix("./")
    path = next((each for each in side.by_name.get(posixpath.basename(name), ()) if each.endswith(name)), None)
    text = side.text(path) or "" if path is not None else ""
    if TAKES_APART.search(text) is not None:
        return []

    def value(found: re.Match[str]) -> str:
        if found["all"]:
            return written(call.words)
        number = int(found["number"])
        return written(call.words[number - 1 : number]) or found["default"] or ""

    lines = (COMMAND.fullmatch(line) for line in text.split("\n") if "$" in line)
    return [USED.sub(value, line["command"]) for line in lines if line is not None]


def of_invoke(call: Call, side: Side) -> list[str]:
    """A parameter of a task is an option of its call: `inv test --args tests/slow`."""
    text = side.text("tasks.py") or ""
    task = next((found for found in TASK.finditer(text) if found["name"].replace("_", "-") in call.words[:1]), None)
    if task is None:
        return []
    values = {found["name"]: found["default"] for found in PARAMETER.finditer(task["parameters"])}
    words = list(call.words[1:])
    for number, word in enumerate(words):
        name, equals, given = word.lstrip("-").replace("-", "_", word.count("-") - 2).partition("=")
        if word.startswith("--") and name in values:
            values[name] = given if equals else " ".join(words[number + 1 : number + 2])
    texts = [found["text"] for found in RUN.finditer(task["body"])]
    used = re.compile("|".join(rf"\{{{name}\}}" for name in values)) if values else None
    return [
        used.sub(lambda found: values[found[0][1:-1]], text).strip() for text in texts if used and used.search(text)
    ]
