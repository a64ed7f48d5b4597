"""How the steps of a run are held. A record of its own, so that a verdict that is reused loads no more than this."""

from __future__ import annotations

from pathlib import Path

from ralph.permissions.sandbox.model import Level
from ralph.record import record


@record(kw_only=True)
class Sandbox:
    """How steps are held (design decision 25). `writable` and `readable` are folders outside the tree."""

    level: Level
    writable: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    open_network: bool = False
