"""Contracts: the limits of one kind of agent, set by governance and never by the application.

Spec: governance engine 1.7; design section 6. A contract that sets a limit itself is the exemption from the
policy's own threshold for that limit.
"""

from __future__ import annotations

from typing import Literal

from ralph.record import field, record

SANDBOX_LEVELS = ("none", "landlock", "bubblewrap")
"""Weakest first."""

StepName = Literal["lint", "typecheck", "tests", "coverage", "build", "audit", "complexity", "duplication", "mutation"]


@record(kw_only=True)
class Limits:
    """Upper limits of a change; None leaves the policy's threshold in force."""

    lines_added: int | None = None
    """More added lines are BLOCKED; without it the policy's threshold holds."""
    files_changed: int | None = None
    """The same for files."""


@record(kw_only=True)
class StepExemption:
    """A step that does not apply to this project. The reason stands in every verdict."""

    not_applicable: str
    """Why the step does not apply."""


ControlMode = Literal["none", "show", "fail", "strict"]
"""What a control does: nothing; it shows what it finds; what it finds fails the step; and it fails the step as well
when it cannot tell."""


@record(kw_only=True)
class Controls:
    """Switches of what is measured beyond the steps themselves (see `ralph.controls`)."""

    test_inventory: Literal["free", "kept", "unchanged"] = "kept"
    """`kept`: the tests that ran on the base still run, under whatever name. `unchanged`: the same ids, no others."""
    canary: ControlMode = "fail"
    """Tests that must fail and tests that must pass, among the project's own in a copy of the tree."""
    restored: ControlMode = "fail"
    """A run with the base's configuration of the runner, conftest and scripts, where the change touches those."""
    negative: ControlMode = "show"
    """New and changed tests must fail on the base's source."""
    former: ControlMode = "fail"
    """Changed tests that pass on the base's source as well pass on the head's as they stood on the base."""
    suppressions: ControlMode = "show"
    """What the linter finds when nothing may be suppressed must not grow."""
    mutants: ControlMode = "none"
    """Faults that are put into the changed lines must be found by the tests."""
    mutants_budget_s: int = 60
    """Seconds for that; what was not tried by then is said."""
    rerun_failed_tests: bool = False
    """A failing test step runs once more on the same tree; two different results make it flaky."""
    accept_flaky: bool = False
    """A flaky test step whose second run passed counts as passed. It is shown as flaky all the same."""


@record(kw_only=True)
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
