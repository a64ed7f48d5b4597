"""Configuration files that nothing in the tree names: no tool was run with them, so nothing is lost with them.

Only for a compiler's, under a name that it does not look for by itself (`tsconfig.eslint.json`). A pattern may name it,
too (`project: "tsconfig.*.json"`), and in a large tree nobody looks.
"""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

OF_ITS_OWN = later(r"(?:ts|js)config(?:[.-][\w.-]+)\.json")
MAY_NAME = later(
    r"(?:\.(?:json5?|jsonc|[cm]?[jt]s|ya?ml|toml|sh|bash|mk|cfg|ini|py)|(?:^|/)(?:\.\w+rc|[\w.]*[A-Z]\w*file))$"
)
MADE = later(r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$")
MOST_FILES = 3_000


def is_unused(side: Side, path: str) -> bool:
    name = posixpath.basename(path)
    if not OF_ITS_OWN.fullmatch(name):
        return False
    others = [other for other in side.paths if other != path and MAY_NAME.search(other) and not MADE.search(other)]
    if len(others) > MOST_FILES:
        return False
    stem = re.escape(name.removesuffix(".json"))
    named = re.compile(rf"(?<![\w.-]){stem}(?![\w-])|(?:ts|js)config[\w.-]*[*{{]")
    return not any(named.search(side.text(other) or "") for other in others)
