"""A run of thirty iterations, killed again and again: it ends as without, and nothing of it is left anywhere.

Forty kills, or two hundred with RALPH_TEST_EVERY.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import pytest

from tests.loop.crash.ending import Ending, damage, ending, litter, miscounted
from tests.loop.crash.ralphs import Place
from tests.loop.crash.story import FILES, GOAL, script

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")

SEEDS = range(4)
KILLS = 50 if os.environ.get("RALPH_TEST_EVERY") else 10
"""In each case; when a run has come to its end, the others hit the next."""
LONGEST = 2.0
"""How long a process may live before it is killed, in times that it takes to be up."""


@pytest.fixture(scope="session")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """How the run ends that nobody kills."""
    place = Place.made(tmp_path_factory.mktemp("straight"), FILES, script())
    code, found = place.run(GOAL), ending(place.root)
    assert (code, found.end, found.saved[1]) == (1, "failed", 30), place.said
    assert damage(place.root) + miscounted(place.root) + litter() == []
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_it_ends_as_without_the_kills(tmp_path: Path, straight: Ending, seed: int) -> None:
    chance, left, number = random.Random(seed), KILLS, 0
    while left:
        number += 1
        (tmp_path / str(number)).mkdir()
        place = Place.made(tmp_path / str(number), FILES, script())
        kills, code = killed(place, chance, left)
        left -= kills
        different = straight.differences(ending(place.root))
        assert (different, damage(place.root) + miscounted(place.root), litter(), place.living()) == ([], [], [], []), (
            place.said
        )
        assert code == 1


def killed(place: Place, chance: random.Random, most: int) -> tuple[int, int]:
    """Play a run to its end, killed so many times at most; how often it was, and its exit code."""
    began = time.monotonic()
    assert place.run(GOAL, "--dry-run") == 0
    up = time.monotonic() - began
    for kills in range(most):
        if (code := place.killed_after(chance.uniform(0.3, LONGEST) * up, *place.next_words(GOAL))) is not None:
            return kills, code
    return most, place.ralph(*place.next_words(GOAL))
