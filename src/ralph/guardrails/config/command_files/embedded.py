"""Commands inside other languages: what Dockerfiles run, `sh` steps of a Jenkinsfile, Python task files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from ralph.guardrails.config.python_tasks import runs
from ralph.system.patterns import later

_STEP = later(
    r"""//[^\n]*|/\*.*?\*/|(?P<word>\w+)|\'{3}(?P<long>.*?)\'{3}|"{3}(?P<wide>.*?)"{3}|'(?P<one>(?:\\.|[^'\\\n])*)'|"(?P<two>(?:\\.|[^"\\\n])*)\"""",
    re.DOTALL,
)
_RUN = later(r"^\s*(?:RUN|CMD|ENTRYPOINT)\s+(?:--\S+\s+)*(?P<command>.*)$", re.IGNORECASE | re.DOTALL)
_SHELL = later(r"^\s*SHELL\s+(?P<words>\[.*)$", re.IGNORECASE)
_MARK = later(r"<<-?\s*[\"']?(?P<word>\w+)[\"']?")
_DOCUMENT = later(r"(?s)<<-?\s*[\"']?(?P<word>\w+)[\"']?[ \t]*\n(?P<body>.*)\n[ \t]*(?P=word)\s*")
_ENV = later(r"^\s*(?:ENV|ARG)\s+(?P<rest>.*)$", re.IGNORECASE)
_PAIR = later(r"([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")
_ACTIONS = later(r"[\"']actions[\"']\s*:\s*\[([^\]]*)\]")
_QUOTED = later(r"([\"'])((?:(?!\1).)*)\1")
_CHECKS = later(
    r"(?im)^\s*(?:RUN|CMD|ENTRYPOINT)\b.*\b(?:pytest|unittest|tox|nox|mypy|ruff|flake8|jest|vitest|rspec|phpunit|test|check|lint)\b"
)


def commands(name: str, text: str) -> Iterator[tuple[str, int]]:
    """(shell text, line) of every command that a file of this name (in lower case) runs."""
    if name.endswith(".py"):
        yield from runs.commands(text)
        if name == "dodo.py":
            yield from _actions(text)
    elif name == "jenkinsfile":
        yield from _jenkins(text)
    else:
        yield from _docker(text)


def _actions(text: str) -> Iterator[tuple[str, int]]:
    """The commands among the actions of doit's tasks."""
    for actions in _ACTIONS.finditer(text):
        for word in _QUOTED.finditer(text, actions.start(1), actions.end(1)):
            yield word[2], text.count("\n", 0, word.start()) + 1


def is_image(name: str) -> bool:
    return name.startswith(("dockerfile", "containerfile", "earthfile")) or name.endswith(".dockerfile")


def variables(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """(name, value, line) of what an image sets for its checks; an image without any sets it for the product."""
    if not is_image(name) or not _CHECKS.search(text):
        return
    for whole, line in instructions(text):
        match = _ENV.match(whole)
        if match is None:
            continue
        pairs = _PAIR.findall(match["rest"])
        name, _, value = match["rest"].partition(" ")
        for each, given in pairs if "=" in name else [(name, value)]:
            yield each, given.strip().strip("\"'"), line


def _docker(text: str) -> Iterator[tuple[str, int]]:
    """A shell that is none (`SHELL ["/bin/true"]`) runs nothing of what stands behind it."""
    shell = ""
    for whole, line in instructions(text):
        if match := _RUN.match(whole):
            words = re.findall(r'"((?:\\.|[^"\\])*)"', match["command"]) if match["command"].startswith("[") else None
            command = shlex.join(words) if words else _of_document(match["command"])
            first = line + int(not words and command != match["command"])
            yield command if words or not shell else f"{shell} {shlex.quote(command)}", first
        elif match := _SHELL.match(whole):
            words = re.findall(r'"((?:\\.|[^"\\])*)"', match["words"])
            shell = shlex.join(words)


def _of_document(command: str) -> str:
    """`RUN <<EOF` has its commands in the lines below."""
    match = _DOCUMENT.match(command)
    return match["body"] if match is not None else command


def instructions(text: str) -> Iterator[tuple[str, int]]:
    """The lines of a Dockerfile, those that end in a backslash joined, and here documents with their lines."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        whole = lines[number]
        while whole.endswith("\\") and number + 1 < len(lines):
            number += 1
            whole = whole[:-1] + " " + lines[number].strip()
        number += 1
        if (mark := _MARK.search(whole)) is not None and _RUN.match(whole):
            end = next((at for at in range(number, len(lines)) if lines[at].strip() == mark["word"]), None)
            if end is not None:
                whole = "\n".join([whole, *lines[number : end + 1]])
                number = end + 1
        yield whole, first + 1


def _jenkins(text: str) -> Iterator[tuple[str, int]]:
    """The text after `sh`, `bat` or `script:`."""
    last = ""
    for match in _STEP.finditer(text):
        if match["word"]:
            last = match["word"]
        elif match.lastgroup and last in ("sh", "bat", "script", "pwsh"):
            yield match[match.lastgroup], text.count("\n", 0, match.start()) + 1
