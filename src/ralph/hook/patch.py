"""The envelope of Codex's `apply_patch`: which files a patch would write, move or delete.

Rules:

- Every line between `*** Begin Patch` and `*** End Patch` must be one that the format knows; otherwise nothing is said
  about the patch, and it is denied: a reader that is more lenient than this one might find a file that this one missed.
- A move writes one file and deletes another. The content is bound by the digest of the whole patch.
"""

from __future__ import annotations

import hashlib

from ralph.hook.model import RefusedError
from ralph.permissions.model import WritePath

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _END_OF_FILE = "*** Move to: ", "*** End of File"
_BODY = {"add": ("+",), "update": ("+", "-", " ", "@@"), "delete": ()}


def files_of(patch: str, cwd: str) -> list[WritePath]:
    """Every file that the patch touches. Raises RefusedError for anything that is not plainly a patch."""
    lines = patch.strip().split("\n")
    if len(lines) < 2 or lines[0].rstrip() != _BEGIN or lines[-1].rstrip() != _END:
        raise RefusedError(f"The patch must begin with `{_BEGIN}` and end with `{_END}`.")
    digest = hashlib.sha256(patch.encode()).hexdigest()
    found: list[WritePath] = []
    part = "none"
    for number, line in enumerate(lines[1:-1], start=2):
        if line.startswith((_ADD, _UPDATE, _DELETE)):
            word, _, path = line.partition(": ")
            part = {_ADD: "add", _UPDATE: "update", _DELETE: "delete"}[f"{word}: "]
            found.append(_touched(path, cwd, digest, deletes=part == "delete"))
        elif line.startswith(_MOVE) and part == "update":
            source = found.pop()
            found.append(_touched(source.path, cwd, digest, deletes=True))
            found.append(_touched(line.removeprefix(_MOVE), cwd, digest, deletes=False))
        elif not (line.startswith(_BODY.get(part, ())) or (part == "update" and line in ("", _END_OF_FILE))):
            raise RefusedError(f"Line {number} of the patch is none that Ralph can read, so the patch is not applied.")
    if not found:
        raise RefusedError("The patch names no file.")
    return found


def _touched(path: str, cwd: str, digest: str, *, deletes: bool) -> WritePath:
    if not path.strip() or not path.isprintable():
        raise RefusedError("A file name in the patch is empty or holds characters that cannot be shown.")
    return WritePath(path.strip(), cwd, digest, deletes)
