"""A case: everything that is fixed before the first step runs, so that no step can choose how it is judged.

Made once per verification. The base, the policy, the context, the contract, the environment and the digests of the
tools are taken here; what a step changes afterwards is seen by comparing with this.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path, PurePosixPath
from typing import Any

from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.engine import inputs
from ralph.permissions.sandbox.model import Level
from ralph.policy.model import PolicySet
from ralph.record import field, record
from ralph.steps.environment import clean_environment
from ralph.steps.sandbox import Sandbox
from ralph.steps.tool_digests import tool_digests
from ralph.system import records
from ralph.system.base import base_tree
from ralph.system.git import Repository
from ralph.system.places import bytecode_dir
from ralph.system.tree import Snapshot
from ralph.verdict import STEP_ORDER, Attribution, Finding, StepResult

WRITTEN_BY_TOOLS = frozenset({".pyc", ".log", ".tsbuildinfo", ".xml"})
CACHES = frozenset({".mypy_cache", ".pytest_cache", ".ruff_cache", ".eslintcache", ".stylelintcache"})
OPTIONAL = ("build", "audit", "complexity", "duplication", "mutation")


@record(kw_only=True)
class Case:
    """`required`: the steps that must be measured; `exempt`: those a contract declares not applicable, with reasons.
    `known_tools` remembers digests of tools by the state of their files, so that looking again is cheap.
    """

    repo: Repository
    context: AppContext
    contract: AutonomyContract | None
    agent_type: str | None
    policy: PolicySet
    head: str | None
    branch: str | None
    base_commit: str | None
    base_tree: str
    snapshot: Snapshot
    accepted: Mapping[str, str]
    required: tuple[str, ...]
    exempt: Mapping[str, str]
    env: Mapping[str, str]
    tools: Mapping[str, str]
    known_tools: MutableMapping[str, str]
    inputs: Mapping[str, Any]
    sandbox: Sandbox

    @property
    def commands(self) -> dict[str, str | None]:
        """The command of every required step."""
        return {name: self.context.commands.for_step(name) for name in self.required}

    @property
    def autonomy_level(self) -> str:
        """The stricter of the contract's and the context's level."""
        levels = [self.context.autonomy_level, self.contract.autonomy_level if self.contract else "L2"]
        return min(levels)


@record(kw_only=True)
class Judged:
    """What was found before it is combined into a verdict."""

    steps: list[StepResult]
    findings: tuple[Finding, ...]
    after: Snapshot
    attribution: Attribution = field(default_factory=Attribution)
    reused_from: str | None = None


def open_case(
    *,
    repo: Repository,
    context: AppContext,
    contract: AutonomyContract | None,
    agent_type: str | None,
    policy: PolicySet,
    base_commit: str | None,
    snapshot: Snapshot,
    accepted: Mapping[str, str],
    environ: Mapping[str, str],
    scratch: Path,
    level: Level,
    checks: Iterable[str] = (),
) -> Case:
    """Fix a case. Reads the environment's tools and the ignored files once. `scratch` is this run's own folder."""
    exempt = {str(name): step.not_applicable for name, step in contract.steps.items()} if contract else {}
    named = [name for name in OPTIONAL if context.commands.for_step(name)]
    required = tuple(sorted({*policy.required_steps, *named, *checks} - exempt.keys(), key=STEP_ORDER.index))
    bytecode = bytecode_dir(repo.root)
    bytecode.mkdir(mode=0o700, parents=True, exist_ok=True)  # a sandbox can only open what is there
    bytecode = bytecode.resolve()  # and shows no link to it
    env = clean_environment(environ, root=repo.root, scratch=scratch, bytecode=bytecode)
    commands = [command for name in required if (command := context.commands.for_step(name))]
    sandbox = Sandbox(
        level=level,
        writable=(scratch, bytecode),
        open_network=contract is not None and contract.network == "open",
    )
    known: dict[str, str] = {}
    tools = tool_digests(commands, root=repo.root, env=env, known=known)
    return Case(
        repo=repo,
        context=context,
        contract=contract,
        agent_type=agent_type,
        policy=policy,
        head=repo.head(),
        branch=repo.branch(),
        base_commit=base_commit,
        base_tree=base_tree(repo, base_commit),
        snapshot=snapshot,
        accepted=accepted,
        required=required,
        exempt=exempt,
        env=env,
        tools=tools,
        known_tools=known,
        sandbox=sandbox,
        inputs=inputs.build(
            context=context,
            contract=contract,
            agent_type=agent_type,
            policy=policy,
            base_commit=base_commit,
            tree=snapshot.tree,
            required=required,
            accepted=accepted,
            # The one variable that names this run's own folder: the next run must find the same inputs.
            env={**env, "COVERAGE_FILE": ""},
            tools=tools,
            ignored=_ignored_digest(repo.root, snapshot, context),
            sandbox_level=sandbox.level,
            network=sandbox.open_network,
        ),
    )


def _ignored_digest(root: Path, snapshot: Snapshot, context: AppContext) -> str:
    """Digest of the single ignored files that tools may read.

    Ignored files are not in the tree, yet a local `.env` or an ignored `conftest.py` can decide how a test ends.
    Ignored folders (dependencies, caches) do not count, nor do reports and data files that the steps themselves write.
    """
    reports = {context.paths.coverage_report, context.paths.test_report}
    content = {}
    for name in snapshot.ignored:
        path = root / name
        if name not in reports and not _written_by_tools(name) and path.is_file() and not path.is_symlink():
            content[os.fsencode(name).hex()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return records.digest(content)


def _written_by_tools(name: str) -> bool:
    """Data files, and caches; a cache that hides itself by a `.gitignore` of its own is listed file by file."""
    path = PurePosixPath(name)
    is_coverage_data = path.name == ".coverage" or path.name.startswith(".coverage.")
    return is_coverage_data or path.suffix in WRITTEN_BY_TOOLS or not CACHES.isdisjoint(path.parts)
