"""The files of MSBuild that a project gets properties from: those above it, and those that one of them imports.

Rule: an import counts where its path says which file of the tree it is, and where no condition but that the file is
there decides. What stands in the importing file behind it has the last word, as MSBuild reads them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical, occurrences
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import files_named
from ralph.system.patterns import later

SHARED = ("Directory.Build.props", "Directory.Build.targets")
MOST_DEPTH = 6
ABOVE = later(
    r"\$\(\[MSBuild\]::GetPathOfFileAbove\(\s*'?(?P<name>[\w.-]+)'?\s*(?:,\s*'?(?P<start>[^']*?)'?\s*)?\)\)"
    r"|\$\(\[MSBuild\]::GetDirectoryNameOfFileAbove\(\s*'?(?P<from>[^',]*?)'?\s*,\s*'?[\w.-]+'?\s*\)\)[/\\]?"
    r"(?P<file>[\w.-]+)"
)
HERE = later(r"\$\((?:MSBuildThisFileDirectory|MSBuildProjectDirectory)\)[/\\]?")
IF_THERE = later(r"(?i)\s*(?:exists\s*\(.*\)|'[^']*'\s*!=\s*'')\s*")


def files_of(side: Side, project: str) -> list[str]:
    """Those that hold for a project, in the order in which they are read."""
    shared = [name for name in (nearest(side, project, name) for name in SHARED) if name]
    return list(dict.fromkeys(path for file in (*shared, project) for path in with_imports(side, file)))


def with_imports(side: Side, path: str, depth: int = 0) -> list[str]:
    """What a file imports, and the file itself, each in its place."""
    node = side.node(path)
    project = node.at("Project") if node else None
    imports = [(each.line, found) for each in _imports(project) if (found := _target(side, path, each))]
    groups = occurrences(project.at("PropertyGroup")) if project else []
    last = max((group.line for group in groups), default=0)
    first, behind = ([found for line, found in imports if (line > last > 0) is late] for late in (False, True))
    if depth >= MOST_DEPTH:
        return [path]

    def opened(files: list[str]) -> list[str]:
        return [each for file in files if file != path for each in with_imports(side, file, depth + 1)]

    return [*opened(first), path, *opened(behind)]


def nearest(side: Side, project: str, name: str) -> str | None:
    """The file of this name beside a project, or else in the next folder above."""
    directory = posixpath.dirname(project)
    there = {posixpath.dirname(path): path for path in files_named(side, name)}
    while directory not in there:
        if not directory:
            return None
        directory = posixpath.dirname(directory)
    return there[directory]


def _imports(project: Node | None) -> Iterator[Node]:
    places = [project, *occurrences(project.at("ImportGroup"))] if project else []
    for place in places:
        condition = place.at("@Condition")
        for item in occurrences(place.at("Import")):
            said = [each for each in (condition, item.at("@Condition")) if each is not None]
            if all(IF_THERE.fullmatch(canonical(each)) for each in said) and item.at("@Project") is not None:
                yield item


def _target(side: Side, path: str, item: Node) -> str | None:
    """The file of the tree that an import names."""
    said, directory = canonical(item.at("@Project") or item), posixpath.dirname(path)
    if (above := ABOVE.fullmatch(said)) is not None:
        start = _folder(directory, above["start"] or above["from"] or "")
        name = above["name"] or above["file"]
        found = None if start is None else nearest(side, posixpath.join(start, name), name)
        return None if found == path else found
    found = _folder(directory, said)
    return found if found in side.paths else None


def _folder(directory: str, said: str) -> str | None:
    """A path seen from a file's folder; None where only a run could tell."""
    plain = HERE.sub("", said.strip()).replace("\\", "/")
    if "$(" in plain or plain.startswith("/"):
        return None
    found = posixpath.normpath(posixpath.join(directory, plain))
    return "" if found == "." else None if found.startswith("..") else found
