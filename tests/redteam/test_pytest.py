"""No known attack on a pytest project ends in PASS; its honest twin does.

A rule and a control can only lower a verdict. So what the controls find by themselves is tried without the rules, and
the rest with them.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from ralph.contracts import Controls
from tests.redteam.project import CONTRACT, seen_by, twins
from tests.redteam.pytest_attacks import ATTACKS, WEAKENED
from tests.redteam.pytest_target import SHOP

TWINS = twins(ATTACKS)
PROVING = dataclasses.replace(CONTRACT, controls=Controls(negative="fail"))
FOR_A_PERSON = dataclasses.replace(CONTRACT, review="block")


@pytest.mark.parametrize("name", seen_by(ATTACKS, "controls"))
def test_the_controls_alone(tmp_path: Path, name: str) -> None:
    attack = ATTACKS[name]
    verdict = SHOP.verify(SHOP.attacked(tmp_path / "shop", attack), attack, rules=False)
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")


@pytest.mark.parametrize("name", seen_by(ATTACKS, "rules"))
def test_the_rules(tmp_path: Path, name: str) -> None:
    attack = ATTACKS[name]
    verdict = SHOP.verify(SHOP.attacked(tmp_path / "shop", attack), attack)
    assert not verdict.is_terminal_pass()


@pytest.mark.parametrize("name", seen_by(ATTACKS, "person"))
def test_a_person_is_shown_it(tmp_path: Path, name: str) -> None:
    attack = ATTACKS[name]
    verdict = SHOP.verify(SHOP.attacked(tmp_path / "shop", attack), attack, contract=FOR_A_PERSON)
    assert not verdict.is_terminal_pass()


@pytest.mark.parametrize("name", [name for name, attack in WEAKENED.items() if attack.seen_by == "rules"])
def test_a_weakened_test_proves_nothing(tmp_path: Path, name: str) -> None:
    """Where the contract wants every changed test to fail on the base, no rule is needed."""
    attack = WEAKENED[name]
    verdict = SHOP.verify(SHOP.attacked(tmp_path / "shop", attack), attack, rules=False, contract=PROVING)
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")
    assert "control negative" in (verdict.failure_reason or "")


@pytest.mark.parametrize("name", TWINS)
def test_the_honest_twin_passes(tmp_path: Path, name: str) -> None:
    attack = TWINS[name]
    verdict = SHOP.verify(SHOP.honest(tmp_path / "shop", attack), attack)
    assert verdict.is_terminal_pass(), verdict.failure_reason
