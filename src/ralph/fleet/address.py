"""Which queue: a database's address, and where it comes from.

Rules:

- `--queue` counts before `RALPH_QUEUE`, that before `ralph.yml` (as it stands in the base). Without any, the file
  `fleet/queue.db` in Ralph's configuration folder, where no agent may write: `ralph worker` makes it, without set-up.
- `sqlite:///PATH` is for the workers of one machine, on a local disk; `postgresql://` for many machines.
- A secret is never shown, stored or handed to what a worker runs. A file of the project may hold none at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from ralph.errors import ConfigError, UsageError
from ralph.system.places import config_home

VARIABLE = "RALPH_QUEUE"
POSTGRES = ("postgresql", "postgres")


def default_file() -> Path:
    return config_home() / "fleet" / "queue.db"


def default() -> str:
    return f"sqlite:///{default_file()}"


def chosen(option: str | None, environ: Mapping[str, str], configured: str | None) -> str | None:
    """The address that counts, None if none was given. Raises UsageError, ConfigError."""
    if configured and has_secret(configured):
        raise ConfigError(
            f"`queue` in ralph.yml holds a secret ({shown(configured)}): files of a project are read by everybody. "
            f"Set {VARIABLE} instead, or leave the password to ~/.pgpass."
        )
    given = option or environ.get(VARIABLE) or configured
    return checked(given) if given else None


def checked(address: str) -> str:
    """The address if it can be one. Raises UsageError, without what may be secret."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise UsageError(f"{_NOT_ONE}, and what was given cannot be read as one.") from None
    if parts.scheme == "sqlite" and address.startswith("sqlite:////") and not parts.query:
        return address
    if parts.scheme == "sqlite":
        raise UsageError(f"{_NOT_ONE}; a file needs its whole path, with four slashes: {shown(address)!r} has not.")
    if parts.scheme in POSTGRES and parts.path.strip("/"):
        return urlunsplit(parts._replace(scheme="postgresql"))
    raise UsageError(f"{_NOT_ONE}; {shown(address)!r} is neither.")


_NOT_ONE = "A queue is `sqlite:////path/to/file` or `postgresql://user@host/database`"


def sqlite_file(address: str) -> Path | None:
    """The file of an SQLite queue."""
    return Path(address.removeprefix("sqlite:///")) if address.startswith("sqlite:///") else None


def has_secret(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return parts.password is not None or "password" in parts.query.lower()


def shown(address: str) -> str:
    """The address for people: no password, no query, in which there may be another one."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return "(an address that cannot be read)"
    if parts.scheme == "sqlite":
        return address.split("?", 1)[0]
    user, at, host = parts.netloc.rpartition("@")
    name = user.split(":", 1)[0]
    return urlunsplit(parts._replace(netloc=f"{name}{at}{host}", query="", fragment=""))
