"""Writes the data of the released policy sets beside them, and its lines in the lock: `python -m tools.policies`."""

from __future__ import annotations

import hashlib
import json

from ralph.policy import registry
from ralph.system.yaml import load_yaml


def data_of(version: str) -> str:
    """What `<version>.json` must hold."""
    content = (registry.BUNDLED / f"{version}.yaml").read_bytes()
    made_from = {registry.MADE_FROM: hashlib.sha256(content).hexdigest()}
    return json.dumps({**made_from, **load_yaml(content.decode(), version)}, indent=0, ensure_ascii=False) + "\n"


def main() -> None:
    lock = registry.BUNDLED / registry.LOCK
    lines = [line for line in lock.read_text().splitlines() if ".yaml" in line]
    for version in [line.partition(".")[0] for line in lines]:
        data = data_of(version).encode()
        (registry.BUNDLED / f"{version}.json").write_bytes(data)
        lines.append(f"{version}.json sha256:{hashlib.sha256(data).hexdigest()}")
    lock.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
