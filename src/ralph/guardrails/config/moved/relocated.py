"""A linter's configuration that moves to where the tool does not look, but the build names it (policy set v2, G12).

Rules:

- Of a unit whose files are gone, the new file counts that a changed script of the build, a file of CI or another one
  that runs programs names by its path, and that can be read as the tool's. What it says is compared.
- The other way round, a new unit is compared with the file that is gone and that such a script named.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.moved.adopted import MAY_RUN
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.system.patterns import later

BUILDS = later(
    r"\.gradle(?:\.kts)?$|(?:^|/)pom\.xml$|\.(?:cs|fs|vb)proj$|\.(?:props|targets|mk)$|(?:^|/)CMakeLists\.txt$"
)
PATH = later(r"[\w./@-]+\.\w+")
COMMENT = later(r"(?m)^\s*(?://|#(?!!)|<!--).*$")


def taken_along(tool: Tool, was: Unit, before: Side, after: Side, changed: frozenset[str]) -> Unit | None:
    """The configuration that took a gone one's place under another path."""
    own = {place.name for place in tool.places}
    gone = [path for path in was.files if path not in after.paths]
    if tool.units_are_files or any(posixpath.basename(path) in own for path in set(was.files).difference(gone)):
        return None
    kinds = {kind for path in gone for kind in _kinds(path)}
    new = sorted(path for path in changed & after.paths - before.paths if posixpath.splitext(path)[1] in kinds)
    for path in new:
        settings = tool.named(after, path) if any(_naming(path, after, changed)) else None
        if settings is not None:
            return Unit(settings, (path,))
    return None


def _kinds(path: str) -> set[str]:
    """How files like it end: what is nothing but its suffix (`.editorconfig`) may have a name before that, too."""
    name = posixpath.basename(path)
    return {posixpath.splitext(name)[1], *([name] if name.startswith(".") else [])}


def named_before(tool: Tool, now: Unit, before: Side, after: Side, changed: frozenset[str]) -> Unit | None:
    """The configuration whose place a new one took, under the name that the tool looks for by itself."""
    if tool.units_are_files or not changed.issuperset(now.files):
        return None
    kinds = {posixpath.splitext(path)[1] for path in now.files}
    gone = {path for path in changed & before.paths - after.paths if posixpath.splitext(path)[1] in kinds}
    for path in sorted(gone.intersection(_named_by_calls(tool, before, changed))) if gone else ():
        settings = tool.named(before, path)
        if settings is not None:
            return Unit(settings, (path,))
    return None


def _named_by_calls(tool: Tool, side: Side, changed: frozenset[str]) -> Iterator[str]:
    """The paths that stand on the lines of changed scripts that run the tool."""
    called = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, (tool.name, *tool.programs)))})(?![\w.-])")
    for other in sorted(changed & side.paths):
        if MAY_RUN.search(other) or is_ci_file(other) or BUILDS.search(other):
            folder = posixpath.dirname(other)
            for line in COMMENT.sub("", side.text(other) or "").split("\n"):
                for path in PATH.findall(line) if called.search(line) else ():
                    yield from {posixpath.normpath(path), posixpath.normpath(posixpath.join(folder, path))}


def _naming(path: str, after: Side, changed: frozenset[str]) -> Iterator[str]:
    """Changed files that run the tool and say where its configuration is: from the root, or from their own folder."""
    for other in sorted(changed & after.paths):
        if other == path or not (MAY_RUN.search(other) or is_ci_file(other) or BUILDS.search(other)):
            continue
        seen = {path, posixpath.relpath(path, posixpath.dirname(other) or ".")}
        form = "|".join(re.escape(each) for each in sorted(seen))
        text = COMMENT.sub("", after.text(other) or "").replace("\\", "/")  # as MSBuild writes paths
        if re.search(rf"(?<![\w.-])(?:{form})(?![\w./-])", text):
            yield other
