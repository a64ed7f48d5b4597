"""No known attack on a vitest or jest project ends in PASS; its honest twin does (as for pytest)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.redteam.node_attacks import JEST_ATTACKS, VITEST_ATTACKS
from tests.redteam.node_target import JEST, VITEST
from tests.redteam.project import twins
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


@pytest.mark.parametrize("name", [name for name, (_, attack) in ATTACKS.items() if attack.seen_by == "controls"])
def test_the_controls_alone(tmp_path: Path, name: str) -> None:
    target, attack = ATTACKS[name]
    verdict = target.verify(target.attacked(tmp_path / "shop", attack), attack, rules=False)
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")


@pytest.mark.parametrize("name", [name for name, (_, attack) in ATTACKS.items() if attack.seen_by == "rules"])
def test_the_rules(tmp_path: Path, name: str) -> None:
    target, attack = ATTACKS[name]
    verdict = target.verify(target.attacked(tmp_path / "shop", attack), attack)
    assert not verdict.is_terminal_pass()


@pytest.mark.parametrize("name", TWINS)
def test_the_honest_twin_passes(tmp_path: Path, name: str) -> None:
    target, attack = TWINS[name]
    verdict = target.verify(target.honest(tmp_path / "shop", attack), attack)
    assert verdict.is_terminal_pass(), verdict.failure_reason
