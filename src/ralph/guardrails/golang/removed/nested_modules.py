"""Go: packages that became a module of their own, which the runs of the one around it pass over (class G09).

`./...` ends where another `go.mod` stands: its packages are of another module, with a workspace, too.

Rules, for a new `go.mod` in a folder of a module that holds tests on both sides:

- It blocks where a file of commands runs `go test ./...`, or a linter of Go's, and no file of commands says that
  folder, nor goes through all modules there are (`find . -name go.mod`, `go list -m`, `go test work`).
- Where nobody can be seen to run Go over all packages, nothing is known to be lost. What stands in `testdata` or behind
  an underscore was never of the module.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.rust.workspaces import COMMANDS
from ralph.system.patterns import later

OUTSIDE = later(r"(?:^|/)(?:testdata|vendor|[._][^/]*)(?:/|$)")
TEST = later(rb"(?m)^func (?:Test|Fuzz|Benchmark|Example)\w*\(")
RUNS = later(
    r"\b(?:go(?:[ \t]+-C[ \t]+(?P<there>\S+))?[ \t]+(?:test|vet)|gotestsum|staticcheck|golangci-lint[ \t]+run)\b"
    r"(?P<given>(?:[^\n\\]|\\\n)*)"
)
ALL = later(r"(?:^|[\s\"'])(?P<of>\./(?:[\w.-]+/)*)?\.\.\.(?=$|[\s\"'&;|)])")
EACH = later(
    r"\b(?:find|ls-files|glob\w*)\b[^\n]*\bgo\.mod\b|\bgo[ \t]+list[ \t]+(?:-\S+[ \t]+)*-m\b|\*/go\.mod\b"
    r"|\bgo[ \t]+(?:test|vet)\b[^\n]*\swork\b|\bgo[ \t]+work[ \t]+edit\b|\bgo\.work\b[^\n]*\bDiskPath\b"
)
MOST_FILES = 200


def nested_modules(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "A" and file.path.endswith("/go.mod") and not OUTSIDE.search(file.path):
            yield from _passed_over(file, change)


def _passed_over(file: FileChange, change: Change) -> Iterator[Hit]:
    blobs, folder = change.blobs, posixpath.dirname(file.path)
    old, new = blobs.paths_before(), blobs.paths_after()
    above = _above(folder, old)
    if above is None or _above(folder, new) != above or not _has_tests(folder, change):
        return
    texts = [
        (blobs.after(path) or b"").decode("utf-8", "replace")
        for path in islice(filter(COMMANDS.search, sorted(new)), MOST_FILES)
    ]
    if not any(_runs_all(text, above, folder) for text in texts) or any(_is_taken(text, folder) for text in texts):
        return
    detail = f"`./...` ends at this file: no run takes the tests of {folder}"
    yield hit_at("cfg.test.collection", file.path, 1, detail)


def _above(folder: str, paths: frozenset[str]) -> str | None:
    """The folder of the module around a folder."""
    while folder:
        folder = posixpath.dirname(folder)
        if posixpath.join(folder, "go.mod") in paths:
            return folder
    return None


def _has_tests(folder: str, change: Change) -> bool:
    both = change.blobs.paths_before() & change.blobs.paths_after()
    named = (path for path in sorted(both) if path.startswith(f"{folder}/") and path.endswith("_test.go"))
    own = (path for path in named if not OUTSIDE.search(path))
    return any(TEST.search(change.blobs.after(path) or b"") for path in islice(own, MOST_FILES))


def _runs_all(text: str, above: str, folder: str) -> bool:
    """Something runs over all packages below a folder around this one."""
    for run in RUNS.finditer(text):
        start = posixpath.normpath(posixpath.join(above, run["there"] or ""))
        for every in ALL.finditer(run["given"]):
            place = posixpath.normpath(posixpath.join(start, every["of"] or "."))
            if place == "." or folder.startswith(f"{place}/"):
                return True
        if "golangci-lint" in run[0] and not run["given"].strip():
            return True
    return False


def _is_taken(text: str, folder: str) -> bool:
    named = re.search(rf"(?<![\w.-])(?:\./)?{re.escape(folder)}(?=/?(?:$|[\s\"'&;|),\]:]|/\.\.\.))", text, re.MULTILINE)
    return named is not None or EACH.search(text) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (nested_modules,)
