"""Kotlin for several platforms: a declaration that was split by platform (policy set v2, class G01).

Rule: what silences a warning on an `actual` declaration takes nothing away where the change made it of one declaration
of the base, which silenced the same, and which is an `expect` now that still does: one function is written down once
for each platform, with the same annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import Match

from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

SILENCED = later(
    r"@Suppress\((?P<names>[^()]*)\)(?P<between>[^(){}=;]*?)"
    r"\b(?:fun|val|var|class|interface|object)\s+(?:<[^<>()]*>\s*)?(?:[\w.<>?, ]+\.)?(?P<name>\w+)"
)
"""An annotation with what it stands on."""


def on_each_platform(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        if hit.rule != "jvm.suppress" or not hit.path.endswith(".kt") or not _is_split(hit, change):
            yield hit


def _is_split(hit: Hit, change: Change) -> bool:
    text = _text(change.blobs.after(hit.path))
    line = "\n".join(text.split("\n")[hit.line - 1 :])
    own = SILENCED.search(line)
    if own is None or "\n" in line[: own.start()] or "actual" not in own["between"].split():
        return False
    for file in (file for file in change.files if file.path.endswith(".kt")):
        was = _same(own, _text(change.blobs.before(file.path)))
        now = _same(own, _text(change.blobs.after(file.path)))
        if any("expect" in each for each in now) and not all({"expect", "actual"} & set(each) for each in was):
            return True
    return False


def _same(own: Match[str], text: str) -> Iterator[list[str]]:
    """What stands before each declaration of that name that is silenced in the same way."""
    for match in SILENCED.finditer(text):
        if (match["names"], match["name"]) == (own["names"], own["name"]):
            yield match["between"].split()


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
