"""The policy sets that come with Ralph, by version (spec: governance engine 1.5; design decision 9).

A set is immutable once released: `released.lock` holds the sha256 of its file, and whatever does not agree with the
lock is refused, never used with a warning. A set that the lock does not name is a draft: it must be asked for by name,
and may not call itself immutable. The newest released set is the default.

Beside a released set it lies as JSON (`ready`), which is read fifty times as fast. That counts only if the lock holds
its sha256 as well and it says that it was made from this very file: it is as fixed as the set itself.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ralph.errors import ConfigError, PolicyTamperedError
from ralph.policy import ready
from ralph.policy.model import PolicySet

BUNDLED = Path(__file__).parent
LOCK = "released.lock"
_LOCK_LINE = re.compile(r"(v[1-9][0-9]*\.(?:yaml|json)) sha256:([0-9a-f]{64})")
_REINSTALL = "install Ralph anew"


def available(directory: Path = BUNDLED) -> tuple[str, ...]:
    """The versions there are, drafts too, oldest first."""
    return tuple(sorted((path.stem for path in directory.glob("v*.yaml")), key=_number))


def released(directory: Path = BUNDLED) -> tuple[str, ...]:
    """The released versions, oldest first."""
    return tuple(sorted((name[:-5] for name in _lock(directory) if name.endswith(".yaml")), key=_number))


def default(directory: Path = BUNDLED) -> PolicySet:
    """The newest released set."""
    versions = released(directory)
    if not versions:
        raise PolicyTamperedError(f"{directory / LOCK} names no released policy set; {_REINSTALL}")
    return load(versions[-1], directory)


def load(version: str, directory: Path = BUNDLED) -> PolicySet:
    """One set, checked against the lock. Raises ConfigError or PolicyTamperedError."""
    versions = available(directory)
    lock = _lock(directory)
    if version not in versions:
        raise ConfigError(f"there is no policy set {version!r}; there are: {', '.join(versions)}")
    path, locked = directory / f"{version}.yaml", f"{version}.yaml" in lock
    data, fast = _checked(path, lock), path.with_suffix(".json")
    if locked and fast.name in lock:
        return ready.loaded(_checked(fast, lock), made_from=hashlib.sha256(data).hexdigest(), source=str(fast))
    from ralph.policy.written import written  # loads YAML, which a released set does not need

    return written(data, str(path), version, locked=locked)


def _checked(path: Path, lock: dict[str, str]) -> bytes:
    """What the file holds. A draft may hold anything."""
    data = path.read_bytes()
    if path.name in lock and lock[path.name] != hashlib.sha256(data).hexdigest():
        raise PolicyTamperedError(
            f"policy set {path.stem} is not what was released ({path} differs from {LOCK}); {_REINSTALL}"
        )
    return data


def _number(version: str) -> tuple[int, str]:
    digits = version.removeprefix("v")
    return (int(digits) if digits.isdecimal() else 0, version)


def _lock(directory: Path) -> dict[str, str]:
    """Files of released sets and their digests. A lock that is not sound makes every set unusable."""
    try:
        lines = (directory / LOCK).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyTamperedError(
            f"{directory / LOCK} cannot be read, so no policy set can be trusted; {_REINSTALL}"
        ) from error
    entries: dict[str, str] = {}
    for line in filter(None, (line.strip() for line in lines)):
        match = _LOCK_LINE.fullmatch(line)
        if not match or match[1] in entries:
            raise PolicyTamperedError(
                f"{directory / LOCK} has a line that is no entry or stands twice: {line!r}; {_REINSTALL}"
            )
        if not (directory / match[1]).is_file():
            version = match[1].partition(".")[0]
            raise PolicyTamperedError(f"the released policy set {version} is missing from {directory}; {_REINSTALL}")
        entries[match[1]] = match[2]
    return entries
