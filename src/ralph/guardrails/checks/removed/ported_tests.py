"""A run of a test script that is gone, where its tests stand in another language now (policy set v2, class G04, G16).

Rule: the script is deleted, all of its tests are `ported`, and what stood beside its run, or stands there now, runs the
files of the new ones: a runner of tests without any paths, or with those files or folders. What became of each test is
shown in the script's own place.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.scope.looked_at import plain, targets, within
from ralph.guardrails.inventory.product_changes.context import sides_of
from ralph.guardrails.inventory.removed.ported import Ported
from ralph.guardrails.model import Change
from ralph.system.patterns import later

SCRIPT = later(r"(?:\./)?(?P<path>[\w./-]+\.(?:sh|bash|bats|t))$")


def runs_ported(was: Gate, others: Sequence[Gate], change: Change, after: Reach) -> Gate | None:
    """What runs the tests now that the script held."""
    named = [match["path"] for word in was.words if (match := SCRIPT.fullmatch(word)) is not None]
    gone = [file for file in change.files if file.status == "D" and file.path in named]
    fresh = [file for file in change.files if file.status in "AM" and file.path in after.side.paths]
    if not gone or was.flaws:
        return None
    sides = sides_of(change, [*gone, *fresh])
    old = [test for file in gone for test in sides[file.path][0].tests if test.kind == "test"]
    new = [test for file in fresh for test in sides[file.path][1].tests if test.kind == "test"]
    if not old or not all(map(Ported(new).has, old)):
        return None
    places = {test.path for test in new}
    return next((gate for gate in others if _runs(gate, was, places)), None)


def _runs(gate: Gate, was: Gate, places: set[str]) -> bool:
    if gate.kind != "test" or gate.path != was.path or gate.slot != was.slot:
        return False
    wide = [plain(target) for target in targets(gate)]
    return not wide or all(any(within(place, each) for each in wide) for place in places)
