"""Files that a TypeScript project leaves to another one, which had them all along (policy set v2, class G09).

Rule: a pattern is gone from a project's list. Each file that it holds is on the list of another project, which both
sides have, which asks for no less than this one did, and which a command of both sides compiles by its path. A person
looks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.lattice import LOST_PATHS
from ralph.guardrails.config.node import Node, Settings, canonical
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Unit
from ralph.guardrails.config.tools import tsconfig
from ralph.record import replace
from ralph.system.patterns import later

RULE = "cfg.tsconfig.files-left-out"
TYPED = (".ts", ".tsx", ".mts", ".cts")
COMPILES = later(r"\b(?:tsc|vue-tsc|tsgo)\b(?P<options>[^\n\"'|;&]*)")
IN_VAIN = later(r"\|\|\s*(?:true|:|exit 0)\b|--(?:help|init|showConfig|listFilesOnly|noCheck)\b")
MOST_FILES = 500


def left_to_projects(loss: Loss, before: Side, after: Side) -> Loss:
    if loss.rule != RULE or not loss.text.startswith(LOST_PATHS) or loss.node is None:
        return loss
    here = loss.node.path
    pattern = _from_root(loss.node.with_value(loss.text.removeprefix(LOST_PATHS).strip()))
    held = [path for path in after.paths if path.endswith(TYPED) and covers(pattern, path, regex=False)]
    if not held or len(held) > MOST_FILES or here not in before.paths:
        return loss
    old, new = (tsconfig.projects(side)[0] for side in (before, after))
    if here not in old:
        return loss
    others = [name for name in _others(here, old, new) if _runs(name, before) and _runs(name, after)]
    left = all(any(_holds(new[name].settings, path) for name in others) for path in held)
    return replace(loss, rule=MINOR_EXCLUSION) if left else loss


def _others(here: str, old: Mapping[str, Unit], new: Mapping[str, Unit]) -> Iterator[str]:
    """Projects that list what they compile, no more mildly than this one did."""
    for name in sorted((old.keys() & new.keys()) - {here}):
        settings = new[name].settings
        if tsconfig.compiled(settings) and not list(tsconfig.TSCONFIG.compare(old[here].settings, settings, ())):
            yield name


def _holds(settings: Settings, path: str) -> bool:
    left_out = settings[("exclude",)].items if ("exclude",) in settings else []
    if any(covers(_from_root(item), path, regex=False) for item in left_out):
        return False
    return any(covers(_from_root(item), path, regex=False) for item in tsconfig.compiled(settings) or [])


def _from_root(item: Node) -> str:
    """A pattern is seen from the file that says it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(item.path), canonical(item)))


def _runs(project: str, side: Side) -> bool:
    """A command gives the compiler this project, from the root or from the folder of the file that says so."""
    for path in command_files(side):
        text = side.text(path) or ""
        names = {project, posixpath.relpath(project, posixpath.dirname(path) or ".")} if COMPILES.search(text) else ()
        for name in names:
            given = re.escape(name.removesuffix("/tsconfig.json"))
            called = rf"\s(?:-p|--project|-b|--build)[ =](?:\./)?{given}(?![\w-])"
            lines = (line for line in text.split("\n") if not IN_VAIN.search(line))
            if any(re.search(called, match["options"]) for line in lines for match in COMPILES.finditer(line)):
                return True
    return False
