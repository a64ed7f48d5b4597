"""Control `mutants`: tests that nothing can fail are found by breaking what they test.

Rules:

- One fault at a time (`faults`) in a copy of the tree, and only the test command is run, up to its first failure.
- A fault is found if the tests fail, or do not come to an end as they else do. One that is not found survives, and is
  named: no test looks at what it changes.
- As many as the contract's budget of time allows are tried. None tried says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.controls.faults import Fault
from ralph.controls.findings import broken, held, idle, listed, number, unsure
from ralph.results import ControlResult

NAME = "mutants"


def judge(all_faults: Sequence[Fault], survived: Sequence[Fault], tried: int) -> ControlResult:
    if not all_faults:
        return idle(NAME, "no fault can be put into the changed lines")
    told = f"{tried} of {number(len(all_faults), 'fault')} tried"
    if not tried:
        return unsure(NAME, f"{told}: the budget was too short")
    if survived:
        names = [str(each) for each in survived]
        return broken(NAME, f"{told}, {len(survived)} not found: {listed(names)}", names)
    return held(NAME, f"{told}, all found")
