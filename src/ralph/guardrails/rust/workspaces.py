"""Crates of a workspace that plain runs of cargo no longer take (policy set v2, class G09).

`default-members = ["crates/core"]`, and `cargo test` in the folder of the workspace leaves out all other members.

Rules, for a manifest of a workspace that a change edits:

- What cargo takes there by itself is `default-members`; without them its own package; without one all members.
- A crate that it took, that both sides have, and whose sources hold tests, is lost. It blocks where a file of commands
  runs cargo's tests, or clippy, without saying of which packages, and none names that crate or all of the workspace.
- Where all of them say `--workspace`, nothing is lost; where nobody can be seen to run cargo, it is for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase
from itertools import islice

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

LOST, PERHAPS = "cfg.test.collection", "cfg.test.partly"
WORTH = later(rb"members|\[package\]|exclude")
TEST = later(rb"#\[(?:\w+::)*(?:test|rstest|test_case)\b")
COMMANDS = later(
    r"^\.github/workflows/[^/]+\.ya?ml$|^\.gitlab-ci\.ya?ml$|^\.circleci/|(?:^|/)(?:[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml)$"
    r"|^azure-pipelines\.ya?ml$|^\.travis\.ya?ml$|\.sh$|(?:^|/)(?:lefthook|\.pre-commit-config)\.ya?ml$"
)
RUNS = later(r"\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run|clippy|hack\s+test|llvm-cov)\b[^\n]*")
ALL = later(r"--workspace\b|--all(?![\w-])")
SOME = later(r"(?:-p|--package)[ =]?|--manifest-path\b")
MOST_FILES = 200
Read = Callable[[str], bytes | None]


def workspaces(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and posixpath.basename(file.path) == "Cargo.toml" and WORTH.search(file.changed_text):
            yield from _lost(file, change)


def _lost(file: FileChange, change: Change) -> Iterator[Hit]:
    blobs, folder = change.blobs, posixpath.dirname(file.path)
    before = _taken(folder, blobs.before, blobs.paths_before())
    after = _taken(folder, blobs.after, blobs.paths_after())
    if before is None or after is None:
        return
    there = blobs.paths_after()
    for crate in sorted(before - after):
        manifest = posixpath.join(crate, "Cargo.toml")
        if manifest not in there or not _has_tests(crate, blobs.after, there):
            continue
        runs = _left_out(crate, _package(blobs.after(manifest)), blobs.after, there)
        if runs is not False:
            rule = LOST if runs else PERHAPS
            line = next((number for number, text in file.added() if b"members" in text), 1)
            detail = f"`cargo test` in {folder or 'the root'} no longer takes {crate or 'its own package'}"
            yield hit_at(rule, file.path, line, detail, key=crate)


def _taken(folder: str, read: Read, paths: AbstractSet[str]) -> frozenset[str] | None:
    """The folders of the crates that plain cargo takes there; None for what is no workspace."""
    whole = _toml(read(posixpath.join(folder, "Cargo.toml")))
    told = whole.get("workspace")
    if not isinstance(told, dict):
        return None
    if "default-members" in told:
        return frozenset(_folders(folder, told["default-members"], paths))
    if "package" in whole:
        return frozenset({folder})
    left = set(_folders(folder, told.get("exclude"), paths))
    return frozenset(_folders(folder, told.get("members"), paths)) - left


def _folders(folder: str, listed: object, paths: AbstractSet[str]) -> Iterator[str]:
    forms = [posixpath.normpath(posixpath.join(folder, each)) for each in _texts(listed)]
    forms = ["" if each == "." else each for each in forms]
    for path in paths if forms else ():
        crate, name = posixpath.split(path)
        if name == "Cargo.toml" and any(_is_like(crate, each) for each in forms):
            yield crate


def _is_like(crate: str, form: str) -> bool:
    return crate == form or (crate.count("/") == form.count("/") and fnmatchcase(crate, form))


def _texts(listed: object) -> list[str]:
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def _toml(data: bytes | None) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads((data or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return {}


def _package(data: bytes | None) -> str:
    told = _toml(data).get("package")
    name = told.get("name") if isinstance(told, dict) else None
    return name if isinstance(name, str) else ""


def _has_tests(crate: str, read: Read, paths: AbstractSet[str]) -> bool:
    own = (
        path
        for path in sorted(paths)
        if path.endswith(".rs") and path.startswith(f"{crate}/" if crate else ("src/", "tests/"))
    )
    return any(TEST.search(read(path) or b"") for path in islice(own, MOST_FILES))


def _left_out(crate: str, package: str, read: Read, paths: Iterable[str]) -> bool | None:
    """Whether a run takes what is there by itself, and none the crate; None where nothing is seen to run cargo."""
    plain = False
    seen = False
    for path in islice(filter(COMMANDS.search, sorted(paths)), MOST_FILES):
        text = (read(path) or b"").decode("utf-8", "replace")
        for run in RUNS.findall(text):
            seen = True
            if ALL.search(run) or (package and re.search(rf"(?:-p|--package)[ =]?{re.escape(package)}\b", run)):
                return False
            if crate and re.search(rf"--manifest-path[ =]\S*{re.escape(crate)}/", run):
                return False
            plain = plain or SOME.search(run) is None
        if crate and re.search(rf"(?:\bcd\s+|working-directory:\s*)(?:\./)?{re.escape(crate)}\b", text):
            return False
    return plain if seen else None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (workspaces,)
