"""Rust: tests that stay where they are and that nothing builds any more (policy set v2, classes G02 and G04).

Rules:

- A file of tests whose `mod` line is gone is no part of the crate: it blocks.
- Tests that moved to a new file which no `mod` declares (`declared`) are no part of it either: the file blocks, and so
  does the nearest one of the change that ought to declare it.
- A documentation test of the base that is now shown without being run (`no_run`, `text`) blocks; a new example may be
  whatever it likes.
- A target that loses its test harness runs its `main` and no function with `#[test]`: it blocks if its files have any,
  or had some and an empty `main` stands in their place. A harness of one's own is none of it.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.rust.declared import COMMENT, is_declared, leading
from ralph.system.patterns import later

MODULE = later(rb"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)
TESTS = later(rb"#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b")
FUNCTION = later(rb"\bfn\s+(\w+)")
HARNESS = later(rb"^\s*(?:harness\s*=\s*false|.*\{.*\bharness\s*=\s*false)")
EMPTY = later(rb"\bfn\s+main\s*\(\s*\)\s*\{\s*\}")
FENCE = later(r"^\s*//[/!] ?(?:`{3,}|~{3,})(.*)$")
RUN = frozenset({"", "rust", "should_panic", "edition2015", "edition2018", "edition2021", "edition2024"})


def unrun_tests(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if posixpath.basename(file.path) == "Cargo.toml" and file.status == "M":
            yield from _harness(file, change)
        elif file.path.endswith(".rs") and file.status not in ("M", "D"):
            yield from _undeclared(file, change)
        elif file.path.endswith(".rs") and file.status == "M" and file.hunks:
            yield from _modules(file, change)
            yield from _examples(file, change)


def _harness(file: FileChange, change: Change) -> Iterator[Hit]:
    place = next(((number, line) for number, line in file.added() if HARNESS.search(line)), None)
    if place is None:
        return
    known = set(_bare_targets(change.blobs.before(file.path)))
    folder = posixpath.dirname(file.path)
    for kind, name, path in _bare_targets(change.blobs.after(file.path)):
        homes = [posixpath.join(folder, home) for home in _files(kind, name, path)]
        if kind == "lib" and path is None:
            source = posixpath.join(folder, "src/")
            homes = sorted(
                each for each in change.blobs.paths_after() if each.startswith(source) and each[-3:] == ".rs"
            )
        if (kind, name, path) not in known and any(_loses(home, change) for home in homes):
            key, snippet = f"{kind} {name} without harness", place[1].decode("utf-8", "replace").strip()
            yield hit_at("test.not-run", file.path, place[0], key, snippet)


def _bare_targets(data: bytes | None) -> Iterator[tuple[str, str, str | None]]:
    """Kind, name and path of each target without a harness."""
    try:
        manifest = tomllib.loads((data or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return
    for kind in ("lib", "test", "bin"):
        listed = manifest.get(kind, [])
        for target in listed if isinstance(listed, list) else [listed]:
            if isinstance(target, dict) and target.get("harness") is False:
                path = target.get("path")
                yield kind, str(target.get("name", "")), path if isinstance(path, str) else None


def bare_homes(folder: str, manifest: bytes | None) -> frozenset[str]:
    """Where the targets of tests without a harness begin."""
    targets = _bare_targets(manifest)
    return frozenset(
        posixpath.join(folder, home)
        for kind, name, path in targets
        if kind == "test"
        for home in _files(kind, name, path)
    )


def _files(kind: str, name: str, path: str | None) -> tuple[str, ...]:
    """Where a target may begin."""
    if path is not None:
        return (path,)
    if kind == "lib":
        return ("src/lib.rs",)
    named = (f"tests/{name}.rs", f"tests/{name}/main.rs")
    return named if kind == "test" else (f"src/bin/{name}.rs", f"src/bin/{name}/main.rs", "src/main.rs")


def _loses(path: str, change: Change) -> bool:
    after, before = change.blobs.after(path) or b"", change.blobs.before(path) or b""
    return TESTS.search(after) is not None or (TESTS.search(before) is not None and EMPTY.search(after) is not None)


def _modules(file: FileChange, change: Change) -> Iterator[Hit]:
    if not any(b"mod" in line for hunk in file.hunks for line in hunk.removed) and not any(
        b"/*" in line for _, line in file.added()
    ):
        return
    before, after = (COMMENT.sub(b"", side(file.path) or b"") for side in (change.blobs.before, change.blobs.after))
    kept = set(MODULE.findall(after))
    for name in dict.fromkeys(MODULE.findall(before)):
        if name in kept:
            continue
        for path in _homes(file.path, name.decode()):
            if TESTS.search(change.blobs.after(path) or b""):
                detail = f"{path} is no module of the crate any more"
                yield hit_at("test.removed", file.path, 0, detail, "")


def _undeclared(file: FileChange, change: Change) -> Iterator[Hit]:
    text, known = change.blobs.after(file.path) or b"", change.blobs.paths_after()
    if not TESTS.search(text) or is_declared(file.path, known, change.blobs.after):
        return
    others = (each for each in change.files if each.path != file.path and each.path.endswith(".rs"))
    gone = b"\n".join(line for each in others for hunk in each.hunks for line in hunk.removed)
    if frozenset(FUNCTION.findall(text)).isdisjoint(FUNCTION.findall(gone)):
        return
    changed = {each.path for each in change.files}
    above = next((each for each in leading(file.path, known) if each in changed), None)
    detail = f"no `mod` makes {file.path} a part of the crate"
    for path in filter(None, (file.path, above)):
        yield hit_at("test.not-run", path, 0, detail, "")


def _homes(path: str, name: str) -> Iterator[str]:
    """Where `mod name;` of a file looks for the module."""
    folder, stem = posixpath.dirname(path), posixpath.basename(path).removesuffix(".rs")
    if stem not in ("lib", "main", "mod"):
        folder = posixpath.join(folder, stem)
    yield posixpath.join(folder, f"{name}.rs")
    yield posixpath.join(folder, name, "mod.rs")


def _examples(file: FileChange, change: Change) -> Iterator[Hit]:
    if not any(b"```" in line or b"~~~" in line for hunk in file.hunks for line in hunk.removed):
        return
    before = {text for _, info, text in fenced(change.blobs.before(file.path)) if is_run(info)}
    for line, info, text in fenced(change.blobs.after(file.path)):
        # `ignore` is a directive of its own.
        if text in before and not is_run(info) and "ignore" not in info:
            key = f"example {info}"
            yield Hit(rule="rust.doctest-ignored", path=file.path, line=line, column=1, key=key, snippet=text)


def fenced(data: bytes | None) -> Iterator[tuple[int, str, str]]:
    """Line, info and text of each fenced example of doc comments."""
    opened: tuple[int, str] | None = None
    text: list[str] = []
    for number, line in enumerate((data or b"").decode("utf-8", "replace").split("\n"), start=1):
        fence = FENCE.match(line)
        if fence is None:
            text.append(" ".join(line.split()))
        elif opened is None:
            opened, text = (number, fence[1].strip()), []
        else:
            yield *opened, "\n".join(text)
            opened = None


def is_run(info: str) -> bool:
    return all(word in RUN for word in re.split(r"[\s,]+", info))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unrun_tests,)
