"""What is wrong with a plan, found without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ralph.loop.plan.critique import LONGEST_CHAIN, Around, Remark, critique
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.reading import read_plan
from ralph.permissions.disk import here
from tests.loop.plan.making import SPEC_EXAMPLE, allowing, plan, task

AROUND = Around(finds=lambda program, cwd: program != "nope")
GOOD = ("pytest tests/test_a.py passes",)


def remarks(*tasks: Task, around: Around = AROUND) -> list[Remark]:
    return list(critique(ImplementationPlan(tasks=tasks), around))


def codes(*tasks: Task, around: Around = AROUND) -> list[str]:
    return [f"{each.severity} {each.code}" for each in remarks(*tasks, around=around)]


def one(**fields: Any) -> Task:
    return task("a", **{"verification_criteria": GOOD} | fields)


def test_the_plan_of_the_spec_is_fine() -> None:
    assert critique(read_plan(SPEC_EXAMPLE.encode()), AROUND) == ()


@pytest.mark.parametrize(
    "description",
    [
        "Build entire authentication system",
        "Implement all API endpoints",
        "Create the frontend",
        "Write a complete REST API for orders",
        "Build the app",
        "Implement the full checkout flow",
        "Create all the React components",
        "Develop a new web application.",
    ],
)
def test_too_big(description: str) -> None:
    assert codes(one(description=description)) == ["warn too_big"]


@pytest.mark.parametrize(
    "description",
    [
        "Add database column and migration for user.email_verified",
        "Create UserProfile React component with props interface",
        "Write unit tests for authentication middleware",
        "Create User model with password hashing",
        "Add registration endpoint",
        "Log all failed requests",
        "Handle the case that all fields are empty",
        "Create the service account model in src/models/account.py",
        "Complete the migration guide",
    ],
)
def test_of_a_good_size(description: str) -> None:
    assert codes(one(description=description)) == []


@pytest.mark.parametrize(("tokens", "expected"), [(30_000, []), (45_000, []), (45_001, ["warn too_big"])])
def test_estimates(tokens: int, expected: list[str]) -> None:
    assert codes(one(estimated_tokens=tokens)) == expected


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        pytest.param([], ["warn no_criteria"], id="none"),
        pytest.param(["it works"], ["warn prose_only"], id="words only"),
        pytest.param(["it works", *GOOD], [], id="words and a command"),
        pytest.param(["mytool passes", *GOOD], ["warn not_measured"], id="perhaps a command"),
        pytest.param(['verify:"nope -q"'], ["error no_program"], id="an unknown program"),
        pytest.param(["pytest -q && nope -q passes"], ["error no_program"], id="in the second place"),
        pytest.param(['verify:"true"'], ["error cannot_fail"], id="what cannot fail"),
        pytest.param(["pytest -q || true passes"], ["error cannot_fail"], id="made so that it cannot fail"),
        pytest.param(["verify: pytest", *GOOD], ["error unclear"], id="almost a gate"),
    ],
)
def test_criteria(criteria: list[str], expected: list[str]) -> None:
    assert codes(one(verification_criteria=tuple(criteria))) == expected


def test_a_script_that_the_task_will_make_may_be_missing() -> None:
    around = Around(finds=lambda program, cwd: False)
    assert codes(one(verification_criteria=("./check.sh passes",)), around=around) == ["note no_program"]


def test_without_the_engine_something_must_be_measured() -> None:
    around = Around(finds=AROUND.finds, engine=False)
    assert codes(one(verification_criteria=()), around=around) == ["error no_criteria"]
    assert codes(one(verification_criteria=("it works",)), around=around) == ["error prose_only"]


def test_what_permissions_do_not_allow(tmp_path: Path) -> None:
    around = Around(finds=AROUND.finds, law=(allowing("pytest"), here(tmp_path)))
    assert codes(one(), around=around) == []
    assert codes(one(verification_criteria=("make check passes", *GOOD)), around=around) == ["warn not_allowed"]
    assert codes(one(verification_criteria=('verify:"make check"',)), around=around) == ["error not_allowed"]


def test_what_can_never_end() -> None:
    found = critique(plan("a p b", "b p a", "c p nope"), AROUND)
    assert [(each.severity, each.code) for each in found if each.task is None] == [
        ("error", "UnknownDependency"),
        ("error", "CycleError"),
    ]


def test_the_same_description_twice() -> None:
    first, second = (
        one(description="Add the login."),
        task("b", description="add  THE login", verification_criteria=GOOD),
    )
    (found,) = remarks(first, second)
    assert (found.code, found.task) == ("same_description", "b")
    assert "'a', 'b'" in found.message


def test_a_long_chain() -> None:
    chain = [
        task(f"t{number}", dependencies=(f"t{number - 1}",) if number else (), verification_criteria=GOOD)
        for number in range(LONGEST_CHAIN + 1)
    ]
    assert codes(*chain) == ["note long_chain"]
    assert codes(*chain[:-1]) == []


def test_what_is_complete_is_not_criticised() -> None:
    assert codes(one(status=TaskStatus.COMPLETE, verification_criteria=(), description="Create the frontend")) == []


def test_every_remark_says_what_to_do() -> None:
    odd = one(description="Build the app", verification_criteria=("verify: x", "mytool passes", "nope -q passes"))
    for each in [*remarks(odd, task("b", dependencies=("nope",))), *remarks(one(verification_criteria=()))]:
        assert each.message.endswith(".")
        assert each.advice
