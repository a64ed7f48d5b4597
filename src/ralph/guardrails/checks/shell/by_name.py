"""Functions of a script that are called by a name which only running could tell: `"step_$1"`, `"$@"`, `"run_$step"`.

Any function may be meant whose name begins and ends as what is written does, but for the one that says so; in a
function `"$@"` alone is what that was given, and no name of another. A loop over written names that makes such names
of them goes through all of them, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice

import tree_sitter

from ralph.system.patterns import later

GIVEN = later(r"\$\{?[@*\d]\}?")
UNKNOWN = later(r"\$(?:\{[\w@*]+[^}]*\}|[\w@*])\w*")
MOST_NAMES = 12


def meant(word: str, place: int, functions: Mapping[str, tree_sitter.Node]) -> list[tree_sitter.Node]:
    """The bodies of the functions that a command's first word may stand for; nothing where it is known, or no name."""
    bare = word.replace('"', "")
    if not UNKNOWN.search(bare) or re.search(r"[\s/('`]", bare):
        return []
    around = [name for name, body in functions.items() if body.start_byte <= place < body.end_byte]
    if around and GIVEN.fullmatch(bare):
        return []
    pattern = "".join(".*" if part is None else re.escape(part) for part in _parts(bare))
    found = (body for name, body in functions.items() if name not in around and re.fullmatch(pattern, name))
    return list(islice(found, MOST_NAMES))


def is_made_of(variable: str, body: str) -> bool:
    """The body of a loop runs what the variable names, alone or as a part of a name."""
    use = rf"\w*\$(?:{re.escape(variable)}\b|\{{{re.escape(variable)}\}})\w*"
    before = r"(?m)(?:^|[;&|!(]|\b(?:do|then|if))[ \t]*\"?"
    return re.search(f"{before}{use}", body) is not None


def _parts(word: str) -> Iterable[str | None]:
    at = 0
    for match in UNKNOWN.finditer(word):
        yield word[at : match.start()]
        yield None
        at = match.end()
    yield word[at:]
