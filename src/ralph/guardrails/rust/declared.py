"""Rust: whether a `mod` leads to a file (see `built` and `unrun`).

Rule: a file that is no target of its own is a part of a crate where a file above it or beside it declares it: `mod x;`,
`mod x { … }` of its folder, `#[path = "x.rs"]`, `include!("x.rs")`, a macro that is given its name, or one that takes
whatever the folder holds. What stands in a comment declares nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from ralph.guardrails.config.commands.manifests import manifest_of
from ralph.system.patterns import later

TARGET = later(
    r"(?:^|/)(?:(?:tests|benches|examples|src/bin)/(?:[^/]+|[^/]+/main)\.rs|src/(?:lib|main)\.rs|build\.rs)$"
)
PLACE = later(r"(?:^|/)(?:tests|benches|examples|src)(?=/)")
COMMENT = later(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
TAKES_ALL = later(rb"\bautomod\b|\bOUT_DIR\b|\"[^\"\n*]*\*[^\"\n]*\.rs\"")
LEADING = ("main.rs", "mod.rs", "lib.rs")

Read = Callable[[str], bytes | None]


def is_declared(path: str, known: Collection[str], read: Read) -> bool:
    """True where nobody can tell: nothing stands above it, or it is a target."""
    place, above = PLACE.search(path), list(leading(path, known))
    if TARGET.search(path) or place is None or not above or _is_named(path, above, read):
        return True
    manifest = manifest_of(path, known)
    if manifest is not None and path[place.start() :].strip("/").encode() in (read(manifest) or b""):
        return True
    folder = posixpath.dirname(path)
    beside = (each for each in known if each.endswith(".rs") and each != path and posixpath.dirname(each) == folder)
    return _is_named(path, beside, read)


def leading(path: str, known: Collection[str]) -> Iterator[str]:
    """The files that may declare it, the nearest first: those of its folder, and of all folders above."""
    place = PLACE.search(path)
    folder = posixpath.dirname(path)
    while place is not None and len(folder) >= place.end():
        yield from (each for name in LEADING if (each := f"{folder}/{name}") in known and each != path)
        if (each := f"{folder}.rs") in known:
            yield each
        folder = posixpath.dirname(folder)


def _is_named(path: str, files: Iterable[str], read: Read) -> bool:
    name = posixpath.basename(path)
    stem = re.escape((posixpath.basename(posixpath.dirname(path)) if name == "mod.rs" else name[:-3]).encode())
    file = re.escape(name.encode())
    named = re.compile(rb'(?m)\bmod\s+(?:r#)?%s\s*[;{]|"[^"\n]*\b%s"|^\w+!\s*[({\[][^;]*\b%s\b' % (stem, file, stem))
    texts = (COMMENT.sub(b"", read(each) or b"") for each in files)
    return any(named.search(text) or TAKES_ALL.search(text) for text in texts)
