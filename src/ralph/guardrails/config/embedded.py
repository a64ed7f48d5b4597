"""Commands inside other languages: what Dockerfiles run, `sh` steps of a Jenkinsfile, Python task files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from ralph.guardrails.config import pythonruns
from ralph.system.patterns import later

_STEP = later(
    r"""//[^\n]*|/\*.*?\*/|(?P<word>\w+)|\'{3}(?P<long>.*?)\'{3}|"{3}(?P<wide>.*?)"{3}|'(?P<one>(?:\\.|[^'\\\n])*)'|"(?P<two>(?:\\.|[^"\\\n])*)\"""",
    re.DOTALL,
)
_RUN = later(r"^\s*(?:RUN|CMD|ENTRYPOINT)\s+(?:--\S+\s+)*(?P<command>.*)$", re.IGNORECASE)
_ENV = later(r"^\s*(?:ENV|ARG)\s+(?P<rest>.*)$", re.IGNORECASE)
_PAIR = later(r"([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")
_CHECKS = later(
    r"(?im)^\s*(?:RUN|CMD|ENTRYPOINT)\b.*\b(?:pytest|unittest|tox|nox|mypy|ruff|flake8|jest|vitest|rspec|phpunit|test|check|lint)\b"
)


def commands(name: str, text: str) -> Iterator[tuple[str, int]]:
    """(shell text, line) of every command that a file of this name (in lower case) runs."""
    if name.endswith(".py"):
        yield from pythonruns.commands(text)
    elif name == "jenkinsfile":
        yield from _jenkins(text)
    else:
        yield from _docker(text)


def is_image(name: str) -> bool:
    return name.startswith(("dockerfile", "containerfile", "earthfile")) or name.endswith(".dockerfile")


def variables(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """(name, value, line) of what an image sets for its checks; an image without any sets it for the product."""
    if not is_image(name) or not _CHECKS.search(text):
        return
    for whole, line in _instructions(text):
        match = _ENV.match(whole)
        if match is None:
            continue
        pairs = _PAIR.findall(match["rest"])
        name, _, value = match["rest"].partition(" ")
        for each, given in pairs if "=" in name else [(name, value)]:
            yield each, given.strip().strip("\"'"), line


def _docker(text: str) -> Iterator[tuple[str, int]]:
    for whole, line in _instructions(text):
        if match := _RUN.match(whole):
            words = re.findall(r'"((?:\\.|[^"\\])*)"', match["command"]) if match["command"].startswith("[") else None
            yield (shlex.join(words) if words else match["command"]), line


def _instructions(text: str) -> Iterator[tuple[str, int]]:
    """The lines of a Dockerfile, those that end in a backslash joined."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        whole = lines[number]
        while whole.endswith("\\") and number + 1 < len(lines):
            number += 1
            whole = whole[:-1] + " " + lines[number].strip()
        number += 1
        yield whole, first + 1


def _jenkins(text: str) -> Iterator[tuple[str, int]]:
    """The text after `sh`, `bat` or `script:`."""
    last = ""
    for match in _STEP.finditer(text):
        if match["word"]:
            last = match["word"]
        elif match.lastgroup and last in ("sh", "bat", "script", "pwsh"):
            yield match[match.lastgroup], text.count("\n", 0, match.start()) + 1
