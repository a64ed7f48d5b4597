"""Environments of tox and sessions of nox: `tox -e py -- tests/slow` and `pytest {posargs:tests}`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

POSARGS = later(r"\{posargs(?::(?P<default>(?:[^{}]|\{[^{}]*\})*))?\}")
ENV = later(r"\{env:(?P<name>\w+)(?::(?P<default>[^{}]*))?\}")
SECTION = later(r"\[(?P<name>[^\]\n]+)\]\s*$")
COMMANDS = later(r"commands\s*=")
PLACE = later(r"\{(?:posargs|env:\w+)")
SESSION = later(
    r"(?m)^(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\([^)\n]*\)[^\n]*:"
    r"(?P<body>(?:\n(?:[ \t][^\n]*|(?=\n)))*)"
)
RUN = later(r"\.run\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)")
ITEM = later(
    r"os\.(?:environ\.get|getenv)\([\"'](?P<variable>\w+)[\"'](?:,[ \t]*[\"'](?P<default>[^\"'\n]*)[\"'])?\)"
    r"|[\"'](?P<text>[^\"'\n]*)[\"']|\*\s*(?P<handed>[\w.]+)|(?P<option>\w+)\s*="
)
DEFAULT = later(r"(?P<name>\w+)\s*=\s*(?:\w+\.)?posargs(?:\s+or\s+(?P<default>[\[(][^\])\n]*[\])]))?")


def of_tox(call: Call, side: Side) -> list[str]:
    """The lines with a place for what callers say, of the environments that it asks for."""
    path = task_file(side, "tox.ini") or task_file(side, "setup.cfg") or task_file(side, "pyproject.toml")
    text = (side.text(path) or "").replace("\\\n", " ") if path is not None else ""
    handed = written(call.handed)
    lines = (_with_environment(line, call) for line in _of_environments(text, call) if PLACE.search(line) is not None)
    lines = (line.partition("=")[2].strip() if COMMANDS.match(line) is not None else line for line in lines)
    return list(dict.fromkeys(POSARGS.sub(lambda found: handed or found["default"] or "", line) for line in lines))


def _of_environments(text: str, call: Call) -> list[str]:
    """The lines of their own sections; one that has no commands of its own has those of all."""
    sections: dict[str, list[str]] = {}
    for line in text.split("\n"):
        if (head := SECTION.match(line)) is not None:
            sections[head["name"]] = []
        elif sections:
            list(sections.values())[-1].append(line.strip())
    chosen = [name for option, said in pairwise(call.own) if option in ("-e", "--env") for name in said.split(",")]
    own = [f"testenv:{name}" for name in chosen]
    found = [name if any(map(COMMANDS.match, sections.get(name, ()))) else "testenv" for name in own]
    return [line for name in dict.fromkeys(found or sections) for line in sections.get(name, ())]


def _with_environment(line: str, call: Call) -> str:
    return ENV.sub(lambda found: call.environment.get(found["name"]) or found["default"] or "", line)


def of_nox(call: Call, side: Side) -> list[str]:
    """The programs that its sessions run with what callers say."""
    path = task_file(side, "noxfile.py")
    text = side.text(path) or "" if path is not None else ""
    chosen = {word for word in call.own if not word.startswith("-")}
    sessions = [found for found in SESSION.finditer(text) if not chosen or found["name"] in chosen]
    return [words for session in sessions for words in _runs(session["body"], call)]


def _runs(body: str, call: Call) -> Iterator[str]:
    defaults = {found["name"]: found["default"] for found in DEFAULT.finditer(body)}
    for run in RUN.finditer(body):
        words: list[str] = []
        uses = False
        for item in ITEM.finditer(run["given"]):
            if item["variable"] is not None:
                uses = True
                words += (call.environment.get(item["variable"], item["default"] or ""),)
                continue
            if item["handed"] is None:
                words += () if item["text"] is None else (item["text"],)
                continue
            name = item["handed"]
            if name.endswith("posargs") or name in defaults:
                uses = True
                words += call.handed or _listed(defaults.get(name))
        if uses:
            yield written(words)


def _listed(text: str | None) -> tuple[str, ...]:
    try:
        found = ast.literal_eval(text or "()")
    except (ValueError, SyntaxError):
        return ()
    return tuple(map(str, found)) if isinstance(found, list | tuple) else (str(found),)
