"""Patches of tools that check, which a package manager or a command lays over what it installs.

A patch belongs to a package by its name (patch-package, pnpm, yarn, bun), by the manifest that names it, or by the
folder in its headers. It is the same patch as before if it adds no line that a patch of that package did not add at
the base and takes away no more: so a patch goes along with a release. One that changes only what decides nothing
(declarations of types, documents, what a phone's build reads) is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node, flat
from ralph.guardrails.config.side import Side
from ralph.guardrails.rewritten.found import Found
from ralph.guardrails.rewritten.places import tool_at
from ralph.record import record
from ralph.system.patterns import later

MANIFESTS = ("package.json", "pnpm-workspace.yaml")
ENDING = later(r"(?:\.dev)?\.(?:patch|diff)$")
NAMED = later(r"^(?P<name>(?:@[\w.-]+?(?:__|%2[fF]|\+|/|-))?[\w.-]+?)(?:\+|@|-npm-|-virtual-)v?\d")
SPLIT = later(r"^@(?P<scope>[\w.]+(?:-[\w.]+)*?)(?:__|%2[fF]|\+|/|-)(?P<name>.+)$")
OF_YARN = later(r"^patch:(?P<package>(?:@[^/@]+/)?[^@]+)@(?P<of>[^#]*)#(?P<rest>.*)$")
HEADER = later(r"(?m)^\+\+\+ (?:[ab]/)?(?P<path>[^\t\n]+)")
HARMLESS = later(r"\.d\.[cm]?ts$|\.(?:md|map|gradle|podspec|flow|txt)$|(?:^|/)(?:LICENSE|CHANGELOG)\b")
COMPILERS = frozenset(("typescript", "vue-tsc", "@typescript/native-preview", "@typescript-eslint/typescript-estree"))
"""What these declare is what they check by."""


@record
class Patch:
    tool: str
    file: str
    """The patch file; empty where none of the project is named."""
    place: Node
    """Where the manifest names it, or the file itself."""


@record
class Edits:
    """What a patch does: lines that it adds, free of white space, and how many it takes away."""

    added: frozenset[str]
    removed: int


def patched(changed: Sequence[str], before: Side, after: Side) -> Iterator[Found]:
    if not any(ENDING.search(path) or posixpath.basename(path) in MANIFESTS for path in changed):
        return
    known: dict[str, list[Edits]] = {}
    for patch in _patches(changed, before):
        known.setdefault(patch.tool, []).append(_edits(patch.file, before))
    told: set[str] = set()
    for patch in _patches(changed, after):
        if _was_so(_edits(patch.file, after), known.get(patch.tool, [])):
            continue
        if patch.file in after.paths and not _decides(patch, after):
            continue
        if patch.file in changed and patch.file not in told:
            told.add(patch.file)
            yield Found(patch.file, _first_line(patch.file, after), patch.file, patch.tool, "a patch changes")
        elif patch.file not in told and patch.place.path in changed:
            told.add(patch.file)
            yield Found(patch.place.path, patch.place.line, patch.place.text, patch.tool, "a patch changes")


def _patches(changed: Sequence[str], side: Side) -> Iterator[Patch]:
    """Those that the manifests name, and those among the changed files."""
    for name in MANIFESTS:
        for path in sorted(side.by_name.get(name, ())):
            if path in changed or _may_name_patches(path, side):
                yield from _of_manifest(path, side)
    for path in changed:
        if ENDING.search(path) and path in side.paths:
            tool = _by_name(posixpath.basename(path)) or _by_header(side.text(path) or "")
            if tool is not None:
                yield Patch(tool, path, Node(path, path, 1))


def _may_name_patches(path: str, side: Side) -> bool:
    """Only manifests at the root and those that hold patches of their own are read."""
    return "/" not in path or f"{posixpath.dirname(path)}/patches" in side.directories


def _of_manifest(path: str, side: Side) -> Iterator[Patch]:
    node = side.node(path)
    for keys in (("patchedDependencies",), ("pnpm", "patchedDependencies")):
        table = node.at(*keys) if node else None
        for key, value in (table.mapping if table else {}).items():
            tool = re.sub(r"(?<=.)@.*$", "", key)
            if toolnames.npm(tool) and isinstance(value.value, str):
                yield Patch(tool, _beside(path, value.value), value)
    for value in flat(node).values() if posixpath.basename(path) == "package.json" else ():
        match = OF_YARN.match(unquote(value.value)) if isinstance(value.value, str) else None
        if match and toolnames.npm(match["package"]) and "builtin<" not in match["rest"]:
            file = re.sub(r"::.*$", "", match["rest"]).removeprefix("optional!").removeprefix("~/")
            yield Patch(match["package"], _beside(path if file.startswith(".") else "", file), value)


def _beside(path: str, written: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), written))


def _by_name(name: str) -> str | None:
    """`@vitest+expect+1.6.0.patch`, `jest++expect+29.patch`, `@vitest__expect@1.6.0.patch`, `chai-npm-5.patch`."""
    match = NAMED.match(ENDING.sub("", name).split("++")[-1])
    if match is None:
        return None
    named = match["name"]
    scoped = SPLIT.match(named)
    names = [f"@{scoped['scope']}/{scoped['name']}"] if scoped else [named]
    if named.startswith("@") and not re.search(r"__|%2|\+|/", named):  # yarn joins with a hyphen that both may hold
        parts = named[1:].split("-")
        names = [f"@{'-'.join(parts[:at])}/{'-'.join(parts[at:])}" for at in range(1, len(parts))]
    return next((each for each in names if toolnames.npm(each)), None)


def _by_header(text: str) -> str | None:
    paths = (match["path"].strip() for match in HEADER.finditer(text))
    return next((tool for path in paths if (tool := tool_at(path)) is not None), None)


def _edits(path: str, side: Side) -> Edits:
    lines = (side.text(path) or "").splitlines() if path in side.paths else []
    added = (line for line in lines if line.startswith("+") and not line.startswith("+++ "))
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    return Edits(frozenset("".join(line[1:].split()) for line in added), removed)


def _was_so(now: Edits, known: Sequence[Edits]) -> bool:
    return any(now.added <= each.added and now.removed <= each.removed for each in known)


def _decides(patch: Patch, side: Side) -> bool:
    """False if all that it changes decides nothing. A patch without headers cannot be told."""
    paths = [match["path"].strip() for match in HEADER.finditer(side.text(patch.file) or "")]
    if not paths or patch.tool in COMPILERS:
        return True
    return any(not HARMLESS.search(path) for path in paths)


def _first_line(path: str, side: Side) -> int:
    """The first line that the patch adds."""
    lines = (side.text(path) or "").splitlines()
    numbers = (number for number, line in enumerate(lines, 1) if re.match(r"\+(?!\+\+ )", line))
    return next(numbers, 1)
