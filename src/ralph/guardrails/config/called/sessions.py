"""Environments of tox and sessions of nox: `tox -e py -- tests/slow` and `pytest {posargs:tests}`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

POSARGS = later(r"\{posargs(?::(?P<default>(?:[^{}]|\{[^{}]*\})*))?\}")
ENV = later(r"\{env:(?P<name>\w+)(?::(?P<default>[^{}]*))?\}")
PLACE = later(r"\{(?:posargs|env:\w+)")
SESSION = later(
    r"(?m)^(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\([^)\n]*\)[^\n]*:"
    r"(?P<body>(?:\n(?:[ \t]+[^\n]*|[ \t]*(?=\n)))*)"
)
RUN = later(r"\.run\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)")
ITEM = later(r"[\"'](?P<text>[^\"'\n]*)[\"']|\*\s*(?P<handed>[\w.]+)|(?P<option>\w+)\s*=")
DEFAULT = later(r"(?P<name>\w+)\s*=\s*(?:\w+\.)?posargs(?:\s+or\s+(?P<default>[\[(][^\])\n]*[\])]))?")


def of_tox(call: Call, side: Side) -> list[str]:
    """The lines with a place for what callers say. That of one environment is that of all."""
    path = task_file(side, "tox.ini") or task_file(side, "setup.cfg") or task_file(side, "pyproject.toml")
    text = (side.text(path) or "").replace("\\\n", " ") if path is not None else ""
    handed = written(call.handed)
    lines = (_with_environment(line.strip(), call) for line in text.split("\n") if PLACE.search(line) is not None)
    lines = (line.partition("=")[2].strip() if re.match(r"commands\s*=", line) else line for line in lines)
    return list(dict.fromkeys(POSARGS.sub(lambda found: handed or found["default"] or "", line) for line in lines))


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
