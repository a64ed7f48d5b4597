"""A command line in `ralph.yml`: a program and its arguments."""

from __future__ import annotations

import shlex


def words_of(command: str) -> list[str]:
    """The words of a command line, as a shell parts them; none if it cannot be parted."""
    try:
        return shlex.split(command)
    except ValueError:
        return []
