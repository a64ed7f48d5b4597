"""Programs of the project that hand their words on to another one: `subprocess.call(["pytest", *sys.argv[1:]])`."""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.config.called.call import Call, written
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

PYTHON = later(r"(?P<main>\bpytest\.main\(\s*)?\[(?P<items>[^\[\]]*),?\s*\*\s*sys\.argv\[1:\](?P<rest>[^\[\]]*)\]")
MAIN = later(r"\bpytest\.main\(\s*sys\.argv\[1:\]")
NODE = later(
    r"(?P<quote>[\"'`])(?P<program>[\w./@-]+)(?P=quote)\s*,\s*\[(?P<items>[^\[\]]*)\.\.\.process\.argv\.slice\(2\)(?P<rest>[^\[\]]*)\]"
)
ITEM = later(r"[\"'`]([^\"'`\n]*)[\"'`]|\bsys\.(executable)\b")


def of_program(call: Call, side: Side) -> list[str]:
    """The commands that get all of its words."""
    name = call.program.split()[-1].removeprefix("./")
    path = next((each for each in side.by_name.get(posixpath.basename(name), ()) if each.endswith(name)), None)
    text = side.text(path) or "" if path is not None else ""
    if "sys.argv[1:]" not in text and "process.argv.slice(2)" not in text:
        return []
    found = ["pytest", *call.words] if MAIN.search(text) is not None else []
    commands = [written(found)] if found else []
    for each in PYTHON.finditer(text):
        first = ["pytest"] if each["main"] else []
        commands.append(written([*first, *_items(each["items"]), *call.words, *_items(each["rest"])]))
    for each in NODE.finditer(text):
        commands.append(written([each["program"], *_items(each["items"]), *call.words, *_items(each["rest"])]))
    return commands


def _items(text: str) -> list[str]:
    return [found[1] if found[2] is None else "python" for found in ITEM.finditer(text)]


def is_program(name: str) -> bool:
    """A call by an interpreter."""
    return re.search(r"\.(?:py|[cm]?[jt]s)$", name) is not None
