"""Rust: what a plain run of the tests does not build (see `inventory`).

Rules: a `cfg` that asks for more than `test` (a feature that is not on by default, or that one of these is off, another
system) leaves its item out. Cargo builds the files of `tests/`, and of its folders those that a `main.rs`, a `mod.rs`,
a file of the folder's name or `Cargo.toml` leads to, if they or others declare the file (`declared`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import partial

from ralph.guardrails.commas import between_commas
from ralph.guardrails.config.commands.manifests import features, manifest_of, on_by_default
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.rust.declared import is_declared
from ralph.system.patterns import later

STRING = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)'", re.DOTALL)
"""No lifetime, which has one apostrophe."""
TARGETS = frozenset(("src", "tests", "benches", "examples"))
CFG = later(r"#!?\[\s*cfg\s*\((.*)\)\s*\]$", re.DOTALL)


def why_not_built(path: str, paths: Paths) -> str:
    """Cargo builds the files of `tests/`, and of its folders those that a `main.rs` or `mod.rs` leads to."""
    match = re.search(r"(?:^|/)tests/(?:[^/]+/)+", path)
    if match is None:
        return _why_nowhere(path, paths)
    if "/src/" in f"/{path}":
        return ""
    if path.endswith("/mod.rs") and not _is_named_above(path, paths):
        return "no `mod` declares its folder"
    folder, known = path[: match.end()], paths.all()
    top = path[: match.start()] + ("/" if path[match.start()] == "/" else "") + "tests/"
    parts = [folder[: index + 1] for index, letter in enumerate(folder) if letter == "/" and index >= len(top)]
    leads = any(f"{part}{name}.rs" in known for part in parts for name in ("main", "mod"))
    leads = leads or any(f"{part[:-1]}.rs" in known for part in parts)
    named = path[len(top) :].encode() in (paths.read(f"{top[: -len('tests/')]}Cargo.toml") or b"")
    if not leads and not named:
        return "cargo does not build its folder"
    return "" if named or is_declared(path, known, paths.read) else "no `mod` declares its file"


def _is_named_above(path: str, paths: Paths) -> bool:
    """A file beside the folder of a `mod.rs` declares it, or one takes up whatever is there."""
    folder, name = posixpath.split(posixpath.dirname(path))
    named = re.compile(rb"\bmod\s+(?:r#)?%s\b|\b%s/mod\.rs|\w!\s*[({\[]" % ((re.escape(name.encode()),) * 2))
    beside = (each for each in paths.all() if each.endswith(".rs") and posixpath.dirname(each) == folder)
    return any(named.search(re.sub(rb"\bassert\w*!", b"", paths.read(each) or b"")) for each in beside)


def _why_nowhere(path: str, paths: Paths) -> str:
    """Cargo looks for targets in some folders of a package alone, unless its manifest names others."""
    manifest = manifest_of(path, paths.all())
    said = (paths.read(manifest) or b"") if manifest is not None else b""
    inside = posixpath.relpath(path, posixpath.dirname(manifest or "") or ".")
    first, _, rest = inside.partition("/")
    if not rest or first in TARGETS or b"[package]" not in said or first.encode() in said:
        return ""
    named = b"#[path" if rest.count("/") else f"{first}/".encode()
    others = (each for each in paths.all() if each.endswith(".rs") and each != path)
    return "" if any(named in (paths.read(each) or b"") for each in others) else f"cargo builds nothing of {first}/"


def on_at(path: str, paths: Paths) -> frozenset[str]:
    """The features that are on by default in the package of a file."""
    folder, known = path, paths.all()
    while folder:
        folder = posixpath.dirname(folder)
        if (manifest := posixpath.join(folder, "Cargo.toml")) in known:
            return paths.memo.once(("rust features", manifest), partial(_on_by_default, manifest, paths))
    return frozenset()


def _on_by_default(manifest: str, paths: Paths) -> frozenset[str]:
    return on_by_default(features((paths.read(manifest) or b"").decode("utf-8", "replace")))


def left_out(attributes: Iterable[str], on: frozenset[str] = frozenset()) -> str:
    """`on`: the features that nobody has to ask for."""
    for text in attributes:
        match = CFG.match(text)
        if match and not _met("".join(match[1].split()), on):
            return f"it is built with `{match[1].strip()}` only"
    return ""


def _met(condition: str, on: frozenset[str], *, turned: bool = False) -> bool:
    """Whether a `cfg` holds in a plain test run on a usual machine; `turned`: it stands in a `not`.

    A feature that is on by default may be another one tomorrow: only that it is off is told by it.
    """
    match = re.fullmatch(r"(all|any|not)\((.*)\)", condition, re.DOTALL)
    if match is None:
        named = re.fullmatch(r"feature=\"(.*)\"", condition)
        if named is not None:
            return turned and named[1] in on
        return condition in ("test", "unix", "debug_assertions", 'panic="unwind"') or condition.endswith(
            ('"linux"', '"unix"', '"x86_64"', '"64"', "true")
        )
    turned = turned != (match[1] == "not")
    parts = [_met(part, on, turned=turned) for part in between_commas(match[2], STRING) if part]
    return {"all": all(parts), "any": any(parts), "not": not any(parts)}[match[1]]
