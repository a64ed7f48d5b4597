"""Files in whose commands names stand for what a command lists, written as the shell would: make, just and Task.

`$(shell X)` is `$(X)`, `$(wildcard X)` what `ls` prints, `$(filter-out P,…)` a list that goes through `grep -v`.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch

from ralph.guardrails.config.command_files.scripts import MAKEFILES
from ralph.system.patterns import later

ASSIGNED = later(r"^(?:export\s+|override\s+)*(?P<name>[\w-]+)\s*(?P<sign>[!?+]?|:{1,3})=\s*(?P<value>.+)$")
DOLLAR = "\0"
SHELL = later(r"\$\(shell\s+")
WILDCARD = later(r"\$[({]wildcard\s+([^(){}]*)[)}]")
NAME = later(r"\$(?:\(([\w-]+)\)|\{([\w-]+)\})")
WITHOUT = later(r"\$\(filter-out\s+(?P<taken>[^,()]+),\s*(?:\$\((?P<made>[^()]*)\)|(?P<name>\$\w+))\s*\)")
JUST_MADE = later(r"(?m)^(?P<name>[\w-]+)\s*:=\s*`(?P<value>[^`\n]*)`\s*$")
JUST_NAME = later(r"\{\{\s*([\w-]+)\s*\}\}")
TASK_MADE = later(r"(?m)^\s*(?P<name>\w+):\s*\{?\s*sh:\s*(?P<value>[^\n]+?)\s*\}?\s*$")
TASK_NAME = later(r"\{\{\s*\.(\w+)\s*\}\}")


def is_makefile(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return any(fnmatch(name, glob) for glob in MAKEFILES)


def of_makefile(text: str) -> str:
    """The whole file as one text of the shell with as many lines; a justfile has other names and commands."""
    if JUST_MADE.search(text) or JUST_NAME.search(text):
        text = JUST_MADE.sub(r"\g<name>=$(\g<value>)", text)
        return "\n".join(line.strip().lstrip("@-") for line in JUST_NAME.sub(r"$\1", text).split("\n"))
    return "\n".join(_row(line) for line in text.split("\n"))


def _row(line: str) -> str:
    text = SHELL.sub("$(", line.strip().replace("$$", DOLLAR))
    text = NAME.sub(lambda match: f"${(match[1] or match[2]).replace('-', '_')}", WILDCARD.sub(r"$(ls \1)", text))
    text = WITHOUT.sub(_filtered, text)
    match = None if line.startswith("\t") else ASSIGNED.match(text)
    if match is not None:
        value = f"$({match['value']})" if match["sign"] == "!" else match["value"].strip("\"'")
        name = match["name"].replace("-", "_")
        text = f'{name}="{value}"'
    return text.lstrip("@-+ \t").replace(DOLLAR, "$")


def _filtered(match: re.Match[str]) -> str:
    forms = "|".join(re.escape(word).replace("%", ".*") for word in match["taken"].split())
    made = match["made"] or f"echo {match['name']}"
    return f"$({made} | grep -vxE '{forms}')"


def of_tasks(text: str) -> str:
    """What the variables of a file of tasks are made of, one in a line."""
    found = ((match["name"], match["value"].strip("\"'")) for match in TASK_MADE.finditer(text))
    return "\n".join(f"{name}=$({value})" for name, value in found)


def in_task(text: str) -> str:
    return TASK_NAME.sub(r"$\1", text)
