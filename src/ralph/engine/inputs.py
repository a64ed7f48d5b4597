"""Everything a verdict depends on, written down: the same inputs give the same verdict.

The digest over them finds a verdict again (design decision 14). Values that may hold secrets (the environment)
and places (the project's path) enter only as digests, or not at all.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import ralph
from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.policy.model import PolicySet
from ralph.system import records


def context_digest(context: AppContext) -> str:
    """Digest of a context without the place where the project lies."""
    plain = dataclasses.asdict(context)
    del plain["project"]["path"]
    return records.digest(plain)


def build(
    *,
    context: AppContext,
    contract: AutonomyContract | None,
    agent_type: str | None,
    policy: PolicySet,
    base_commit: str | None,
    tree: str,
    required: Sequence[str],
    accepted: Mapping[str, str],
    env: Mapping[str, str],
    tools: Mapping[str, str],
    ignored: str,
    sandbox_level: str,
    network: bool,
) -> dict[str, Any]:
    """The inputs as a JSON-ready mapping."""
    plain = dataclasses.asdict(context)
    del plain["project"]["path"]
    return {
        "ralph": ralph.__version__,
        "policy": {"version": policy.version, "digest": policy.digest},
        "context": plain,
        "contract": dataclasses.asdict(contract) if contract else None,
        "agent_type": agent_type,
        "base_commit": base_commit,
        "tree": tree,
        "required": list(required),
        "accepted": dict(accepted),
        "environment": {name: records.digest(value) for name, value in env.items()},
        "tools": dict(tools),
        "ignored": ignored,
        "platform": _platform(),
        "sandbox_level": sandbox_level,
        "network": network,
    }


def _platform() -> dict[str, str]:
    """Without the module `platform`, which takes longer to load than to answer."""
    system = os.uname()
    version = ".".join(str(part) for part in sys.version_info[:3])
    return {"system": system.sysname, "machine": system.machine, "python": version}
