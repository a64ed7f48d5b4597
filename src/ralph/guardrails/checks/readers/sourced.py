"""Functions that a shell script has from another file: `source ci/gates.sh`, and then `gate mypy mypy src` (class G10).

Rule: a file of the tree that a script reads in, and that defines a function which runs what it is given (`"$@"`), is
read in its place: whether a failure is heard is said there. Any other file that is read in stays what it is.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

READS = later(
    r"(?m)^[ \t]*(?:source|\.)[ \t]+(?P<file>[^\n;&|#]+?)[ \t]*(?:\|\|[ \t]*(?:exit|return)[ \t]*\d*[ \t]*)?$"
)
PLACE = later(
    r"^(?:\$\(\s*(?:cd\s+)?(?:--\s+)?[\"']?\$\(\s*dirname[^()]*\)[^()]*\)|\$\(\s*dirname[^()]*\)|`dirname[^`]*`"
    r"|\$\{(?:BASH_SOURCE(?:\[0\])?|0)%/\*\}|\$\{?\w+\}?)/"
)
"""The folder of the script itself, or of the project."""
FUNCTION = later(r"(?m)^[ \t]*(?:function[ \t]+)?[\w:.-]+[ \t]*\([ \t]*\)|^[ \t]*function[ \t]+[\w:.-]+")
RUNS_GIVEN = later(r"(?m)(?:^|[;&|!{(]|\b(?:if|then|else|do|while|until)\b)[ \t]*(?:[\w./-]+[ \t]+)*\"?\$\{?[@*]")
LARGEST = 20_000


def with_sourced(text: str, path: str, side: Side) -> tuple[str, list[int]]:
    """The text with what it reads in, and for each of its lines the line of the script that it belongs to."""
    lines = text.split("\n")
    found = {
        number: more
        for number, line in enumerate(lines)
        if (match := READS.fullmatch(line)) is not None and (more := _functions(match["file"], path, side)) is not None
    }
    if not found:
        return text, []
    parts = [found.get(number, line) for number, line in enumerate(lines)]
    rows = [number for number, part in enumerate(parts, 1) for _ in part.split("\n")]
    return "\n".join(parts), [0, *rows]


def _functions(file: str, path: str, side: Side) -> str | None:
    for place in places(file, path):
        text = side.text(place) if place in side.paths and place != path else None
        if text is not None and len(text) <= LARGEST:
            return text.rstrip("\n") if FUNCTION.search(text) and RUNS_GIVEN.search(text) else None
    return None


def places(file: str, path: str) -> Iterator[str]:
    """Where a file may be that a script reads in by these words."""
    bare = PLACE.sub("", file.strip().replace('"', "").replace("'", ""))
    if "$" not in bare and "`" not in bare and not bare.startswith("/"):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), bare))
        yield posixpath.normpath(bare)
