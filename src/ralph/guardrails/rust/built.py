"""Rust: what a plain run of the tests does not build (see `inventory`).

Rules: a `cfg` that asks for more than `test` (a feature that is not on by default, another system) leaves its item out,
and so does one that asks for what is on to be off. Cargo builds the files of
`tests/`, and of its folders those that a `main.rs`, a `mod.rs`, a file of the folder's name or `Cargo.toml` leads to.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable
from typing import cast

from ralph.guardrails.commas import between_commas
from ralph.guardrails.config.manifests import features, on_by_default
from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

STRING = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)'", re.DOTALL)
"""No lifetime, which has one apostrophe."""
FEATURE = later(r"feature=\"([^\"]+)\"")
CFG = later(r"#!?\[\s*cfg\s*\((.*)\)\s*\]$", re.DOTALL)


def why_not_built(path: str, paths: Paths) -> str:
    """Cargo builds the files of `tests/`, and of its folders those that a `main.rs` or `mod.rs` leads to."""
    match = re.search(r"(?:^|/)tests/(?:[^/]+/)+", path)
    if match is None or "/src/" in f"/{path}":
        return ""
    folder, known = path[: match.end()], paths.all()
    top = path[: match.start()] + ("/" if path[match.start()] == "/" else "") + "tests/"
    parts = [folder[: index + 1] for index, letter in enumerate(folder) if letter == "/" and index >= len(top)]
    leads = any(f"{part}{name}.rs" in known for part in parts for name in ("main", "mod"))
    leads = leads or any(f"{part[:-1]}.rs" in known for part in parts)
    named = path[len(top) :].encode() in (paths.read(f"{top[: -len('tests/')]}Cargo.toml") or b"")
    return "" if leads or named else "cargo does not build its folder"


def default_features(path: str, paths: Paths) -> frozenset[str]:
    """The features of the package around a file that are on where nobody asks."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        manifest = posixpath.join(folder, "Cargo.toml")
        if manifest not in paths.memo:
            data = paths.read(manifest)
            paths.memo[manifest] = None if data is None else on_by_default(features(data.decode("utf-8", "replace")))
        if (found := paths.memo[manifest]) is not None:
            return cast("frozenset[str]", found)
    return frozenset()


def left_out(attributes: Iterable[str], on: Collection[str] = ()) -> str:
    """`on`: the features that are."""
    for text in attributes:
        match = CFG.match(text)
        if match and not _met("".join(match[1].split()), on):
            return f"it is built with `{match[1].strip()}` only"
    return ""


def _met(condition: str, on: Collection[str]) -> bool:
    """Whether a `cfg` holds in a plain test run on a usual machine."""
    match = re.fullmatch(r"(all|any|not)\((.*)\)", condition, re.DOTALL)
    if match is None and (feature := FEATURE.fullmatch(condition)) is not None:
        return feature[1] in on
    if match is None:
        return condition in ("test", "unix", "debug_assertions", 'panic="unwind"') or condition.endswith(
            ('"linux"', '"unix"', '"x86_64"', '"64"', "true")
        )
    parts = [_met(part, on) for part in between_commas(match[2], STRING) if part]
    return {"all": all(parts), "any": any(parts), "not": not any(parts)}[match[1]]
