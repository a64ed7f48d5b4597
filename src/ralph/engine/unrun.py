"""Steps that are not run, and how the caller is told of those that are. Light: a reused verdict needs no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ralph.verdict import StepResult

Progress = Callable[[str, StepResult | None], None]
"""Called with a step's name when it starts (None) and when it ended (its result)."""


def exempt(reasons: Mapping[str, str]) -> list[StepResult]:
    """The steps that a contract declares not applicable, with its reasons."""
    return [StepResult(name=name, status="not_applicable", reason=reason) for name, reason in reasons.items()]


def skipped(names: Sequence[str], reason: str) -> list[StepResult]:
    return [StepResult(name=name, status="skipped", reason=reason) for name in names]
