"""Taking secrets out of what Ralph writes down: snippets, logs, transcripts, audit files.

A secret is replaced by what it was (`[redacted: GitHub token]`), in place, so that the rest of a line stays readable
and JSON stays JSON. The same text always gives the same result, and a redacted text is left as it is.
"""

from __future__ import annotations

import gzip
from pathlib import Path

from ralph.guardrails.secrets.find import secrets_in

BINARY_HEAD = 8000
"""A NUL among so many first bytes makes a file binary, for git as well: nothing is taken out of the middle of one."""


def redacted(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    clean = redacted_bytes(data)
    return text if clean is data else clean.decode("utf-8", "surrogatepass")


def redacted_bytes(data: bytes) -> bytes:
    """The same object if there is nothing to take out."""
    found = sorted(secrets_in(data), key=lambda each: each.start)
    if not found:
        return data
    parts, at = [], 0
    for secret in found:
        parts += [data[at : secret.start], f"[redacted: {secret.name}]".encode()]
        at = secret.end
    return b"".join((*parts, data[at:]))


def redact_folder(folder: Path, *, but: frozenset[str] = frozenset()) -> None:
    """Take secrets out of every file below a folder, but for files of these names."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in but:
            redact_file(path)


def redact_file(path: Path) -> None:
    """Rewrite a file (packed or not) without its secrets, if it has any."""
    packed = path.suffix == ".gz"
    data = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    if b"\0" in data[:BINARY_HEAD]:
        return
    clean = redacted_bytes(data)
    if clean is not data:
        path.write_bytes(gzip.compress(clean, 1) if packed else clean)
