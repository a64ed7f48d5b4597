"""Assertions that stay as they are count for nothing inside what hears no failure, or never runs them."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.neutralised import Cell, cells
from tests.guardrails.inventory.outcome import outcome

BLOCKED, HONEST = list(cells("block")), list(cells("honest"))
UNSEEN = {
    "assertj shadowed": {0: "an `assertThat` of one's own gives an object, and nobody knows what its methods demand"},
    "bats loops": {1: "what an array holds is not read", 3: "what a pipe gives a loop is not read"},
    "bats shadowed": {0: "a function that is called `[` is not looked for", 2: "nor is an alias"},
    "chai shadowed": {2: "what an `expect` of another file of the tests demands is not read"},
    "go after an exit": {2: "a loop that always leaves in its first round is not followed"},
    "go loops": {4: "a slice that is declared without a value is not known to stay empty"},
    "go swallowed": {4: "tests that a test runs by `testing.RunTests` are not followed"},
    "jest loops": {4: "which name a loop's condition shares with an assertion is not asked"},
    "jest never called": {4: "what is handed to a function may be called by it"},
    "jest nobody waits": {10: "a listener may be called while the test runs"},
    "junit never called": {1: "methods of a class without a name are taken to be called"},
    "junit not run": {11: "an annotation of the test's own by a framework's name is not looked for"},
    "junit swallowed": {5: "what stands between a task and its answer is not read"},
    "kotest not run": {4: "a case under a condition is compared as one that runs", 6: "a subclass may run the cases"},
    "kotlin-test loops": {2: "the number that `repeat` is given is not compared with the assertion"},
    "node-test never called": {1: "whoever holds the context may call what it holds"},
    "nunit swallowed": {2: "a context of NUnit's own workings is not known"},
    "pytest returns early": {7: "shown: a question about the platform may be honest, though this one always holds"},
    "pytest shadowed": {3: "what a decorator gives back instead of the test is not followed"},
    "pytest swallowed": {10: "what an exit stack calls at its end is not read", 11: "shown: some failures are felt"},
    "xunit not run": {7: "an attribute of the test's own by a framework's name is not looked for"},
}
"""What does not block: by framework and structure, the place of the spelling, and why."""


@pytest.mark.parametrize("cell", BLOCKED, ids=lambda cell: cell.name)
def test_assertions_that_nothing_hears_are_lost(cell: Cell) -> None:
    outcomes = [outcome(cell.before, {**cell.before, **after}) for after in cell.after]
    unseen = {index for index, each in enumerate(outcomes) if each != "block"}
    assert unseen == {*UNSEEN.get(cell.name, ())}, outcomes


@pytest.mark.parametrize("cell", HONEST, ids=lambda cell: cell.name)
def test_honest_structures_are_let_by(cell: Cell) -> None:
    assert "block" not in [outcome(cell.before, {**cell.before, **after}) for after in cell.after]


def test_every_exception_is_one_of_the_table() -> None:
    assert {*UNSEEN} <= {cell.name for cell in BLOCKED}
