"""Specifications and plans that several tests use. The first is the example of the specification, as it stands."""

from __future__ import annotations

from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus

AUTHENTICATION = """\
# Authentication System Specification

## Problem Statement
Users need secure access to their accounts with support for
email/password and OAuth providers.

## Success Criteria
- Users can register with email/password
- Users can log in with Google OAuth
- Sessions persist for 7 days
- Password reset works via email

## Constraints
- Must use existing PostgreSQL database
- No third-party auth services (self-hosted)

## Acceptance Criteria
- [ ] Registration creates user in database
- [ ] Login returns JWT token
- [ ] Protected routes reject invalid tokens
- [ ] Password reset sends email within 30s
"""

JOB = "When I come back after a week, I want to be logged in still, so I can go on where I left off.\n"


def spec_text(**sections: str) -> str:
    """A complete specification; `problem`, `success`, `constraints` and `acceptance` replace the text of a section."""
    texts = {
        "problem": "Totals are wrong for empty lists.",
        "success": "- No total raises",
        "constraints": "- No new dependency",
        "acceptance": "- [ ] `total([])` is 0\n- [ ] uv run pytest tests/test_total.py passes",
    } | sections
    names = ("Problem Statement", "Success Criteria", "Constraints", "Acceptance Criteria")
    return "# Totals\n\n" + "".join(f"## {name}\n{text}\n\n" for name, text in zip(names, texts.values(), strict=True))


def task(name: str, status: TaskStatus = TaskStatus.COMPLETE, **fields: object) -> Task:
    given: dict[str, object] = {"verification_criteria": ("uv run pytest passes",), **fields}
    return Task(id=name, description=f"Do {name}", status=status, **given)  # type: ignore[arg-type]


def plan(*tasks: Task) -> ImplementationPlan:
    return ImplementationPlan(tasks=tasks)


EXAMPLE = plan(
    Task(
        id="auth-01",
        description="Create User model with password hashing",
        verification_criteria=(
            "User model exists in models/user.py",
            "Password is hashed using bcrypt",
            "uv run pytest tests/test_user_model.py passes",
        ),
        estimated_tokens=25_000,
    ),
    Task(
        id="auth-02",
        description="Add registration endpoint",
        priority=2,
        dependencies=("auth-01",),
        verification_criteria=(
            "POST /api/register creates user",
            "Returns 400 for duplicate email",
            "uv run pytest tests/test_registration.py passes",
        ),
    ),
)
