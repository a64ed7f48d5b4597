"""Files that say at their head how strictly they are looked at, and now say less (class G01).

Rules:

- What a file asked of the checker (`# pyright: strict`, `#nullable enable`, `declare(strict_types=1)`, `--!strict`) and
  asks no longer is not found any more; so is what it switches off for all of it (`-Wno-orphans`, `// @dart=2.9`).
- Where the settings of the project say the same, in the folder of the file or above it, nothing is lost.
- With a tool that the same change takes out of the project it is shown, and so is what stands beside tests, or what no
  program of the project looks at.

What Flow, `@ts-check` and Sorbet ask is told by their own languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from ralph.guardrails.common.suppressed.heads import HEADS, Head
from ralph.guardrails.common.suppressed.silenced import ESCAPED
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at


def asked_less(change: Change) -> Iterator[Hit]:
    for file in change.files:
        heads = HEADS.get(PurePosixPath(file.path).suffix.lower(), ()) if file.status == "M" else ()
        for head in heads:
            if head.words.search(file.changed_text):
                yield from _lost(file, head, change)


def _lost(file: FileChange, head: Head, change: Change) -> Iterator[Hit]:
    was, now = head.asks(change.blobs.before(file.path) or b""), head.asks(change.blobs.after(file.path) or b"")
    lost = {
        each: "no longer asks for" for each in was.on - now.on if not _said_by_the_project(file, head, each, change)
    }
    lost |= dict.fromkeys(now.off - was.off, "says")
    if lost:
        shown = is_support(file.path) or _is_taken_out(head, change) or not _is_looked_at(file, head, change)
        said = ", ".join(f"{what} {each.decode('utf-8', 'replace')}" for each, what in sorted(lost.items()))
        yield hit_at(ESCAPED if shown else head.rule, file.path, 1, f"the file {said}")


def _said_by_the_project(file: FileChange, head: Head, asked: bytes, change: Change) -> bool:
    if head.settings is None:
        return False
    above = {str(folder) for folder in PurePosixPath(file.path).parents}
    return any(
        head.says(asked, change.blobs.after(path) or b"")
        for path in change.blobs.paths_after()
        if head.settings.search(path) and str(PurePosixPath(path).parent) in above
    )


def _is_looked_at(file: FileChange, head: Head, change: Change) -> bool:
    packages = (change.blobs.after(str(folder / "package.json")) or b"" for folder in PurePosixPath(file.path).parents)
    return head.run_by is None or any(head.run_by.search(package) for package in packages)


def _is_taken_out(head: Head, change: Change) -> bool:
    """Some file that is none of the language named the tool, and no longer does."""
    word = head.tool
    return word is not None and any(
        word in (change.blobs.before(file.path) or b"") and word not in (change.blobs.after(file.path) or b"")
        for file in change.files
        if PurePosixPath(file.path).suffix.lower() not in HEADS and not is_support(file.path)
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (asked_less,)
