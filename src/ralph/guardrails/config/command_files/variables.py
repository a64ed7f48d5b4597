"""Variables of files that say what is run: those to which a change gives another value, and what stands for them.

`MIN: 90` of a workflow's `env:`, `MIN = 90` of tox's `setenv`, `min := "90"` of a justfile, an input's `default:`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.common.wanted.carriers import Carrier
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

FILES = later(
    r"(?i)(?:^|/)(?:makefile|gnumakefile|justfile|rakefile|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|dockerfile|\.env[.\w]*)$"
    r"|\.(?:ya?ml|mk|just|ini|toml|sh|bash|cfg|properties|gradle|kts|py|rb|[cm]?[jt]s)$"
)
BEGINS = r"\s*(?:export\s+|ARG\s+|ENV\s+|def\s+|ext\.)?"
GIVEN = later(rf"{BEGINS}(?P<name>[A-Za-z_][\w.-]*)\s*(?:[:?]{{0,2}}=|:)\s*(?P<value>\S.*?)\s*$")
SCALAR = later(r"[^\[\]{}`$|;&<>()]+")
"""What is worked out, a list or a table says something else where it is named."""
PARENT = later(r"\s*(?P<name>[A-Za-z_][\w-]*):\s*$")
SHARED = later(r"(?:^|/)\.env[.\w]*$|\.(?:properties|mk)$|(?:^|/)(?:versions|vars|variables)\.\w+$")
"""Files of variables that others read."""
READS = later(
    r"(?i)(?:^|/)(?:makefile|justfile|tox\.ini|noxfile\.py|package\.json|rakefile|taskfile\.ya?ml|(?:docker-)?compose[\w.-]*\.ya?ml)$"
    r"|\.(?:gradle|gradle\.kts|mk|sh|bash)$|(?:^|/)\.github/workflows/[^/]+\.ya?ml$"
)
FARTHEST, MOST = 6, 200


def carried_by(file: FileChange, lines: Callable[[], Sequence[str]]) -> Iterator[Carrier]:
    """`lines` are the head's, which few edits ask for."""
    if FILES.search(file.path) is None:
        return
    for number, was, now in file.rewritten():
        one, other = GIVEN.fullmatch(was), GIVEN.fullmatch(now)
        if one is None or other is None or one["name"] != other["name"] or one["value"] == other["value"]:
            continue
        if not all(SCALAR.fullmatch(each["value"]) for each in (one, other)):
            continue
        name = _parent(lines(), number) if one["name"] == "default" else one["name"]
        if name:
            yield _carrier(file.path, number, name, one["value"], other["value"])


def readers(path: str, change: Change) -> list[str]:
    """The files that may read the variables of one that holds nothing else."""
    if SHARED.search(path) is None:
        return []
    there = change.blobs.paths_before() & change.blobs.paths_after()
    return sorted(each for each in there if each != path and READS.search(each))[:MOST]


def _carrier(path: str, line: int, name: str, old: str, new: str) -> Carrier:
    word = re.escape(name)
    given = rf"^{BEGINS}{word}\s*(?:[:?]{{0,2}}=|:)"
    used = (
        rf"\$\({word}\)|\$\{{{word}(?::?[-=][^}}]*)?\}}|\$\{{\{{\s*(?:(?:env|vars|inputs|matrix)\.)?{word}\s*\}}\}}"
        rf"|\{{\{{\s*[.$]?(?:\w+\.)?{word}\s*\}}\}}|\{{env:{word}(?::[^}}]*)?\}}|%\({word}\)s|\{{\[\w+\]{word}\}}"
        rf"|#\{{{word}\}}|\{{{word}\}}|\${word}\b"
        rf"|(?<=[=(,])\s*(?:project\.)?(?:properties\[|(?:find)?[pP]roperty\()?[\"']?{word}\b[\"']?[\])]?(?=\s*(?:as\s|\.to|$|[),]))"
    )
    return Carrier(name, path, line, old.strip("\"'"), new.strip("\"'"), re.compile(given), re.compile(used))


def _parent(lines: Sequence[str], number: int) -> str:
    """The input whose default it is."""
    deep = depth(lines[number - 1])
    for line in reversed(lines[max(0, number - 1 - FARTHEST) : number - 1]):
        if line.strip() and depth(line) < deep:
            named = PARENT.fullmatch(line)
            return named["name"] if named is not None else ""
    return ""
