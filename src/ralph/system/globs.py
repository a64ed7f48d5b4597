"""Path globs, component by component, as people know them from .gitignore.

`*` and `?` stay inside one component, `**` crosses any number of them. A pattern without a slash matches a
file's name in any directory; a pattern with one is anchored at the root. A trailing slash means everything below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    return any(_compiled(pattern).fullmatch(path) for pattern in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    glob = pattern.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    if "/" not in glob:
        glob = "**/" + glob
    return re.compile("".join(_translated(part) for part in re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?)", glob)), re.DOTALL)


def _translated(part: str) -> str:
    special = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return special.get(part, re.escape(part))
