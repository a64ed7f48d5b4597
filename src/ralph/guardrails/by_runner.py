"""A script through which a runner starts every test, seen as if the tests' command stood in it.

Cargo's `runner`, Go's `-exec`, `--run_under` of Bazel, `--wrapper` of Meson, launchers of CTest and wrappers of nextest
are told a program, and give it the program of the tests: `"$@"`. Where that script does not hand on how it ended, no
test can fail any more, though the check is called as before. So a shell script that a runner is told of, and that
changed or is told of anew, is looked at once more with the check in the place of `"$@"`: on the base's side as it was,
or as the check alone where the runner was told of nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.model import Blobs, Change, FileChange
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.rust.workspaces import COMMANDS
from ralph.guardrails.spelled import Spelled
from ralph.guardrails.texts import lines_of
from ralph.record import record, replace
from ralph.system.patterns import later

_SCRIPT = r"[\"'\[({ ]*(?:\$\{?\w+\}?/|//|\./|\.\./)*(?P<script>[A-Za-z_.][\w./:-]*)"
_SECOND = _SCRIPT.replace("script", "second")
TOLD = {
    "cargo test": later(rf"(?m)^[ \t]*runner[ \t]*=[ \t]*{_SCRIPT}|\bCARGO_TARGET_\w+_RUNNER[ \t]*[:=][ \t]*{_SECOND}"),
    "cargo nextest run": later(
        rf"\[scripts?\.wrapper[^\]\n]*\][^\[]*?\bcommand[ \t]*=[ \t]*(?:\{{[^}}\n]*=[ \t]*)?{_SCRIPT}"
    ),
    "go test ./...": later(rf"\bgo[ \t]+test\b[^\n]*[ \t]-exec[= ]{_SCRIPT}|\bGOFLAGS\b[^\n]*-exec={_SECOND}"),
    "bazel test //...": later(rf"--run_under[= ]{_SCRIPT}"),
    "meson test": later(rf"\bmeson[ \t]+test\b[^\n]*--wrap(?:per)?[= ]{_SCRIPT}"),
    "ctest": later(rf"\b(?:CMAKE_CROSSCOMPILING_EMULATOR|(?:CMAKE_)?TEST_LAUNCHER)\b[\"']?[ \t;:=]*{_SCRIPT}"),
}
"""How a runner is told of a program, by what runs the tests."""
TELLS = later(
    rb"\brunner[ \t]*=|_RUNNER[ \t]*[:=]|scripts?\.wrapper|-exec[= ]|--run_under|--wrap(?:per)?[= ]"
    rb"|CROSSCOMPILING_EMULATOR|TEST_LAUNCHER"
)
GIVEN = later(r"\"\$\{?@\}?\"|(?<![\"\w])\$\{?[@*]\}?")
BECOMES = later(r"\s*exec\s+[^|&;]*$")
SCRIPT = later(r"(?:^|/)[^/.]+$|\.(?:sh|bash|ksh|zsh)$")
RUNS = later(rb"\$\{?[@*]")
SHELL = later(rb"#![^\n]*\b(?:ba|da|k|z)?sh\b")
CONFIGURES = later(
    r"(?:^|/)(?:\.cargo/config(?:\.toml)?|\.?config/nextest\.toml|[\w.-]*bazelrc|CMakeLists\.txt|CMakePresets\.json)$"
    r"|\.cmake$"
)
LARGEST, MOST = 60_000, 200
Read = Callable[[str], bytes | None]


@record
class _There:
    """The same trees, with some files in both of them."""

    blobs: Blobs
    paths: frozenset[str]

    def before(self, path: str) -> bytes | None:
        return self.blobs.before(path)

    def after(self, path: str) -> bytes | None:
        return self.blobs.after(path)

    def paths_before(self) -> frozenset[str]:
        return self.blobs.paths_before() | self.paths

    def paths_after(self) -> frozenset[str]:
        return self.blobs.paths_after()


def by_runner(change: Change) -> Spelled | None:
    """None if no runner is told of a script that changed, or of another one."""
    telling = [file for file in change.files if _configures(file.path) and is_in(TELLS, file.changed_text)]
    scripts = [file for file in change.files if _may_wrap(file, change)]
    if not telling and not scripts:
        return None
    before, after = (
        dict(_told(read, paths, {file.path for file in telling}, {posixpath.basename(file.path) for file in scripts}))
        for read, paths in (
            (change.blobs.before, change.blobs.paths_before()),
            (change.blobs.after, change.blobs.paths_after()),
        )
    )
    texts: dict[str, tuple[bytes, bytes]] = {}
    lines: dict[str, frozenset[int]] = {}
    for path, check in after.items():
        data = change.blobs.after(path) or b""
        if not SHELL.match(data) and not path.endswith(".sh"):
            continue
        new, places = _spelled(data, check)
        had = change.blobs.before(path) if path in before else None
        old = f"#!/bin/sh\nset -e\n{check}\n".encode() if had is None else _spelled(had, check)[0]
        if places and old != new:
            texts[path], lines[path] = (old, new), places
    if not texts:
        return None
    # A script that is new is looked at as one that was there: it came to stand between a check and its tests.
    there = replace(change, files=(), blobs=_There(change.blobs, frozenset(texts)))
    return Spelled(with_texts(there, texts, alone=True), lines)


def _configures(path: str) -> bool:
    return CONFIGURES.search(path) is not None or COMMANDS.search(path) is not None


def _is_configuration(path: str) -> bool:
    return _configures(path) and not path.endswith(".sh")


def _may_wrap(file: FileChange, change: Change) -> bool:
    if file.binary or file.status not in "AM" or not SCRIPT.search(file.path) or _is_configuration(file.path):
        return False
    data = change.blobs.after(file.path) or b""
    if len(data) > LARGEST or not RUNS.search(data):
        return False
    return SHELL.match(data) is not None or file.path.endswith(".sh")


def _told(read: Read, paths: frozenset[str], telling: set[str], scripts: set[str]) -> Iterator[tuple[str, str]]:
    """The scripts that a runner is told of, and what runs the tests: by these files, or any that name these."""
    others = sorted(filter(_configures, paths))[:MOST] if scripts else ()
    for path in dict.fromkeys((*sorted(telling), *others)):
        data = read(path) or b""
        named = path in telling or any(name.encode() in data for name in scripts)
        if not named or len(data) > LARGEST or not is_in(TELLS, data):
            continue
        text = data.decode("utf-8", "replace")
        for check, form in TOLD.items():
            for match in form.finditer(text):
                said = match["script"] or match.groupdict().get("second") or ""
                script = _there(said, path, paths)
                if script is not None:
                    yield script, check


def _there(said: str, path: str, paths: frozenset[str]) -> str | None:
    """The file of the tree that is meant, from its root, from the folder around `.cargo`, or beside what names it."""
    name, folder = said.replace(":", "/").lstrip("/"), posixpath.dirname(path)
    for start in ("", posixpath.dirname(folder), folder):
        found = posixpath.normpath(posixpath.join(start, name))
        if found in paths:
            return found
    return None


def _spelled(data: bytes, check: str) -> tuple[bytes, frozenset[int]]:
    """The script with the check in the place of what it is given, and the lines in which it stands."""
    found, places = [], set()
    for number, line in enumerate(lines_of(data), start=1):
        if line.lstrip().startswith("#"):
            other = line
        elif BECOMES.match(line) and GIVEN.search(line):
            other = f"exec {check}"  # whatever is around it
        else:
            other = GIVEN.sub(lambda _: check, line)
        if other != line:
            places.add(number)
        found.append(other)
    return "\n".join(found).encode(), frozenset(places)
