"""Contracts: the limits of one kind of agent, set by governance and never by the application.

Spec: governance engine 1.7; design section 6. A contract that sets a limit itself is the exemption from the
policy's own threshold for that limit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

SANDBOX_LEVELS = ("none", "landlock", "bubblewrap")
"""Weakest first."""

StepName = Literal["lint", "typecheck", "tests", "coverage", "build", "audit", "complexity", "duplication", "mutation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper limits of a change; None leaves the policy's threshold in force."""

    lines_added: int | None = None
    """More added lines are BLOCKED; without it the policy's threshold holds."""
    files_changed: int | None = None
    """The same for files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepExemption:
    """A step that does not apply to this project. The reason stands in every verdict."""

    not_applicable: str
    """Why the step does not apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Switches of what is measured beyond the steps themselves."""

    test_inventory: Literal["free", "unchanged"] = "free"
    """`unchanged`: the tests that run are, by id, those that run on the base."""
    rerun_failed_tests: bool = False
    """A failing test step runs once more on the same tree; two different results make it flaky."""
    accept_flaky: bool = False
    """A flaky test step whose second run passed counts as passed. It is shown as flaky all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutonomyContract:
    """The contract of one kind of agent. `paths` are globs of the only files it may change; empty means all."""

    agent: str
    """The kind of agent; who calls the engine must name the same one."""
    version: str
    """Yours to choose; recorded."""
    limits: Limits = field(default_factory=Limits)
    """Upper limits of a change."""
    steps: dict[StepName, StepExemption] = field(default_factory=dict)
    """Steps that do not apply to this project, each with the reason."""
    paths: list[str] = field(default_factory=list)
    """Globs of the only files that may change; empty means all."""
    sandbox: Literal["none", "landlock", "bubblewrap"] = "none"
    """The lowest level of sandbox this agent may run at. A level that cannot be had is BLOCKED, never skipped."""
    network: Literal["none", "open"] = "none"
    """Whether the steps may reach the network. Servers that a step starts itself on loopback need no permission."""
    review: Literal["show", "block"] = "show"
    """What a `review` finding does: it is shown, or it needs a person before the change counts."""
    autonomy_level: Literal["L1", "L2"] = "L2"
    """`L1`: a finding for review needs a person. `L2`: it is shown."""
    controls: Controls = field(default_factory=Controls)
    """What is measured beyond the steps themselves."""
