"""What a person asks for, made into work that every worker understands the same way.

Names become commits, and rules their digests, when the job is submitted: a branch that moves on later, or a policy set
that is another one elsewhere, changes nothing unseen.
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from ralph import contracts
from ralph.errors import UsageError
from ralph.fleet import fetching
from ralph.fleet.model import Run, Verification
from ralph.policy import registry
from ralph.system import records
from ralph.system.git import Repository, open_repository

_COMMIT = re.compile(r"[0-9a-f]{40}")


def verification(
    repository: str,
    commit: str,
    *,
    base: str | None = None,
    policy: str | None = None,
    contract: str | None = None,
    step_timeout_s: float = 600.0,
    fresh: bool = False,
) -> Verification:
    """Raises RalphError for a name that stands for nothing."""
    names = _Names(repository)
    rules = registry.load(policy) if policy else registry.default()
    terms = contracts.load(contract) if contract else None
    return Verification(
        repository=names.repository,
        commit=names.commit(commit),
        base=names.commit(base) if base else None,
        onto=None if base else names.default_branch(),
        policy=rules.version,
        policy_digest=rules.digest,
        contract=contract,
        contract_digest=records.digest(terms) if terms else None,
        step_timeout_s=step_timeout_s,
        fresh=secrets.token_hex(8) if fresh else "",
    )


def run(
    repository: str,
    commit: str,
    prompt: str,
    *,
    agent: str | None = None,
    preset: str | None = None,
    contract: str | None = None,
    phase: str | None = None,
    iterations: int | None = None,
    cost_usd: float | None = None,
) -> Run:
    """Raises RalphError for a name that stands for nothing."""
    names = _Names(repository)
    if contract:
        contracts.load(contract)
    return Run(
        id=secrets.token_hex(16),
        repository=names.repository,
        commit=names.commit(commit),
        prompt=prompt,
        agent=agent,
        preset=preset,
        contract=contract,
        phase=phase,
        iterations=iterations,
        cost_usd=cost_usd,
    )


class _Names:
    """What a repository calls its commits: here, or asked from afar."""

    def __init__(self, given: str) -> None:
        self.repository = fetching.address(given, Path.cwd())
        self._here: Repository | None = None
        self._afar: dict[str, str] = {}
        if fetching.is_local(self.repository):
            self._here = open_repository(Path(self.repository))
            self.repository = str(self._here.root)
        else:
            self._afar = fetching.names(self.repository)

    def commit(self, name: str) -> str:
        if self._here is not None:
            return self._here.resolve(name)
        if _COMMIT.fullmatch(name):
            return name
        for full in (name, f"refs/heads/{name}", f"refs/tags/{name}^{{}}", f"refs/tags/{name}"):
            if full in self._afar:
                return self._afar[full]
        raise UsageError(f"{self.repository} knows no {name!r}: give a branch, a tag or a whole commit id.")

    def default_branch(self) -> str | None:
        if self._here is None:
            return self._afar.get("HEAD")
        found = self._here.default_branch()
        return found[1] if found else None
