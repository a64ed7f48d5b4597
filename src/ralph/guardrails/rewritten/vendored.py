"""Files of tools that are committed with the project: they change with the list that says which version they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change
from ralph.guardrails.rewritten.found import Found
from ralph.guardrails.rewritten.places import tool_at
from ralph.system.patterns import later

FOLDER = later(r"^(?P<above>(?:.*/)?)(?P<folder>node_modules|site-packages|vendor)/")
LISTS = (
    "vendor/modules.txt",
    "go.mod",
    "vendor/composer/installed.json",
    "composer.lock",
    "node_modules/.package-lock.json",
    "node_modules/.yarn-integrity",
    "package.json",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "Gemfile.lock",
    "uv.lock",
    "requirements.txt",
    "pyproject.toml",
)
CODE = later(r"\.(?:go|[cm]?jsx?|py|php|rb)$")


def vendored(change: Change) -> Iterator[Found]:
    changed = {file.path for file in change.files}
    for file in change.files:
        match = FOLDER.search(file.path) if file.status == "M" and CODE.search(file.path) else None
        tool = tool_at(file.path) if match else None
        if match is None or tool is None or re.search(r"(?:^|/)(?:fixtures?|testdata|examples?)/", match["above"]):
            continue
        if not any(f"{match['above']}{name}" in changed for name in LISTS):
            yield Found(file.path, next(file.added(), (0, b""))[0], file.path, tool, "a committed copy is edited:")
