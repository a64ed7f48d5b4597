"""What controls make of a step."""

from __future__ import annotations

import pytest

from ralph.contracts import Controls
from ralph.controls.applying import applied, modes
from ralph.results import COULD_NOT_VERIFY, ControlResult, ControlStatus, StepResult

PASSED = StepResult(name="tests", status="pass", counts={"tests": 3})


def control(status: ControlStatus, name: str = "canary") -> ControlResult:
    return ControlResult(name=name, status=status, reason=f"it is {status}")


@pytest.mark.parametrize(
    ("mode", "status", "expected"),
    [
        ("show", "broken", "pass"),
        ("fail", "broken", "fail"),
        ("strict", "broken", "fail"),
        ("show", "open", "pass"),
        ("fail", "open", "pass"),
        ("strict", "open", "error"),
        *((mode, status, "pass") for mode in ("fail", "strict") for status in ("held", "idle", "off")),
    ],
)
def test_a_control_lowers_what_its_mode_lets_it(mode: str, status: ControlStatus, expected: str) -> None:
    found = applied(PASSED, [control(status)], modes(Controls(canary=mode)))  # type: ignore[arg-type]
    assert found.status == expected
    assert found.controls == (control(status),)
    if expected == "fail":
        assert found.reason == "tests: control canary: it is broken"
        assert found.failures == ("control canary",)
    if expected == "error":
        assert found.reason == f"{COULD_NOT_VERIFY} tests: control canary: it is open"


def test_the_first_that_lowers_gives_the_reason_and_all_are_kept() -> None:
    results = [control("broken", "negative"), control("broken", "canary"), control("open", "restored")]
    found = applied(PASSED, results, modes(Controls()))
    assert found.reason == "tests: control canary: it is broken"
    assert [each.name for each in found.controls] == ["negative", "canary", "restored"]


def test_a_control_never_raises_a_step() -> None:
    failed = StepResult(name="tests", status="fail", reason="tests: 1 of 3 failed")
    assert applied(failed, [control("held")], modes(Controls())).status == "fail"


@pytest.mark.parametrize(("inventory", "mode"), [("free", "none"), ("kept", "fail"), ("unchanged", "strict")])
def test_the_mode_of_the_inventory(inventory: str, mode: str) -> None:
    assert modes(Controls(test_inventory=inventory))["inventory"] == mode  # type: ignore[arg-type]
