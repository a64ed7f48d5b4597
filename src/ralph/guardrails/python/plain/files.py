"""Which Python files are run as programs that test something.

Rules:

- One that by its name or place is a test. What stands in a folder of data, examples or tools beside tests is none, nor
  is what by its name sets up, measures or makes something.
- Another one where a build file, a pipeline or a script of the project runs it by its path (`python check_add.py`), and
  it is called like a check, or what runs it is (the target `test:`, a step that is named so). One that starts other
  programs runs checks, and is none itself.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from ralph.guardrails.inventory.readers import DOCUMENTS, TEST_PLACE, Paths
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.layout import TEST_FILE
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

NO_TESTS = later(
    r"(?i)(?:^|/)(?:fixtures?|test_?data|data|[\w-]*examples?|samples?|snippets?|assets?|resources?|bench\w*|helpers?"
    r"|support|utils?|tools?|mocks?|plugins?|stubs?|docs?|static|templates?|vendor\w*|expected|golden\w*|snapshots?"
    r"|inputs?|outputs?|site-packages|\w*projects?|apps?)/"
    r"|(?:^|/)(?:__\w+__|conftest|setup|settings?|config|manage|(?:gen|make|build|update)_\w*"
    r"|\w*(?:bench|example|fixture|sample|helper|util|demo|profile|server|client)\w*)\.py$"
)
"""Beside tests, and no test: its own failure is not what anybody looks for."""
CALLED_A_CHECK = later(r"(?i)(?:^|[_/.-])(?:test|check|verif|smoke|spec|sanity|selfcheck|regress|e2e|assert)")
RUNNERS = later(
    r"(?i)(?:^|/)(?:(?:gnu)?makefile|\.?justfile|taskfile\.ya?ml|tox\.ini|noxfile\.py|package\.json|\.travis\.yml"
    r"|\.gitlab-ci\.yml|azure-pipelines\.yml|appveyor\.yml|[\w.-]*(?:test|check|ci)[\w.-]*\.sh)$"
    r"|^\.(?:github/workflows|circleci)/[^/]+\.ya?ml$"
)
MOST_RUNNERS = 30
LINES_ABOVE = 8
"""So far above a command may stand what says what it is for."""
TOLD_A_CHECK = later(r"(?i)(?:test|check|verif|smoke)")
STATED = later(rb"^[ \t]*assert\b|\bexit\(|\b(?:SystemExit|AssertionError)\b")
STARTS = later(rb"\bsubprocess\b|\bos\.(?:system|exec\w+|spawn\w+)\b|\bcheck_call\b")
RUN = later(r"\bpython[\d.]*(?:\s+-[a-zA-Z]\w*)*\s+(?:\./)?([\w./-]+\.py)\b")
Read = Callable[[str], bytes | None]


def is_program(path: str, paths: Paths) -> bool:
    """Its own run is a test."""
    if NO_TESTS.search(path) or not path.endswith(".py"):
        return False
    if TEST_FILE.search(path) or TEST_PLACE.search(path):
        return True
    return _is_run(path, paths.read, paths.all())


def may_be_program(file: FileChange, change: Change) -> bool:
    """The same, for a file that by its name and place is no test; asked where its changed lines state something."""
    if not is_in(STATED, file.changed_text) or NO_TESTS.search(file.path) or DOCUMENTS.search(file.path):
        return False
    blobs = change.blobs
    sides = ((blobs.before, blobs.paths_before), (blobs.after, blobs.paths_after))
    return any(_is_run(file.path, read, paths()) for read, paths in sides)


def _is_run(path: str, read: Read, known: frozenset[str]) -> bool:
    """As a check, and not to run others."""
    name = posixpath.basename(path).encode("utf-8", "surrogateescape")
    naming = [(runner, data) for runner in _runners(known) if name in (data := read(runner) or b"")]
    if not naming or is_in(STARTS, read(path) or b""):
        return False
    return any(path in _named(runner, data) for runner, data in naming)


@remembered(4)
def _runners(known: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in known if RUNNERS.search(path))[:MOST_RUNNERS])


def _named(runner: str, data: bytes) -> Iterator[str]:
    """What a build file, pipeline or script runs as a check: from its own folder, or from the root."""
    lines = data.decode("utf-8", "replace").split("\n")
    folder = posixpath.dirname(runner)
    for number, line in enumerate(lines):
        for match in RUN.finditer(line):
            told = "\n".join((posixpath.basename(runner), *_heads(lines, number)))
            if CALLED_A_CHECK.search(match[1]) or TOLD_A_CHECK.search(told):
                yield match[1]
                yield posixpath.normpath(posixpath.join(folder, match[1]))


def _heads(lines: list[str], number: int) -> Iterator[str]:
    """The lines above that begin what the command stands in: those that are indented less, up to the next of them."""
    depth = _depth(lines[number])
    yield lines[number].partition("python")[0]
    for line in reversed(lines[max(0, number - LINES_ABOVE) : number]):
        if line.strip() and (_depth(line) < depth or line.lstrip(" -").startswith("name:")):
            yield line
            depth = min(depth, _depth(line))
        if not depth:
            return


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
