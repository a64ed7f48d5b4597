"""Programs that a script ran through the package manager, and that it runs by themselves now (policy set v2, G09).

Rule: `yarn size-limit --why` and `size-limit --why` are the same in a script of a package, which has the programs of
its packages on its path. The script must say the same but for that, and no package may have a script of the program's
name: what that one does, nothing does any more.
"""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import OWN_COMMANDS, SCRIPTS
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side

MANIFEST = "package.json"
CALLS = r"(?<![\w./-])(?:yarn|pnpm|npx|bunx)[ \t]+(?:(?:run|exec)[ \t]+)?(?={0}(?:\s|$))"


def runs_it_bare(was: Gate, before: Reach, after: Reach) -> Gate | None:
    """The check itself, if the script of the head still runs it."""
    words = [word for word in was.words[1:] if word not in ("run", "exec")]
    if was.words[0] not in SCRIPTS or not words or posixpath.basename(was.path) != MANIFEST:
        return None
    program = words[0]
    if program in OWN_COMMANDS or program.startswith("-") or _has_script(program, was.path, before.side):
        return None
    old, new = (_script(side, was.path, was.slot) for side in (before.side, after.side))
    calls = re.compile(CALLS.format(re.escape(program)))
    return was if calls.search(old) and calls.sub("", old) == calls.sub("", new) else None


def _has_script(name: str, path: str, side: Side) -> bool:
    """In the package, or in the one above all."""
    return any(bool(_script(side, each, name)) for each in {path, MANIFEST} if each in side.paths)


def _script(side: Side, path: str, name: str) -> str:
    node = side.node(path) if path in side.paths else None
    said = node.at("scripts", name) if node is not None else None
    return canonical(said) if said is not None else ""
