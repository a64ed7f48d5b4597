"""The first version of a language that a project says it works with: what is older needs no checks."""

from __future__ import annotations

import re

from ralph.guardrails.config.side import Side

SAID = (
    ("go", "go.mod", r"(?m)^go (\d+(?:\.\d+)?)"),
    ("python", "pyproject.toml", r"requires-python\s*=\s*[\"'][^\"']*>=\s*(\d+(?:\.\d+)?)"),
    ("py", "setup.cfg", r"python_requires\s*=\s*>=\s*(\d+(?:\.\d+)?)"),
    ("node", "package.json", r"\"node\":\s*\"[^\"]*>=\s*(\d+)"),
    ("rust", "Cargo.toml", r"(?m)^rust-version\s*=\s*\"(\d+(?:\.\d+)?)"),
)
"""How an axis of a matrix begins, and where and how the version is said."""


def least_version(side: Side, axis: str) -> list[int]:
    """The parts of that version; none where nothing says it."""
    for name, path, written in SAID:
        text = side.text(path) if axis.lower().startswith(name) else None
        found = re.search(written, text) if text else None
        if found is not None:
            return [int(part) for part in found[1].split(".")]
    return []
