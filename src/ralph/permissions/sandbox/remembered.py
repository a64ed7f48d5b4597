"""The level that was found on this machine, kept so that it need not be found anew for every command.

It holds for this boot, user, kernel, bubblewrap and set of attacks, and lies in the cache folder, which every level
keeps closed. `none` is never kept: whoever ran without a sandbox could have written it there. Loaded for every denial,
so that it needs little.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from ralph.errors import RalphError
from ralph.system.files import atomic_write
from ralph.system.places import cache_home

ATTACKS = Path(__file__).with_name("attacks.py")
_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/run/current-system/sw/bin")


def bubblewrap() -> str | None:
    """Bubblewrap, of the system and of nobody else: a file that the agent could replace would be no sandbox."""
    candidates = (f"{folder}/bwrap" for folder in _FOLDERS)
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def remembered() -> str | None:
    """The level that is kept, or None."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(_file().read_bytes())
        if known["key"] == _key() and known["level"] in ("landlock", "bubblewrap"):
            return str(known["level"])
    return None


def remember(level: str) -> None:
    """Keep a level; one that cannot be kept is found again next time."""
    if level != "none":
        with suppress(OSError, RalphError):
            _file().parent.mkdir(parents=True, exist_ok=True)
            atomic_write(_file(), json.dumps({"key": _key(), "level": level}).encode())


def _file() -> Path:
    return cache_home() / "sandbox.json"


def _key() -> str:
    """Whatever could change the answer."""
    machine = os.uname()
    facts = [machine.release, machine.machine, str(os.getuid()), ATTACKS.read_text(encoding="utf-8")]
    with suppress(OSError):
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    if program := bubblewrap():
        state = Path(program).stat()
        facts.append(f"{program} {state.st_size} {state.st_mtime_ns} {state.st_ino}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()
