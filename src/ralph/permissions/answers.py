"""Decisions about one part of a line, made in one place so that they all look alike."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.permissions.model import ApprovalClass, Decision, Outcome
from ralph.shell.model import Span


def allow(rule: str, reason: str, span: Span | None = None) -> Decision:
    return Decision(outcome=Outcome.ALLOW, rule=rule, reason=reason, span=span)


def deny(rule: str, reason: str, span: Span | None = None, alternative: str | None = None) -> Decision:
    return Decision(outcome=Outcome.DENY, rule=rule, reason=reason, span=span, alternative=alternative)


def ask(rule: str, reason: str, span: Span | None = None) -> Decision:
    return Decision(outcome=Outcome.APPROVE, rule=rule, reason=reason, span=span)


def ask_for(
    classes: Iterable[ApprovalClass], subject: str, span: Span | None = None, alternative: str | None = None
) -> Decision:
    """Ask because of classes. `subject` is what belongs to them."""
    names = tuple(sorted(classes))
    return Decision(
        outcome=Outcome.APPROVE,
        rule=f"approval.requiredFor: {', '.join(names)}",
        reason=f"{subject} belongs to {' and '.join(names)}, and a person decides about that",
        classes=names,
        alternative=alternative,
        span=span,
    )
