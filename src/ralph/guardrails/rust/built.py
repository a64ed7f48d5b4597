"""Rust: what a plain run of the tests does not build (see `inventory`).

Rules: a `cfg` that asks for more than `test` (a feature, another system) leaves its item out. Cargo builds the files of
`tests/`, and of its folders those that a `main.rs`, a `mod.rs`, a file of the folder's name or `Cargo.toml` leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

STRING = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)'", re.DOTALL)
"""No lifetime, which has one apostrophe."""
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


def left_out(attributes: Iterable[str]) -> str:
    for text in attributes:
        match = CFG.match(text)
        if match and not _met("".join(match[1].split())):
            return f"it is built with `{match[1].strip()}` only"
    return ""


def _met(condition: str) -> bool:
    """Whether a `cfg` holds in a plain test run on a usual machine."""
    match = re.fullmatch(r"(all|any|not)\((.*)\)", condition, re.DOTALL)
    if match is None:
        return condition in ("test", "unix", "debug_assertions", 'panic="unwind"') or condition.endswith(
            ('"linux"', '"unix"', '"x86_64"', '"64"', "true")
        )
    parts = [_met(part) for part in between_commas(match[2], STRING) if part]
    return {"all": all(parts), "any": any(parts), "not": not any(parts)}[match[1]]
