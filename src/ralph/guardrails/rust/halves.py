"""Rust: new examples that are run where a feature is on (policy set v2, class G02).

Rule: a fence that is ignored without a feature is the other half of one beside it that is run with it: the example is
for a person. Of an example that the base ran in any case it takes something away. The package must have the feature.

    #[cfg_attr(feature = "string", doc = "```")]
    #[cfg_attr(not(feature = "string"), doc = "```ignore")]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.config.commands.manifests import features, manifest_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.sketches import bare
from ralph.guardrails.rust.unrun import fenced, is_run
from ralph.record import replace
from ralph.system.patterns import later

FEATURE = r"feature\s*=\s*\"(?P<name>[^\"]+)\"\s*"
WITHOUT = later(
    r"\s*#!?\[cfg_attr\(\s*not\(\s*" + FEATURE + r"\)\s*,\s*doc\s*=\s*\"\s*```(?:rust,\s*)?ignore\"\s*\)\]\s*$"
)
WITH = later(r"\s*#!?\[cfg_attr\(\s*" + FEATURE + r",\s*doc\s*=\s*\"\s*```(?:rust)?\"\s*\)\]\s*$")
END = later(r"^\s*//[/!] ?```")


def without_halves(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        half = hit.rule == "rust.doctest-ignored" and _is_half(hit, change)
        yield replace(hit, rule="py.doctest-skip") if half else hit


def _is_half(hit: Hit, change: Change) -> bool:
    lines = (change.blobs.after(hit.path) or b"").decode("utf-8", "replace").split("\n")
    without = WITHOUT.match(lines[hit.line - 1]) if 0 < hit.line <= len(lines) else None
    beside = [found for at in (hit.line - 2, hit.line) if 0 <= at < len(lines) and (found := WITH.match(lines[at]))]
    if without is None or not any(found["name"] == without["name"] for found in beside):
        return False
    if without["name"] not in _known(hit.path, change):
        return False
    example = bare("\n".join(_example(lines[hit.line :])))
    changed = (file.path for file in change.files if file.path.endswith(".rs"))
    before = (each for path in changed for each in fenced(change.blobs.before(path)))
    return not any(is_run(info) and bare(was) == example for _, info, was in before)


def _example(lines: Iterable[str]) -> Iterator[str]:
    """The comments up to the end of the fence."""
    for line in lines:
        if END.match(line):
            return
        if not WITH.match(line):
            yield " ".join(line.split())


def _known(path: str, change: Change) -> frozenset[str]:
    """The features of the nearest package above."""
    manifest = manifest_of(path, change.blobs.paths_after())
    said = change.blobs.after(manifest) if manifest is not None else None
    return frozenset(features((said or b"").decode("utf-8", "replace")))
