"""The fleet that a command means: the queue that is named, or the one of this machine, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ralph import config as configs
from ralph.context import trust
from ralph.errors import RepositoryError
from ralph.fleet import address, home, parts
from ralph.fleet.inline import InlineFleet
from ralph.fleet.protocol import Fleet
from ralph.system.git import open_repository


def opened(option: str | None, directory: Path, environ: Mapping[str, str] = os.environ) -> Fleet:
    """The queue; without one named or begun on this machine, the fleet that does everything here and now."""
    named = address.chosen(option, environ, configured(directory))
    if named is None and not address.default_file().exists():
        return InlineFleet(home.opened(home.place(environ)))
    parts.loaded()  # before what needs it is loaded: a missing package is one sentence
    from ralph.fleet.queue import QueueFleet

    return QueueFleet(named or address.default())


def configured(directory: Path) -> str | None:
    """What `ralph.yml` says, as it stands in the base. Raises ConfigError."""
    try:
        repo = open_repository(directory)
    except RepositoryError:
        return None
    return configs.from_repository(repo, repo.head(), trust.accepted(repo.root)).config.queue
