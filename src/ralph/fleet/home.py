"""A worker's folder: mirrors of repositories, working copies, and the runs that live here.

Rules:

- It is `$RALPH_FLEET_HOME`, else `ralph/fleet` below `$XDG_STATE_HOME` (`~/.local/state`); never inside a repository.
- It has a name of its own, made once. A run stays where its working copy is: whoever shares the folder may go on with
  it. So a home is for one machine, and its workers share it.
- A worker locks a file here as long as it lives. The kernel takes the lock away with the process, so the others on the
  machine know at once that it died, and do not wait for its heartbeat to grow old.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ralph.errors import StorageError
from ralph.record import record
from ralph.system.hold import Held, hold, mark_of

VARIABLE = "RALPH_FLEET_HOME"
FORGOTTEN_S = 24 * 3600.0
"""So long a worker that is gone is still shown, and what it left is kept."""
_ID = re.compile(r"[0-9a-f]{16}")


@record
class Home:
    path: Path
    id: str

    def mirror(self, repository: str) -> Path:
        """Objects of a repository, for all working copies of it."""
        return self.path / "mirrors" / f"{_key(repository)}.git"

    def copies(self, repository: str) -> Path:
        """Working copies of a repository, for one verification after the other."""
        return self.path / "copies" / _key(repository)

    def run(self, job: str) -> Path:
        """The folder of a run; its working copy is `tree` in it."""
        return self.path / "runs" / job

    def desk(self, name: str) -> Path:
        """Where a worker hands requests to its job processes."""
        return self.path / "workers" / name

    def alive(self, worker: str) -> bool | None:
        """Whether a worker of this home lives; None if it has no mark here."""
        try:
            descriptor = os.open(mark_of(self.desk(worker)), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def enter(self, worker: str) -> Held:
        """The mark of a worker that lives. Raises OSError."""
        self.desk(worker).parent.mkdir(parents=True, exist_ok=True)
        return hold(self.desk(worker))


def place(environ: Mapping[str, str]) -> Path:
    if given := environ.get(VARIABLE):
        return Path(given).expanduser().absolute()
    state = Path(environ.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else Path.home() / ".local" / "state") / "ralph" / "fleet"


def opened(path: Path) -> Home:
    """The home at `path`, made if there is none. Raises StorageError."""
    name = path / "id"
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not name.exists():
            _name_once(name)
        found = name.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise StorageError(f"The folder {path} of workers cannot be used: {error}.") from None
    if not _ID.fullmatch(found):
        raise StorageError(f"{name} is damaged: remove the folder, or name another with {VARIABLE}.")
    return Home(path, found)


def _name_once(path: Path) -> None:
    """Of several that try the first counts."""
    temporary = path.with_name(f".id.{secrets.token_hex(4)}")
    temporary.write_text(secrets.token_hex(8), "ascii")
    with suppress(FileExistsError):
        path.hardlink_to(temporary)
    temporary.unlink()


def _key(repository: str) -> str:
    return hashlib.sha256(os.fsencode(repository)).hexdigest()[:24]
