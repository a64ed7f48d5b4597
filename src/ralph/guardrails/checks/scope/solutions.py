"""Calls of TypeScript's compiler that compile nothing (policy set v2, class G09).

Rule: a project that lists no files of its own and refers to others (`"files": []` and `references`) compiles them under
`--build` alone. A call without it checks nothing: it blocks where a call of the same file compiled something at the
base. Where another call of the file still builds a project, or where there was none, it is for a person. It is found
where the change made it so: at the call, or at the project that a call of the base names.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.command_files.scripts import Run, command_files, read_commands
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.tsconfig import compiled, projects
from ralph.guardrails.model import FileChange, Hit, hit_at
from ralph.system.patterns import later

COMPILERS = frozenset(("tsc", "vue-tsc", "tsgo"))
CALLED = later(rb"tsc|tsgo")
BUILDS = frozenset(("--build", "-b", "--b"))
SOURCES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx")
ASKS = frozenset(("--init", "--showConfig", "--version", "-v", "--help", "-h", "--listFilesOnly"))


def empty_calls(files: Sequence[FileChange], before: Side, after: Side) -> Iterator[Hit]:
    solution = any("sconfig" in file.path and b'"references"' in file.changed_text for file in files)
    changed = [file.path for file in files if file.status != "D" and CALLED.search(file.changed_text)]
    own = {file.path: file for file in files}
    for path in command_files(after) if solution else changed:
        if not CALLED.search(after.bytes(path) or b""):
            continue
        known = [run for run in _calls(path, before) if _compiles_nothing(run, path, before)]
        for run in _calls(path, after):
            if _compiles_nothing(run, path, after) and not any(each.words == run.words for each in known):
                rule = "check.narrowed" if _worked(path, before) and not _builds(path, after) else "check.born-weak"
                detail = f"{' '.join(run.words)}: the project lists no files, and only --build follows its references"
                project = own.get(_named(run, path, after))
                if path not in own and project is not None:
                    line = next((at for at, each in project.added() if b'"files"' in each), 1)
                    yield hit_at(rule, project.path, line, detail)
                else:
                    yield hit_at(rule, path, run.node.line, detail)


def _calls(path: str, side: Side) -> list[Run]:
    if path not in side.paths:
        return []
    return [run for run in read_commands(side, path).runs if run.words and run.words[0] in COMPILERS]


def _worked(path: str, side: Side) -> bool:
    return any(not _compiles_nothing(run, path, side) for run in _calls(path, side))


def _builds(path: str, side: Side) -> bool:
    return any(BUILDS.intersection(run.words) for run in _calls(path, side))


def _compiles_nothing(run: Run, path: str, side: Side) -> bool:
    words = run.words[1:]
    if BUILDS.intersection(words) or ASKS.intersection(words) or any(word.endswith(SOURCES) for word in words):
        return False
    project = _named(run, path, side)
    if not project:
        return False
    settings = projects(side)[0][project].settings
    return ("references",) in settings and compiled(settings) == []


def _named(run: Run, path: str, side: Side) -> str:
    """The project that a call is about; nothing if there is none."""
    words = run.words[1:]
    folder = posixpath.dirname(path) if path.endswith("package.json") else ""
    named = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-p", "--project")), ".")
    base = posixpath.normpath(posixpath.join(folder, named))
    found, _ = projects(side)
    return next((name for name in (base, posixpath.normpath(f"{base}/tsconfig.json")) if name in found), "")
