"""Rust: cases of what must not compile (policy set v2, class G01).

Rule: a new file in a folder of `tests/`, beside which stands what the compiler says against it (`.stderr`), is given to
the compiler by a test that compares both. No check builds it: a lint that it silences would only lengthen the message.
It must be an error that is recorded there, and no file may name it as its module.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

RULES = frozenset({"rust.allow", "rust.allow-crate"})
CASE = later(r"(?:^|/)tests/(?:[^/]+/)+[^/]+\.rs$")
ERROR = later(rb"(?m)^error(?:\[E\d+\])?: ")


def without_failing_cases(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    new = {file.path for file in change.files if file.status == "A"}
    return (hit for hit in hits if hit.rule not in RULES or hit.path not in new or not _must_fail(hit.path, change))


def _must_fail(path: str, change: Change) -> bool:
    stem = path.removesuffix(".rs")
    said = change.blobs.after(f"{stem}.stderr") if CASE.search(path) and "/src/" not in f"/{path}" else None
    if said is None or not ERROR.search(said):
        return False
    folder, name = posixpath.split(stem)
    led = re.compile(rf'\bmod\s+(?:r#)?{re.escape(name)}\s*;|"[^"]*\b{re.escape(name)}\.rs"\s*\]'.encode())
    homes = (f"{folder}.rs", f"{folder}/mod.rs", f"{folder}/main.rs", f"{folder}/lib.rs")
    return not any(led.search(change.blobs.after(home) or b"") for home in homes)
