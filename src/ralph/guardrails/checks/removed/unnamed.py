"""A name that only ran others by their names, and is gone as a whole (policy set v2, class G09).

Rule: what it ran still stands in that file under its own name, as surely as before, and nothing in the tree speaks of
the name, or of all names that begin or end like it: who called it is told so, and who runs the others runs as much. A
name that a runner takes without being told is another matter, and so is a target of a Makefile.
"""

from __future__ import annotations

import posixpath
import re
from itertools import islice

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import MAKEFILES, Reach
from ralph.guardrails.checks.readers.files import may_hold_gates
from ralph.system.patterns import later

STEPS = frozenset(("cmds", "deps", "commands", "cmd"))
"""Keys under a task, no names of tasks."""
UNTOLD = frozenset(("default", "test", "prepare", "prepublishOnly", "install", "publish", "version", "all"))
AROUND = later(r"(?:pre|post)(\w[\w:.-]*)")
"""What npm, or a hook of git, runs before or after something else."""
OCCASIONS = frozenset(("commit", "install", "merge", "pack", "publish", "push", "release", "test", "version"))
MOST_FILES = 500


def only_named_others(was: Gate, before: Reach, after: Reach) -> bool:
    name = _name(was)
    if was.kind != "named" or was.place != "local" or not name or name in UNTOLD or _is_makefile(was.path):
        return False
    around = AROUND.fullmatch(name)
    if around is not None and (around[1] in OCCASIONS or f'"{around[1]}"' in (before.side.text(was.path) or "")):
        return False
    inside = [leaf for leaf in before.leaves(was) if leaf is not was]
    if not inside or not all(_stays(leaf, after) for leaf in inside):
        return False
    return not _says(after.side.text(was.path), name) and _is_unspoken(name, was, before)


def _stays(leaf: Gate, after: Reach) -> bool:
    """The head has it under the same name, with nothing more that loses its failure."""
    same = (gate for gate in after.of_file(leaf.path) if (gate.slot, gate.words) == (leaf.slot, leaf.words))
    return any(not gate.flaws.keys() - leaf.flaws.keys() for gate in same)


def _is_unspoken(name: str, was: Gate, before: Reach) -> bool:
    """In the base nothing but its own head speaks of it."""
    side = before.side
    told = (path for path in sorted(side.paths) if path != was.path and (may_hold_gates(path) or path.endswith(".md")))
    listed = list(islice(told, MOST_FILES + 1))
    once = len(_pattern(name).findall(side.text(was.path) or "")) == 1
    return once and len(listed) <= MOST_FILES and not any(_says(side.text(path), name) for path in listed)


def _says(text: str | None, name: str) -> bool:
    return _pattern(name).search(text or "") is not None


def _pattern(name: str) -> re.Pattern[str]:
    """The name, or one with a star for a part of it: `run-s check:*`."""
    first, last = (re.escape(part) for part in (name.partition(":")[0], name.rpartition(":")[2]))
    starred = rf"|(?<![\w:.*-]){first}:\*|\*:{last}(?![\w.-]|:\w)" if ":" in name else ""
    return re.compile(rf"(?<![\w:.-]){re.escape(name)}(?![\w.-]|:\w){starred}")


def _name(was: Gate) -> str:
    parts = [part for part in was.slot.split("/") if part]
    while len(parts) > 1 and parts[-1] in STEPS:
        parts.pop()
    return parts[-1] if parts else ""


def _is_makefile(path: str) -> bool:
    return posixpath.basename(path) in MAKEFILES
