"""Source code and tests that a `.gitignore` keeps out of the tree, where nothing judges them (class G18).

Rules: a new pattern for source code, tests or the configuration of checks blocks; local settings by their name, a
folder that may hold anything, what a compiler writes beside its sources, a file that a rule of the Makefile writes
and a `.gitignore` that is new as a whole are for a person; build output, caches, environments and secrets are what the
file is for. A pattern that excludes less (`!...`) hides nothing, and one that moves from one file to another is old.

A `.ignore` keeps nothing out of the tree, but out of what ruff, ripgrep and other tools that walk it look at: there a
pattern blocks that holds for source code of both sides, samples aside.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.hiding.gitpatterns import CHECKED, About, about, holds_source, matches
from ralph.guardrails.hiding.places import hit
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.system.patterns import later

IMAGE = later(r"(?i)(?:docker|container)file")
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
COMPILED = later(r"^\*\.(?:[cm]?js|d\.[cm]?ts|jsx)$")
WRITTEN = later(
    r"^\*\.(?:cgo1\.go|cgo2\.c|sage\.py|py,cover)$|^_[\w*]*\.go$"
    r"|^(?:moc|qrc)_\*\.\w+$|^ui_\*\.h$|^\*_[ip]\.c$|^\*_h\.h$|^\w+-reports?$"
)
"""Names that say which tool writes them: cgo, Sage, coverage, Qt, MIDL, a reporter of tests. The go command passes over
files whose names begin with a line."""
USUAL = later(
    r"(?i)^(?:\*\*/)?/?(?:dist|build|out|target|bin|obj|tmp|temp|logs?|coverage|node_modules|vendor|venv|\.?env"
    r"|\.venv|lib64|lib|parts|var|sdist|wheels"
    r"|develop-eggs|eggs|\.eggs|downloads|share|docs/_build|site|htmlcov|cache|\.[\w.-]+|__pycache__|__pypackages__"
    r"|instance|packages|env\.bak|venv\.bak|ENV"
    r"|reports?|artifacts?|data|output|results|public|storage|uploads|media|static|generated|gen|debug|release|x64"
    r"|x86|arm\d*)(?:/\*{0,2})?/?$"
)
LOCAL = later(
    r"(?i)local|secret|private|credential|personal|scratch|playground|sandbox|dev|debug|override|\benv\b|draft"
    r"|backup|\bold\b|~$|\btmp|temp|_version|__version__|generated|example"
)


def hidden_by_ignoring(change: Change) -> Iterable[Hit]:
    changed = [file for file in change.files if file.path.rpartition("/")[2] == ".gitignore"]
    old = {pattern for file in changed for _, pattern in patterns(change.blobs.before(file.path))}
    for file in changed:
        folder = file.path.rpartition("/")[0]
        for number, pattern in patterns(change.blobs.after(file.path)):
            if pattern not in old and (rule := _judge(pattern, folder, file, change)):
                yield hit(rule, file, number, 1, pattern.encode("utf-8", "replace"), pattern)


def passed_over(change: Change) -> Iterable[Hit]:
    """Patterns of a `.ignore`."""
    for file in (file for file in change.files if file.path.rpartition("/")[2] == ".ignore"):
        folder = file.path.rpartition("/")[0]
        old = {pattern for _, pattern in patterns(change.blobs.before(file.path))}
        there = [path for path in change.blobs.paths_before() & change.blobs.paths_after() if not is_sample(path)]
        for number, pattern in patterns(change.blobs.after(file.path)):
            if pattern not in old and not pattern.startswith("!") and holds_source(pattern, folder, there):
                yield hit("check.narrowed", file, number, 1, pattern.encode("utf-8", "replace"), pattern)


def _judge(pattern: str, folder: str, file: FileChange, change: Change) -> str | None:
    if pattern.startswith("!") or USUAL.match(pattern):
        return None
    meant = about(pattern)
    if folder and pattern in ("*", "/*", "**"):
        if _is_output_folder(folder):
            return None
        return "hidden.ignored" if _hides_tracked(folder, file, change) else "hidden.ignored-shown"
    tracked = holds_source(pattern, folder, change.blobs.paths_after())
    if meant is About.SOURCE or tracked:
        name = pattern.rstrip("/").rpartition("/")[2]
        literal = not re.search(r"[*?\[]", name)
        plain = literal and not tracked and "test" not in name.lower()
        own = plain and "." in name and not CHECKED.search(name)
        if not tracked and (WRITTEN.search(name) or (COMPILED.search(name) and _has_typescript(folder, change))):
            return "hidden.ignored-shown"
        if LOCAL.search(pattern) or (own and (file.status == "A" or "/" not in pattern.strip("/"))):
            return "hidden.ignored-shown"
        may_be_made = plain and (IMAGE.fullmatch(name) is not None or not CHECKED.search(name))
        return "hidden.ignored-shown" if may_be_made and _is_made(pattern, folder, change) else "hidden.ignored"
    return None


def _is_made(pattern: str, folder: str, change: Change) -> bool:
    """A rule of the Makefile beside it writes this very file: what is in it stands there, for all to judge."""
    path = posixpath.normpath(f"{folder}/{pattern}".lstrip("/"))
    above, _, name = path.rpartition("/")
    for makefile in (posixpath.join(above, each) for each in MAKEFILES):
        text = (change.blobs.after(makefile) or b"").decode("utf-8", "replace")
        if re.search(
            rf"(?m)^{re.escape(name)}[ \t]*:(?!=)[^\n]*\n\t[^\n]*(?<![\w./-]){re.escape(name)}(?![\w./-])", text
        ):
            return True
    return False


def _hides_tracked(folder: str, file: FileChange, change: Change) -> bool:
    """Source code that is tracked on both sides, and that no later line of the file lets back in.

    Git goes on to track it; linters that ask the `.gitignore` do not look at it any more.
    """
    said = [pattern for _, pattern in patterns(change.blobs.after(file.path))]
    there = change.blobs.paths_before() & change.blobs.paths_after()
    return any(
        holds_source("*", folder, (path,)) and _is_ignored(said, folder, path)
        for path in sorted(there)
        if path.startswith(f"{folder}/")
    )


def _is_ignored(said: Sequence[str], folder: str, path: str) -> bool:
    last = next((each for each in reversed(said) if matches(each.removeprefix("!"), folder, path)), "!")
    return not last.startswith("!")


def _has_typescript(folder: str, change: Change) -> bool:
    """Compilers write JavaScript and declarations beside the sources."""
    return any(
        path.startswith(folder) and path.endswith((".ts", ".tsx", ".mts", ".cts"))
        for path in change.blobs.paths_after()
    )


def _is_output_folder(folder: str) -> bool:
    return USUAL.match(folder.rpartition("/")[2]) is not None


def patterns(data: bytes | None) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate((data or b"").removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        text = raw.decode("utf-8", "replace").rstrip("\r").rstrip()
        if text and not text.startswith("#"):
            yield number, text.removeprefix("\\") if text.startswith(("\\#", "\\!")) else text
