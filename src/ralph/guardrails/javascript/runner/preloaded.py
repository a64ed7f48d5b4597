"""Files that a command has a test runner, or Node, load (policy set v2, class G08).

Rule: a line that the change adds to a script, a pipeline, a Makefile or a file of options, and that loads a file which
takes the run over (`takeover`), blocks as that file does: `mocha --require ./hooks.js`, `node --import ./x.mjs --test`,
`jest --globalTeardown ./teardown.js`. What the file's base named, too, is nothing new.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.side import resolve
from ralph.guardrails.javascript.runner.mapped import SUFFIXES
from ralph.guardrails.javascript.runner.takeover import brought, taken_over
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

_CALLS = later(
    r"(?:^|/)(?:package\.json|(?:GNU)?[Mm]akefile|[Jj]ustfile|Jenkinsfile|Dockerfile|Taskfile|Procfile|\.npmrc|\.yarnrc"
    r"|\.env[\w.]*|\.envrc|mocha\.opts|\.taprc|[^/]+\.(?:mk|ya?ml|sh|bash|toml))$|(?:^|/)\.husky/"
)
_LOADS = later(
    rb"(?:^|[\s\"'=\\])(?:-r|--(?:require|import|loader|experimental-loader|file|reporters?|test-reporter|helper|preload"
    rb"|setup-?files?(?:-?after-?env)?|(?:test-)?global-?setup|global-?teardown|test-?environment|env(?:ironment)?|runner"
    rb"|test-?results-?processor|test-?runner))[\s=\"'\\]+((?:\$\w+/|\.{1,2}/|/)?[\w./@-]+\.[cm]?[jt]sx?)\b",
    re.IGNORECASE,
)


def preloaded(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "D" and _CALLS.search(file.path):
            yield from _called(file, change)


def _called(file: FileChange, change: Change) -> Iterator[Hit]:
    known: bytes | None = None
    for number, line in file.added():
        for match in _LOADS.finditer(line) if b"-" in line else ():
            known = (change.blobs.before(file.path) or b"") if known is None else known
            to = _target(match[1].decode("utf-8", "replace"), file.path, change)
            if to is None or match[1] in known:
                continue
            if hits := taken_over(to, change):
                yield _hit(hits[0].rule, file.path, number, line, to)
                yield from brought(hits, change)


def _target(name: str, path: str, change: Change) -> str | None:
    """From beside the file or from the top of the project."""
    local = re.sub(r"^(?:\$\w+/|\./|/)", "", name)
    paths = change.blobs.paths_after()
    found = (resolve(paths, posixpath.join(folder, "x"), local, SUFFIXES) for folder in (posixpath.dirname(path), ""))
    return next((each for each in found if each is not None), None)


def _hit(rule: str, path: str, number: int, line: bytes, to: str) -> Hit:
    text = line.decode("utf-8", "replace").strip()
    return hit_at(rule, path, number, f"loads {to}", text)
