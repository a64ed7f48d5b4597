"""The second opinion: nothing is allowed unless shfmt finds the same commands in a line as `read` does.

Each of the two parsers alone loses commands without a sign of it, but not the same ones. Any failure of the second,
a time limit included, is a disagreement. On machines that have no shfmt the lines on which the first is known to be
weak are refused instead; `available` tells, so that a record can say `parser: single`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ralph.shell import outline, shfmt
from ralph.shell.model import Group, Unreadable
from ralph.system.filter import filtered

TIMEOUT_S = 2.0

_NAME = "shfmt"
_ENVIRONMENT = {"GOMAXPROCS": "1", "GOGC": "off"}
"""One thread and no garbage collection: a line is small, and this saves half a millisecond."""
_WEAK = frozenset({"text", "substitution"})


def available() -> bool:
    """True if there is a second parser on this machine."""
    return program() is not None


def disagreement(text: str, script: Group) -> Unreadable | None:
    """Why the reading `script` of `text` cannot be relied on, or None if both parsers have the same."""
    if script.span != (0, len(text)):
        return Unreadable("OPAQUE_PARSERS_DIFFER", "it is not what was read", (0, len(text)))
    found = program()
    ours = outline.outline(script, text)
    if found is None:
        return _alone(text, ours)
    theirs = _theirs(found, text)
    if theirs is None:
        return Unreadable("OPAQUE_PARSER", "the second shell parser cannot read it", (0, len(text)))
    if ours != theirs:
        return Unreadable("OPAQUE_PARSERS_DIFFER", "two shell parsers find different commands in it", (0, len(text)))
    return None


@cache
def program() -> str | None:
    """Where shfmt is: where Ralph's Python keeps its programs, then where its package says, then on Ralph's PATH."""
    return next((str(path) for path in _candidates() if path.is_file() and os.access(path, os.X_OK)), None)


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable).parent / _NAME
    from sysconfig import get_path  # only here: it is never needed in an environment of Python's own

    yield Path(get_path("scripts")) / _NAME
    yield from _packaged()
    # Relative entries of PATH, and those below the working directory, are the project's.
    here = Path.cwd()
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        folder = Path(entry)
        if folder.is_absolute() and not folder.resolve().is_relative_to(here):
            yield folder / _NAME


def _packaged() -> Iterator[Path]:
    from importlib import metadata

    try:
        files = metadata.files("shfmt-py") or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())) for file in files if file.name == _NAME)


def _theirs(found: str, text: str) -> list[outline.Entry] | None:
    try:
        made = filtered([found, "-ln", "bash", "--to-json"], text.encode(), env=_ENVIRONMENT, timeout_s=TIMEOUT_S)
        return None if made is None else shfmt.outline(json.loads(made))
    except (OSError, ValueError, RecursionError):
        return None
    except (shfmt.Unexpected, LookupError, TypeError, AttributeError):
        return None


def _alone(text: str, ours: list[outline.Entry]) -> Unreadable | None:
    if "\\\n" in text or any(entry[0] in _WEAK for entry in ours):
        reason = "without a second shell parser, substitutions, here-documents and continued lines cannot be relied on"
        return Unreadable("OPAQUE_PARSER", reason, (0, len(text)))
    return None
