"""The oldest compiler that clippy is told to write for (policy set v2, class G12).

Rules: clippy is silent about what needs a newer compiler than `msrv`. An older one than the crate itself can be built
with, by its `rust-version` or its edition, is there for nothing else: it blocks. Any other older one is for a person,
unless the manifest says the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, absent
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import RAISED, Row
from ralph.guardrails.config.side import Side

EDITIONS = {"2018": (1, 31), "2021": (1, 56), "2024": (1, 85)}
"""The first compilers that know them."""
Version = tuple[int, ...]


def _version(node: Node | None) -> Version | None:
    found = re.match(r"(\d+)\.(\d+)", canonical(node)) if node is not None else None
    return (int(found[1]), int(found[2])) if found is not None else None


def _no_older(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    was, now = _version(before), _version(after)
    if now is not None and was is not None and now < was:
        yield Worse(node=after, text=f"falls from {_said(before)} to {_said(after)}")


def _said(node: Node | None) -> str:
    return canonical(node) if node is not None else ""


def of_the_manifest(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`msrv` beside what the manifest of its folder, or of one above it, says."""
    said = settings.get(("msrv",))
    asked = _version(said)
    if said is None or asked is None:
        return settings
    folder = directory
    while (manifest := side.node(posixpath.join(folder, "Cargo.toml"))) is None and folder:
        folder = posixpath.dirname(folder)
    if manifest is None:
        return settings
    places = [manifest.at("package"), manifest.at("workspace", "package")]
    versions = [_version(place.at("rust-version")) for place in places if place is not None]
    own = next(filter(None, versions), None)
    editions = [_said(place.at("edition")) for place in places if place is not None]
    least = max((EDITIONS[edition] for edition in editions if edition in EDITIONS), default=(1, 0))
    if own == asked:
        del settings[("msrv",)]
    elif asked < max(least, own or least):
        settings[("msrv that builds nothing",)] = said
    return settings


MSRV_ROWS = (
    Row("msrv that builds nothing", absent(), "cfg.cargo.lint-lowered"),
    Row("msrv", _no_older, RAISED),
)
