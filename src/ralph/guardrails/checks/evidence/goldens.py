"""Recorded results (snapshots, golden files, cassettes) that change while nothing that they record does (class G13).

New results, and new entries in old files, belong to new tests. Changed ones are for a person to look at. Results that
are gone while their tests are not make the next run accept whatever the code does.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

GOLDEN = later(
    r"(?:^|/)(?:__snapshots__|snapshots|golden|goldens|cassettes|approvals?)/|\.(?:golden|approved\.\w+|ambr|verified\.\w+)$"
)
OTHERS = later(r"\.(?:snap|shot|png|jpe?g|webp|py|js|jsx|ts|tsx|go|rs|rb|java|kt|md)$")
"""Not ours: what JavaScript's runners record is read entry by entry elsewhere, and code is code."""


def golden_hits(change: Change) -> Iterator[Hit]:
    added = {posixpath.basename(file.path) for file in change.files if file.status == "A"}
    recorded = [file for file in change.files if GOLDEN.search(file.path) and not OTHERS.search(file.path)]
    for file in recorded:
        name = posixpath.basename(file.path)
        if file.status == "D" or not (change.blobs.after(file.path) or b"").strip():
            if name not in added and (change.blobs.before(file.path) or b"").strip() and _still_used(change, file):
                yield hit_at("golden.deleted", file.path, 0, f"{name} is gone and its test is not")
        elif file.status == "M" and any(hunk.removed for hunk in file.hunks):
            yield hit_at("golden.changed", file.path, 0, f"{name} records other results")


def _still_used(change: Change, file: FileChange) -> bool:
    """True if the test that compares with the file stays."""
    source = re.sub(r"\.(?:snap|ambr|golden|txt|json|yaml|yml|png)$", "", posixpath.basename(file.path))
    stem = posixpath.splitext(source)[0]
    near = posixpath.dirname(posixpath.dirname(file.path))
    after = change.blobs.paths_after()
    users = [
        path
        for path in after
        if posixpath.basename(path) == source or posixpath.splitext(posixpath.basename(path))[0] == stem
    ]
    return any(path != file.path and path.startswith(near) for path in users)
