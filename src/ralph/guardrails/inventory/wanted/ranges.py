"""Two bounds of one value, where the very value is wanted now (policy set v2, class G05).

A test that slept said `wait > 700` and `wait <= 800`; one whose clock stands still says `wait == 800`.

Rule: of a bound from below and one from above of the same thing, the second is not missed where a new assertion wants
one certain number between them, or one of both, of something that has to do with it. The first is judged as any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ralph.guardrails.inventory.equivalents.related import related
from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.arithmetic import number_of
from ralph.system.patterns import later

BELOW, ABOVE = frozenset({">", ">="}), frozenset({"<", "<="})
MEASURED = later(r"(?P<number>\d[\d_]*(?:\.\d+)?) ?\* ?(?P<unit>[A-Za-z][\w.:]*)|(?P<one>[A-Za-z][\w.:]*)")
"""A number of something: `800 * time.Millisecond`, `time.Second`."""

Number = tuple[float, str]
"""With what it counts."""


def settle_ranges(lost: Sequence[Units], gained: Sequence[Units], after: Facts) -> None:
    above = defaultdict[str, list[Units]](list)
    for unit in lost:
        if unit.left and unit.check.relation in ABOVE:
            above[unit.check.subject].append(unit)
    taken = set[int]()
    for unit in lost if above else ():
        if unit.left and unit.check.relation in BELOW:
            for high in above[unit.check.subject]:
                exact = next((each for each in gained if _says_which(each, unit.check, high.check, after)), None)
                if exact is not None and high.left and id(exact) not in taken:
                    taken.add(id(exact))
                    high.left = max(0, high.left - unit.left)


def _says_which(exact: Units, low: Check, high: Check, after: Facts) -> bool:
    check = exact.check
    if not exact.left or check.relation != "==" or check.grade is not Grade.EXACT or not related(check, low, after):
        return False
    value, least, most = _measured(check.wanted), _bound(low), _bound(high)
    if value is None or least is None or most is None or not value[1] == least[1] == most[1]:
        return False
    return least[0] <= value[0] <= most[0]


def _bound(check: Check) -> Number | None:
    if check.slack is None:
        return _measured(check.wanted)
    return (-check.slack if check.relation in BELOW else check.slack), ""


def _measured(written: str) -> Number | None:
    plain = number_of(written)
    if plain is not None:
        return plain, ""
    match = MEASURED.fullmatch(written)
    if match is None:
        return None
    return (1.0, match["one"]) if match["one"] else (float(match["number"].replace("_", "")), match["unit"])
