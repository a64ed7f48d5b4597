"""No known attack on a vitest or jest project ends in PASS; its honest twin does (as for pytest)."""

from __future__ import annotations

import pytest

from tests.redteam.node_attacks import JEST_ATTACKS, VITEST_ATTACKS
from tests.redteam.node_target import JEST, VITEST
from tests.redteam.project import Attack, Target, Workshop, is_caught, twins
from tests.steps.workshop import needs_node

pytestmark = needs_node

ATTACKS = {
    **{f"vitest: {name}": (VITEST, attack) for name, attack in VITEST_ATTACKS.items()},
    **{f"jest: {name}": (JEST, attack) for name, attack in JEST_ATTACKS.items()},
}
TWINS = {
    **{f"vitest: {name}": (VITEST, attack) for name, attack in twins(VITEST_ATTACKS).items()},
    **{f"jest: {name}": (JEST, attack) for name, attack in twins(JEST_ATTACKS).items()},
}


@pytest.mark.parametrize("target", [VITEST, JEST], ids=["vitest", "jest"])
def test_what_is_sold_is_broken(workshop: Workshop, target: Target) -> None:
    nothing = Attack(files={}, twin={})
    assert target.by_itself(workshop.attacked(target, nothing), nothing) == 1
    assert target.by_itself(workshop.honest(target, nothing), nothing) == 0


@pytest.mark.parametrize("name", [name for name, (_, attack) in ATTACKS.items() if attack.seen_by == "controls"])
def test_the_controls_alone(workshop: Workshop, name: str) -> None:
    for verdict in is_caught(workshop, *ATTACKS[name]):
        assert not verdict.is_terminal_pass()
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")


@pytest.mark.parametrize("name", [name for name, (_, attack) in ATTACKS.items() if attack.seen_by == "rules"])
def test_the_rules(workshop: Workshop, name: str) -> None:
    target, attack = ATTACKS[name]
    root = workshop.attacked(target, attack)
    assert target.by_itself(root, attack) == attack.exit_code
    assert not target.verify(root, attack).is_terminal_pass()


@pytest.mark.parametrize("name", TWINS)
def test_the_honest_twin_passes(workshop: Workshop, name: str) -> None:
    target, attack = TWINS[name]
    verdict = target.verify(workshop.honest(target, attack), attack)
    assert verdict.is_terminal_pass(), verdict.failure_reason
