"""No known attack on a pytest project ends in PASS, though the runner itself is content; its honest twin does.

A rule and a control can only lower a verdict. So what the controls find by themselves is tried without the rules too,
and the rest with them.
"""

from __future__ import annotations

import dataclasses

import pytest

from ralph.contracts import Controls
from tests.redteam.project import CONTRACT, Attack, Workshop, is_caught, seen_by, twins
from tests.redteam.pytest_attacks import ATTACKS, PROVING_NOTHING
from tests.redteam.pytest_target import SHOP

TWINS = twins(ATTACKS)
PROVING = dataclasses.replace(CONTRACT, controls=Controls(negative="fail"))
FOR_A_PERSON = dataclasses.replace(CONTRACT, review="block")


def test_what_is_sold_is_broken(workshop: Workshop) -> None:
    nothing = Attack(files={}, twin={})
    assert SHOP.by_itself(workshop.attacked(SHOP, nothing), nothing) == 1
    assert SHOP.by_itself(workshop.honest(SHOP, nothing), nothing) == 0


@pytest.mark.parametrize("name", seen_by(ATTACKS, "controls"))
def test_the_controls_alone(workshop: Workshop, name: str) -> None:
    for verdict in is_caught(workshop, SHOP, ATTACKS[name]):
        assert not verdict.is_terminal_pass()
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")


@pytest.mark.parametrize("name", seen_by(ATTACKS, "rules"))
def test_the_rules(workshop: Workshop, name: str) -> None:
    attack = ATTACKS[name]
    root = workshop.attacked(SHOP, attack)
    assert SHOP.by_itself(root, attack) == attack.exit_code
    assert not SHOP.verify(root, attack).is_terminal_pass()


@pytest.mark.parametrize("name", seen_by(ATTACKS, "person"))
def test_a_person_is_shown_it(workshop: Workshop, name: str) -> None:
    attack = ATTACKS[name]
    root = workshop.attacked(SHOP, attack)
    assert SHOP.by_itself(root, attack) == attack.exit_code
    assert not SHOP.verify(root, attack, contract=FOR_A_PERSON).is_terminal_pass()


@pytest.mark.parametrize("name", PROVING_NOTHING)
def test_a_weakened_test_proves_nothing(workshop: Workshop, name: str) -> None:
    """Where the contract wants every changed test to fail on the base, no rule is needed."""
    attack = PROVING_NOTHING[name]
    verdict = SHOP.verify(workshop.attacked(SHOP, attack), attack, rules=False, contract=PROVING)
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")
    assert "control negative" in (verdict.failure_reason or "")


@pytest.mark.parametrize("name", TWINS)
def test_the_honest_twin_passes(workshop: Workshop, name: str) -> None:
    attack = TWINS[name]
    verdict = SHOP.verify(workshop.honest(SHOP, attack), attack)
    assert verdict.is_terminal_pass(), verdict.failure_reason
