"""The token of a dashboard, and what is derived from it (issue: dashboard).

Rules:

- It is new with every start, and lies in Ralph's configuration folder, for its owner alone. That folder is outside of
  the project, and the sandbox hides it from agents. It is in no environment and on no command line.
- The browser gets it once, in the address that `ralph web` prints. From then on it has a cookie, which is derived from
  the token and does not lead back to it; so is the field that forms carry.
- Cookies do not know ports: a server that an agent started on this machine would be sent the cookie too. So all pages
  lie below a path that is derived from the token as well, and the cookie belongs to this path alone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from ralph.errors import StorageError
from ralph.record import field, record
from ralph.system.files import reason
from ralph.system.places import config_home

COOKIE = "ralph"


@record
class Secret:
    """What opens a dashboard."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def place(self) -> str:
        """The path below which all pages lie, without a slash at its end."""
        return "/" + self._derived("place")[:16]

    @property
    def session(self) -> str:
        """The value of the cookie."""
        return self._derived("session")

    @property
    def form(self) -> str:
        """What a form has to carry."""
        return self._derived("form")

    def opens(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self.token.encode())

    def _derived(self, what: str) -> str:
        return hmac.new(self.token.encode(), what.encode(), hashlib.sha256).hexdigest()


def token_file(root: Path) -> Path:
    """Where the token of the dashboard of the project at `root` lies while it runs."""
    return config_home() / "web" / f"{hashlib.sha256(os.fsencode(root.resolve())).hexdigest()}.token"


def keep(secret: Secret, root: Path) -> Path:
    """Write the token down, for its owner alone. Raises StorageError, also if an agent could read it there."""
    path = token_file(root)
    if path.parent.resolve().is_relative_to(root.resolve()):
        raise StorageError(
            f"The configuration folder {config_home()} lies inside the repository {root}, where an agent could read "
            "the dashboard's token; set XDG_CONFIG_HOME to a folder outside it."
        )
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - with a mode
            file.write(secret.token.encode() + b"\n")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {reason(error)}.") from error
    return path
