"""A linter's configuration that moves to where the tool does not look, but the build names it (policy set v2, G12).

Rule: of a unit whose files are gone, the new file counts that a changed script of the build, a file of CI or another
one that runs programs names by its path, and that can be read as the tool's. What it says is compared.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.adopted import MAY_RUN
from ralph.guardrails.config.scripts import is_ci_file
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.system.patterns import later

BUILDS = later(
    r"\.gradle(?:\.kts)?$|(?:^|/)pom\.xml$|\.(?:cs|fs|vb)proj$|\.(?:props|targets|mk)$|(?:^|/)CMakeLists\.txt$"
)
COMMENT = later(r"(?m)^\s*(?://|#(?!!)|<!--).*$")


def taken_along(tool: Tool, was: Unit, before: Side, after: Side, changed: frozenset[str]) -> Unit | None:
    """The configuration that took a gone one's place under another path."""
    own = {place.name for place in tool.places}
    gone = [path for path in was.files if path not in after.paths]
    if tool.units_are_files or any(posixpath.basename(path) in own for path in set(was.files).difference(gone)):
        return None
    kinds = {posixpath.splitext(path)[1] for path in gone}
    new = sorted(path for path in changed & after.paths - before.paths if posixpath.splitext(path)[1] in kinds)
    for path in new:
        settings = tool.named(after, path) if any(_naming(path, after, changed)) else None
        if settings is not None:
            return Unit(settings, (path,))
    return None


def _naming(path: str, after: Side, changed: frozenset[str]) -> Iterator[str]:
    """Changed files that run the tool and say where its configuration is: from the root, or from their own folder."""
    for other in sorted(changed & after.paths):
        if other == path or not (MAY_RUN.search(other) or is_ci_file(other) or BUILDS.search(other)):
            continue
        seen = {path, posixpath.relpath(path, posixpath.dirname(other) or ".")}
        form = "|".join(re.escape(each) for each in sorted(seen))
        if re.search(rf"(?<![\w.-])(?:{form})(?![\w./-])", COMMENT.sub("", after.text(other) or "")):
            yield other
