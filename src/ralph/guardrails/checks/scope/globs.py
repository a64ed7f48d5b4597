"""What a pattern of files stands for, to the letter: `**` for any number of folders, and one `*` for a part of a name.

A shell takes `**` for one `*`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

MOST_FILES = 50_000
ONE = r"(?!\.)[^/]+"
SIGNS = {"*": "[^/]*", "?": "[^/]"}


def is_shallower(glob: str, others: Sequence[str]) -> bool:
    """It is one of the others, but for a `**` that is a `*` here, or gone."""
    return any(glob != each and glob in (each.replace("**", "*"), each.replace("**/", "")) for each in others)


@lru_cache(maxsize=64)
def matched(glob: str, paths: frozenset[str], *, deep: bool) -> tuple[str, ...]:
    """The paths, in their order. `deep`: `**` is any number of folders."""
    form = re.compile(_expression(glob.split("/"), deep=deep))
    return tuple(path for path in sorted(paths)[:MOST_FILES] if form.fullmatch(path))


def _expression(parts: Sequence[str], *, deep: bool) -> str:
    written = []
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        if part == "**" and deep:
            written.append(r".+" if last else rf"(?:{ONE}/)*")
        else:
            plain = ONE if part == "**" else "".join(SIGNS.get(each) or re.escape(each) for each in part)
            written.append(plain if last else f"{plain}/")
    return "".join(written)
