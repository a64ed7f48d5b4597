"""Which reader knows a program. Every program is described in one of the modules that `names` lists.

Only the module that describes the program is loaded: a hook is a process of its own and has no time for the others.
Spec: policy engine.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from ralph.permissions.programs.model import Reader
from ralph.permissions.programs.names import MODULES


def reader_of(name: str) -> Reader | None:
    """The reader of the program with this base name; None if nothing is known of it."""
    if name in MODULES:
        return programs(MODULES[name])[name]
    from ralph.permissions.programs.families import family

    return family(name)


def programs(module: str) -> Mapping[str, Reader]:
    """The programs that one module describes; no two describe the same one (a test says so)."""
    found: Mapping[str, Reader] = importlib.import_module(f"ralph.permissions.programs.{module}").PROGRAMS
    return found
