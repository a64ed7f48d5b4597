"""Rust: cases of what must not compile (policy set v2, class G01).

Rule: a new file in a folder of `tests/`, beside which stands what the compiler says against it (`.stderr`), is given to
the compiler by a test that compares both. No check builds it: a lint that it silences would only lengthen the message.
It must be an error that is recorded there, and no file may name it as its module, include it, or make it a test.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.config.commands.manifests import manifest_of
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

RULES = frozenset({"rust.allow", "rust.allow-crate"})
LEADING = ("mod", "main", "lib")
TARGET = later(r"(?:^|/)tests/[^/]+/main\.rs$")
"""A test of its own."""
CASE = later(r"(?:^|/)tests/(?:[^/]+/)+[^/]+\.rs$")
ERROR = later(rb"(?m)^error(?:\[E\d+\])?: ")


def without_failing_cases(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    new = {file.path for file in change.files if file.status == "A"}
    return (hit for hit in hits if hit.rule not in RULES or hit.path not in new or not _must_fail(hit.path, change))


def _must_fail(path: str, change: Change) -> bool:
    stem = path.removesuffix(".rs")
    said = (
        change.blobs.after(f"{stem}.stderr")
        if CASE.search(path) and not TARGET.search(path) and "/src/" not in f"/{path}"
        else None
    )
    if said is None or not ERROR.search(said):
        return False
    name = re.escape(posixpath.basename(stem))
    led = re.compile(
        rf'\bmod\s+(?:r#)?{name}\s*;|"[^"]*\b{name}\.rs"\s*\]|(?:\bpath\s*=\s*|\binclude!\s*\(\s*)"[^"]*\b{name}\.rs"'.encode()
    )
    return not any(led.search(change.blobs.after(home) or b"") for home in _homes(path, change))


def _homes(path: str, change: Change) -> Iterator[str]:
    """The files that may name one as their module, or as a test of its own."""
    paths = change.blobs.paths_after()
    folder = posixpath.dirname(path)
    yield from (f"{folder}/{name}.rs" for name in LEADING)
    above = {each for each in _above(folder) if "/tests/" in f"/{each}/"}
    yield from (each for each in paths if posixpath.dirname(each) in above and each.endswith(".rs"))
    manifest = manifest_of(path, paths)
    if manifest is not None:
        yield manifest


def _above(folder: str) -> Iterator[str]:
    while folder := posixpath.dirname(folder):
        yield folder
