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
    r"(?i)(?:^|/)(?:makefile|gnumakefile|justfile|rakefile|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|dockerfile|jenkinsfile|package\.json|\.env[.\w]*)$"
    r"|\.(?:ya?ml|mk|just|ini|toml|sh|bash|cfg|properties|gradle|kts|py|rb|[cm]?[jt]s)$"
)
BEGINS = r"\s*(?:-\s+)?(?:export\s+|ARG\s+|ENV\s+|def\s+|ext\.)?"
GIVEN = later(rf"{BEGINS}(?P<name>[A-Za-z_][\w.-]*)\s*(?:[:?]{{0,2}}=|:)\s*(?P<value>\S.*?)\s*$")
VALUE = r"(?P<value>'[^'\n]*'|\"[^\"\n]*\"|\b(?:true|false|True|False)\b)"
CODE = later(r"\.(?:py|rb|[cm]?[jt]s)$")
"""Where a text keeps its quotes when it stands in the place of a name."""
WITHIN = later(
    rf"(?P<before>.*(?:\bname:\s*['\"](?=\w+['\"],\s*defaultValue)|\bwith_defaults\((?=\w+:)|\bdef\s+\w+\(\w+,\s*(?=\w+\s*=)"
    rf"|^\s*[\"](?=[\w-]+[\"]:)))(?P<name>[\w-]+)(?P<between>['\"]?(?:,\s*defaultValue)?\s*[:=]\s*){VALUE}(?P<after>.*)"
)
"""A name that is given a literal inside of a line: a parameter of Jenkins, of a task of rake or invoke, a member."""
WITH = later(r"(?P<before>.*\bwithEnv\(\[['\"])(?P<name>\w+)(?P<between>=)(?P<value>[^'\"$\n]*)(?P<after>['\"].*)")
SCALAR = later(r"[^\[\]{}`$|;&<>()]+")
"""What is worked out, a list or a table says something else where it is named."""
PARENT = later(r"\s*(?P<name>[A-Za-z_][\w-]*):\s*$")
SHARED = later(r"(?:^|/)\.env[.\w]*$|\.(?:properties|mk)$|(?:^|/)(?:versions|vars|variables)\.\w+$")
"""Files of variables that others read."""
READS = later(
    r"(?i)(?:^|/)(?:makefile|justfile|tox\.ini|noxfile\.py|package\.json|rakefile|taskfile\.ya?ml|(?:docker-)?compose[\w.-]*\.ya?ml)$"
    r"|\.(?:gradle|gradle\.kts|mk|sh|bash)$|(?:^|/)\.github/workflows/[^/]+\.ya?ml$"
)
OF_PARENT = frozenset({"default", "value"})
BESIDE = later(r"(?P<head>\s*(?:-\s+)?)name:\s*['\"]?(?P<name>[A-Za-z_][\w.-]*)['\"]?\s*")
FARTHEST, MOST = 6, 200


def carried_by(file: FileChange, lines: Callable[[], Sequence[str]]) -> Iterator[Carrier]:
    """`lines` are the head's, which few edits ask for."""
    if FILES.search(file.path) is None:
        return
    for number, was, now in file.rewritten():
        one, other = _given(was), _given(now)
        if one is None or other is None or one["name"] != other["name"] or one["value"] == other["value"]:
            continue
        if not all(SCALAR.fullmatch(each["value"]) for each in (one, other)):
            continue
        name = _parent(lines(), number) if one["name"] in OF_PARENT else one["name"]
        if name:
            yield _carrier(file.path, number, name, one["value"], other["value"])


def _given(line: str) -> re.Match[str] | None:
    return WITHIN.fullmatch(line) or WITH.fullmatch(line) or GIVEN.fullmatch(line)


def readers(path: str, change: Change) -> list[str]:
    """The files that may read the variables of one that holds nothing else."""
    if SHARED.search(path) is None:
        return []
    there = change.blobs.paths_before() & change.blobs.paths_after()
    return sorted(each for each in there if each != path and READS.search(each))[:MOST]


def _carrier(path: str, line: int, name: str, old: str, new: str) -> Carrier:
    word = re.escape(name)
    given = (
        rf"^{BEGINS}{word}\s*(?:[:?]{{0,2}}=|:)|\bname:\s*['\"]{word}['\"],\s*defaultValue|\bwith_defaults\({word}:"
        rf"|\bdef\s+\w+\(\w+,\s*{word}\s*=|^\s*\"{word}\":|\bwithEnv\(\[['\"]{word}="
        rf"|^\s*(?:-\s+)?name:\s*['\"]?{word}['\"]?\s*$"
    )
    used = (
        rf"\$\({word}\)|\$\{{{word}(?::?[-=][^}}]*)?\}}|\$\{{\{{\s*(?:(?:env|vars|inputs|matrix|parameters)\.)?{word}\s*\}}\}}"
        rf"|\{{\{{\s*[.$]?(?:\w+\.)?{word}\s*\}}\}}|\{{env:{word}(?::[^}}]*)?\}}|%\({word}\)s|\{{\[\w+\]{word}\}}"
        rf"|\$\{{(?:params|env)\.{word}\}}|\bparams\.{word}\b|#\{{args(?:\[:{word}\]|\.{word})\}}|\$\{{?npm_package_config_{word}\b\}}?"
        rf"|#\{{{word}\}}|\{{{word}\}}|\${word}\b"
        rf"|(?<=[=(,])\s*(?:(?:project\.)?(?:properties\[|(?:find)?[pP]roperty\()[\"']?{word}\b[\"']?[\])]|{word}\b)(?=\s*(?:as\s|\.to|$|[),]))"
    )
    if CODE.search(path) is None:
        old, new = old.strip("\"'"), new.strip("\"'")
    return Carrier(name, path, line, old, new, re.compile(given), re.compile(used))


def _parent(lines: Sequence[str], number: int) -> str:
    """The input whose default it is; what a list of inputs says above it."""
    deep = depth(lines[number - 1])
    for line in reversed(lines[max(0, number - 1 - FARTHEST) : number - 1]):
        beside = BESIDE.fullmatch(line)
        if beside is not None and len(beside["head"]) == deep:
            return beside["name"]
        if depth(line) < deep:
            break
    for line in reversed(lines[max(0, number - 1 - FARTHEST) : number - 1]):
        if line.strip() and depth(line) < deep:
            named = PARENT.fullmatch(line)
            return named["name"] if named is not None else ""
    return ""
