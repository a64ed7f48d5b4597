"""A policy set as the rest of Ralph uses it: frozen, and free of how its file is written."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.record import record
from ralph.results import Severity

NEVER_EXCUSED = ("tree.", "scan.", "secret.key", "secret.private-key")
"""No exception reaches these, nor the class G17. `tree.` and `scan.` say that something was not judged: nobody can take
upon themselves what nobody has seen. G17 is tampering with the evidence that exceptions themselves rest on. A key
that is in the history is out, whoever excuses it. Their way out is a commit of a person's own, which makes a base.
"""


@record
class Rule:
    """What a finding is called, which class of trick it answers, how severe it is and what to tell people."""

    id: str
    class_: str
    severity: Severity
    reason: str
    fix: str

    @property
    def excusable(self) -> bool:
        """Whether a person's exception may excuse a finding of it (see `NEVER_EXCUSED`)."""
        return self.class_ != "G17" and not self.id.startswith(NEVER_EXCUSED)


@record
class Pattern:
    """A regular expression of v1, and the group that says which files it is for."""

    rule: str
    group: str
    expression: str


@record
class StepRule:
    """What a step must reach; None where the policy asks nothing of that kind."""

    required: bool
    """Whether a verdict needs it."""
    max_errors: int | None = None
    """How many errors are let through."""
    must_all_pass: bool | None = None
    """Every test must pass."""
    min_percent: float | None = None
    """The least coverage, in percent."""


@record
class Thresholds:
    max_lines_added: int
    """Added lines."""
    max_files_changed: int
    """Changed files."""


@record
class Meaning:
    """What a verdict means and what follows from it for the agent and for people."""

    meaning: str
    """What it means."""
    agent_action: str
    """What the agent does then."""
    human_action: str
    """What a person does then."""


@record(kw_only=True)
class PolicySet:
    """One version of the rules. `digest` is the sha256 of the file's bytes, in hexadecimal."""

    version: str
    released: bool
    released_at: str | None
    digest: str
    steps: Mapping[str, StepRule]
    thresholds: Thresholds
    min_coverage: float
    rules: Mapping[str, Rule]
    patterns: tuple[Pattern, ...]
    meanings: Mapping[str, Meaning]

    @property
    def required_steps(self) -> tuple[str, ...]:
        return tuple(name for name, step in self.steps.items() if step.required)
