"""Commands that install something else under a tool's name: a folder, a fork, a linked package (class G15)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

NPM = frozenset(("npm", "pnpm", "yarn", "bun"))
PIP = frozenset(("pip", "pip3", "uv", "poetry", "pdm", "pipenv"))
INSTALLS = frozenset(("install", "i", "add"))
FOLDER = later(r"^(?:(?:file|link|portal):|\.{1,2}/)(?:\S*/)?(?P<name>[A-Za-z][\w.-]*?)(?:-\d\S*)?/?$")
ALIASED = later(r"^(?P<name>(?:@[\w-]+/)?[\w.-]+)@(?P<rest>(?:file|link|git\S*|github|https?):\S+)$")
FORK = later(r"^git\+\S*?/(?P<name>[A-Za-z][\w.-]*?)(?:\.git)?(?:@\S*)?(?:#\S*)?$")
REPLACED = later(r"^-?-replace=?(?P<old>[^=@\s]*)")
OVERRIDDEN = later(
    r"^(?:pnpm\.)?(?:overrides|resolutions)[.\[\"']+(?P<name>(?:@[\w-]+/)?[\w-]+)[\"'\]]*="
    r"(?:file|link|npm|git)"
)
MANIFESTS = ("package.json", "pyproject.toml", "setup.py")


def installed(words: Sequence[str], before: Side) -> Iterator[str]:
    """The tools in whose place a command puts something else. A package that the base had in its folder is the tool."""
    program, given = words[0].rpartition("/")[2], list(words[1:])
    if program in NPM and given[:2] == ["pkg", "set"]:
        named = (match["name"] for word in given if (match := OVERRIDDEN.match(word)))
        yield from filter(toolnames.npm, named)
    elif program in NPM and not INSTALLS.isdisjoint(given[:2]):
        yield from _others(given, before, toolnames.npm)
    elif (program in PIP or "pip" in words[:4]) and not INSTALLS.isdisjoint(given[:4]):
        yield from _others(given, before, toolnames.python)
    elif program == "go" and given[:2] == ["mod", "edit"]:
        for option, word in pairwise(given):
            match = REPLACED.match(f"-replace={word}" if re.fullmatch(r"-?-replace", option) else word)
            tool = toolnames.go(match["old"]) if match else None
            if tool is not None:
                yield tool


def _others(given: Sequence[str], before: Side, is_tool: Callable[[str], bool]) -> Iterator[str]:
    for word in given:
        match = ALIASED.match(word) or FORK.match(word) or FOLDER.match(word)
        if match is None or not is_tool(match["name"]) or toolnames.OWNERS.search(word):
            continue
        folder = re.sub(r"^(?:\w+:)?(?:\./)?", "", word).rstrip("/")
        if not any(f"{folder}/{name}" in before.paths for name in MANIFESTS):
            yield match["name"]
