"""Writes the released policy sets as JSON beside them, and its lines in the lock: `python -m tools.policies`."""

from __future__ import annotations

import hashlib

from ralph.policy import ready, registry
from ralph.policy.written import written


def data_of(version: str) -> str:
    """What `<version>.json` must hold."""
    path = registry.BUNDLED / f"{version}.yaml"
    return ready.dumped(written(path.read_bytes(), str(path), version, locked=True))


def main() -> None:
    lock = registry.BUNDLED / registry.LOCK
    lines = [line for line in lock.read_text("utf-8").splitlines() if ".yaml" in line]
    for version in [line.partition(".")[0] for line in lines]:
        data = data_of(version).encode()
        (registry.BUNDLED / f"{version}.json").write_bytes(data)
        lines.append(f"{version}.json sha256:{hashlib.sha256(data).hexdigest()}")
    lock.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
