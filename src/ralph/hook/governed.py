"""Which project a client works in, and the policy that counts there (design decision 5).

Rules:

- The project is the git working copy around the folder in which the person started the client; what the model calls
  its folder does not count.
- The policy is never what the agent may have written. In this order: `ralph.policy.json` as a person accepted it (its
  digest stands in Ralph's configuration folder, and looking it up costs next to nothing), else as it stands in the last
  commit. A repository inside another governed project might be the agent's own making: there only acceptance counts.
- No policy, or a broken one, is an error, and an error denies.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from ralph.hook.model import RefusedError
from ralph.permissions.loader import POLICY_FILE, parse
from ralph.permissions.model import Permissions
from ralph.system.trusted import accepted


def project(client: str, environ: Mapping[str, str]) -> Path:
    """The root of the project that the client was started in. Raises RefusedError."""
    start = environ.get("CLAUDE_PROJECT_DIR", "") if client == "claude" else ""
    folder = Path(os.path.realpath(start if start.startswith("/") else os.getcwd()))  # noqa: PTH109
    root = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), None)
    if root is None:
        raise RefusedError(f"{folder} is not in a git repository, so no policy counts there and nothing is allowed.")
    return root


def policy(root: Path) -> Permissions:
    """The permissions that count in the project. Raises RalphError."""
    found = document(root)
    if found is None:
        raise RefusedError(
            f"There is no {POLICY_FILE} that a person committed or accepted, so nothing is allowed: commit it, or "
            "accept it with `ralph init --accept`."
        )
    return parse(*found)


def document(root: Path) -> tuple[bytes, str] | None:
    """The policy that counts in the project, and where it is from; None if there is none. Raises RalphError."""
    present = _present(root / POLICY_FILE)
    if present is not None and accepted(root).get(POLICY_FILE) == sha256(present).hexdigest():
        return present, POLICY_FILE
    if any(os.path.lexists(each / POLICY_FILE) for each in root.parents):
        raise RefusedError(
            f"{root} lies inside another project with a {POLICY_FILE}, so a person must accept the inner one "
            "(`ralph init --accept`) before anything is allowed."
        )
    from ralph.system.git import open_repository  # only here: it costs more than all the rest

    repository = open_repository(root)
    head = repository.head()
    committed = repository.read(head, POLICY_FILE) if head else None
    return None if committed is None else (committed, f"{POLICY_FILE} of the last commit")


def _present(path: Path) -> bytes | None:
    """What stands there, if it is a plain file: a pipe would be waited for forever."""
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None
