"""What is measured and found: step results, findings, and failures told to be new, old or gone. Facts, no judgement."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from ralph.record import field, record

Severity = Literal["block", "review"]
StepStatus = Literal["pass", "fail", "error", "skipped", "not_applicable"]
ControlStatus = Literal["held", "broken", "open", "idle", "off"]

STEP_ORDER = (
    "contract_check",
    "guardrail",
    "lint",
    "typecheck",
    "tests",
    "coverage",
    "build",
    "audit",
    "complexity",
    "duplication",
    "mutation",
    "thresholds",
)
BLOCKING_STEPS = frozenset({"contract_check", "guardrail"})
COULD_NOT_VERIFY = "could not verify:"


@record(kw_only=True)
class Excuse:
    """What a person's exception says to a finding: who, why and until when; or why it does not count (`holds`)."""

    holds: bool
    sentence: str


@record(kw_only=True)
class Finding:
    """One guardrail hit that the change is answerable for. Line and column are 1-based; 0 means "no line"."""

    rule: str
    severity: Severity
    reason: str
    path: str
    line: int
    column: int
    snippet: str
    fix: str | None = None
    exception: Excuse | None = None

    @property
    def excused(self) -> bool:
        """A person takes it upon themselves. It is shown, and holds nothing up."""
        return self.exception is not None and self.exception.holds

    @property
    def blocks(self) -> bool:
        return self.severity == "block" and not self.excused

    def sort_key(self) -> tuple[str, int, int, str]:
        return (self.path, self.line, self.column, self.rule)

    def describe(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{self.rule} at {where}: {self.reason}"


@record(kw_only=True)
class ControlResult:
    """What one control of a step's result found, and what it cost.

    `held`: the result stands; `broken`: it does not; `open`: the control could not tell, and `reason` says why; `idle`:
    there was nothing to control; `off`: the contract switched it off. `details` are test ids, mutants, diagnostics.
    """

    name: str
    status: ControlStatus
    duration_ms: int = 0
    reason: str | None = None
    details: tuple[str, ...] = ()


@record(kw_only=True)
class StepResult:
    """What Ralph measured in one step.

    `counts` holds only what was measured (`errors`, `files`, `tests`, `failures`, `skipped`, `percent` ...).
    `failures` are stable ids of what failed (test ids, `path: code` of a diagnostic), by which a failure is
    told to be new, old or fixed against the base. `inventory` is a digest over the ids of the tests that ran.
    `report` and `log` are paths inside the audit directory.
    """

    name: str
    status: StepStatus
    exit_code: int | None = None
    signal: str | None = None
    duration_ms: int = 0
    counts: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    inventory: str | None = None
    report: str | None = None
    log: str | None = None
    reason: str | None = None
    command: str | None = None
    containment: str | None = None
    flaky: bool = False
    controls: tuple[ControlResult, ...] = ()

    @property
    def passed(self) -> bool:
        return self.status == "pass"

    @property
    def good(self) -> bool:
        return self.status in ("pass", "not_applicable")


@record(kw_only=True)
class Attribution:
    """The failures of this tree against those of the base (design decision 12)."""

    regressions: tuple[str, ...] = ()
    pre_existing: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


def finding_from_dict(data: Mapping[str, Any]) -> Finding:
    exception = data.get("exception")
    return Finding(**{**data, "exception": Excuse(**exception) if exception else None})


def step_from_dict(data: Mapping[str, Any]) -> StepResult:
    controls = tuple(_control_from_dict(each) for each in data.get("controls", ()))
    return StepResult(**{**data, "failures": tuple(data["failures"]), "controls": controls})


def _control_from_dict(data: Mapping[str, Any]) -> ControlResult:
    return ControlResult(**{**data, "details": tuple(data["details"])})


def attribute(now: Collection[str], base: Collection[str]) -> Attribution:
    """Failures that are new, that the base has too, and that the base had and are gone."""
    new, old = set(now), set(base)
    return Attribution(
        regressions=tuple(sorted(new - old)), pre_existing=tuple(sorted(new & old)), fixed=tuple(sorted(old - new))
    )
