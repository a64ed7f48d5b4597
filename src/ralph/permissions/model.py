"""Permissions, actions and decisions: the words of `ralph.policy.json` as records.

Spec: policy engine; design decisions 22 to 27. Field names of the file are camelCase, as the spec has them; the
loader maps them. Everything here is data.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from ralph.permissions.capabilities import Capabilities
from ralph.record import field, record

Mode = Literal["core", "delivery"]
Check = Literal["test", "build", "lint", "typecheck"]
Pack = Literal["readonly-tools", "readonly-git", "uv-python"]


class ApprovalClass(StrEnum):
    """Kinds of action that a person may want to decide about."""

    DESTRUCTIVE = "destructive_ops"
    DEPENDENCY = "dependency_changes"
    PRODUCTION = "production_impacting_edits"


class Outcome(StrEnum):
    """`deny` is stronger than `approve` (a person is asked), which is stronger than `allow`."""

    ALLOW = "allow"
    APPROVE = "approve"
    DENY = "deny"


@record(kw_only=True)
class FileRules:
    """Paths or globs below the project root, compared component by component; "." is everything below it."""

    allow_read: tuple[str, ...] = ()
    allow_write: tuple[str, ...] = ()
    deny_read: tuple[str, ...] = ()
    deny_write: tuple[str, ...] = ()


@record(kw_only=True)
class CommandRules:
    """`allow` and `deny` are beginnings of argument lists; `packs` are built-in tables of rules."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    packs: tuple[Pack, ...] = ()


@record(kw_only=True)
class ApprovalRules:
    """Which classes ask a person; `paths` and `scripts` add to what belongs to `production_impacting_edits` etc."""

    required_for: frozenset[ApprovalClass] = frozenset()
    require_reason: bool = True
    paths: Mapping[ApprovalClass, tuple[str, ...]] = field(default_factory=dict)
    scripts: Mapping[ApprovalClass, tuple[str, ...]] = field(default_factory=dict)
    """Names of package scripts (`npm run NAME`) by class."""
    expires_s: float = 3600.0


@record(kw_only=True)
class CheckRules:
    required: tuple[Check, ...] = ()
    rollback_on_fail: bool = False


@record(kw_only=True)
class SandboxRules:
    """`required`: the lowest level that may be used. `network`: "none", or the only domains that may be reached."""

    required: Literal["none", "landlock", "bubblewrap"] | None = None
    """None if the policy does not say: landlock in delivery mode, and whatever there is in core mode."""
    network: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    """Absolute folders outside the project that commands may write (caches of tools)."""
    environment: tuple[str, ...] = ()
    """Names of further variables that are passed into the sandbox."""
    processes: int = 512
    memory_mb: int = 8192
    output_mb: int = 64
    timeout_s: float = 600.0


@record(kw_only=True)
class Permissions:
    """A validated `ralph.policy.json`. `digest` is the sha256 of what was read, `source` where it was read from.

    `narrowed_to` only takes away from what the policy allows: every one of them must hold too (see `narrowing`).
    """

    version: int
    mode: Mode
    files: FileRules
    commands: CommandRules
    approval: ApprovalRules
    checks: CheckRules
    sandbox: SandboxRules = field(default_factory=SandboxRules)
    source: str = "ralph.policy.json"
    digest: str = ""
    narrowed_to: tuple[Capabilities, ...] = ()


@record
class RunCommand:
    """A shell line. `cwd` is absolute, and None means the project root."""

    text: str
    cwd: str | None = None


@record
class ReadPath:
    path: str
    cwd: str | None = None


@record
class WritePath:
    """`content_digest` binds an approval to what is written; `deletes` says that the path is removed."""

    path: str
    cwd: str | None = None
    content_digest: str | None = None
    deletes: bool = False


@record
class UseTool:
    """A tool of an agent client that is neither shell nor file (`WebFetch`, an MCP tool). `detail` is its subject."""

    name: str
    detail: str = ""


Action = RunCommand | ReadPath | WritePath | UseTool


@record(kw_only=True)
class Decision:
    """What is to happen with an action, and why.

    `rule` names what decided (`commands.allow: npm test`, `files.denyRead: .env`, `OPAQUE_SYNTAX`), `span` is the part
    of a command's text that did, `alternative` what to do instead.
    """

    outcome: Outcome
    rule: str
    reason: str
    classes: tuple[ApprovalClass, ...] = ()
    alternative: str | None = None
    span: tuple[int, int] | None = None
    only_reads: bool = False
    """A command line in which every program only reads: it needs nothing that it may write."""
    writes_git: bool = False
    """A command line in which git itself is called for more than reading: it needs git's folder."""
