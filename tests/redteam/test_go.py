"""No known attack on a Go project ends in PASS; its honest twin does (as for pytest)."""

from __future__ import annotations

import pytest

from tests.redteam.go_target import ATTACKS, GO
from tests.redteam.project import Attack, Workshop, is_caught, twins

TWINS = twins(ATTACKS)


def test_what_is_sold_is_broken(workshop: Workshop) -> None:
    nothing = Attack(files={}, twin={})
    assert GO.by_itself(workshop.attacked(GO, nothing), nothing) == 1
    assert GO.by_itself(workshop.honest(GO, nothing), nothing) == 0


@pytest.mark.parametrize("name", ATTACKS)
def test_the_controls_alone(workshop: Workshop, name: str) -> None:
    for verdict in is_caught(workshop, GO, ATTACKS[name]):
        assert not verdict.is_terminal_pass()
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")


@pytest.mark.parametrize("name", TWINS)
def test_the_honest_twin_passes(workshop: Workshop, name: str) -> None:
    attack = TWINS[name]
    verdict = GO.verify(workshop.honest(GO, attack), attack)
    assert verdict.is_terminal_pass(), verdict.failure_reason
    tests = verdict.step("tests")
    assert tests is not None
    assert [each.status for each in tests.controls if each.name == "canary"] == ["held"]
