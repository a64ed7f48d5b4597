"""Files that a build makes and that are kept in the tree (`dist/`).

What such a file tells a linter, and where it drops a failure, its sources do: there it was judged when it came, or is
judged now. A file is a built one if it stands among build output, names its source map in its last lines, and the map
is written anew with it. Nothing else is taken for one: a folder alone says too little.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.config.patterns import BUILD_OUTPUT
from ralph.guardrails.model import Change
from ralph.system.patterns import later

OF_SOURCES = ("js.eslint-", "js.tslint-", "js.biome-", "js.oxlint-", "js.suppression-")
"""Rules of which the sources are asked."""
_MAP = later(rb"//[#@]\s*sourceMappingURL=([\w.@/-]+)\s*\Z")
_END = 300


def is_built(change: Change, path: str) -> bool:
    folder = posixpath.dirname(path)
    if BUILD_OUTPUT.isdisjoint(folder.lower().split("/")):
        return False
    match = _MAP.search((change.blobs.after(path) or b"")[-_END:])
    if match is None:
        return False
    written = posixpath.normpath(posixpath.join(folder, match[1].decode("ascii")))
    return any(file.path == written and file.status != "D" for file in change.files)
