"""Programs that are known by the form of their name: `git-push`, `pip3.11`, `python3.12`, `mkfs.ext4`.

Rule: a name with a version is the program without it, so that no version gets past a rule. The form is looked at
first: most names have none, and a hook has no time to load what describes the others.
"""

from __future__ import annotations

import re

from ralph.permissions.programs.model import Reader

PYTHON = re.compile(r"(python|pypy|pythonw)[0-9.]*(t|d|w)?(\.exe)?\Z")
LOADER = re.compile(r"ld(-linux|-musl|64)?[-.\w]*\.so(\.\d+)*\Z")
VERSION = "0123456789.-"


def family(name: str) -> Reader | None:
    """The reader of a program whose name follows a known form; None if it does not."""
    from ralph.permissions.programs.answers import refuses

    if PYTHON.match(name):
        from ralph.permissions.programs.python_program import python

        return python
    if LOADER.match(name):
        return refuses("starts a program under another name")
    if name.startswith("mkfs."):
        return refuses("changes devices, disks or what is mounted")
    if name.startswith("git-"):
        from ralph.permissions.programs.git import dashed

        return dashed(name)
    return _with_version(name) if name.rstrip(VERSION) != name else None


def _with_version(name: str) -> Reader | None:
    from ralph.permissions.programs.interpreters import versioned
    from ralph.permissions.programs.managers_python import python_manager

    return python_manager(name) or versioned(name)
