"""A whole that is asked of the same function, which a helper of the tests gives what the test gave it (class G05).

    expect(tides([10, 40, 80].map((cm, i) => ({ at: i, cm })))[i].cm).to.equal(expected[i].cm);
    assert.deepEqual(tides(hourly(0, 10, 40, 80)), [{ kind: "high", cm: 80, at: 2 }]);

Rule: nothing is missed of a part of an answer where the whole answer is wanted, with all constants that the part was to
be; the function is the same; it is given what one plain function gives for all constants of before, in their order and
one beside the other. Fewer than three tell nothing: another question may have them by chance.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

WAY = later(r"(?:\.\w+|\[\w+\])*")
FUNCTION = later(r"[A-Za-z_][\w.]*(?=\()")
HELPER = later(r"[a-z_]\w*(?=\()")
FEWEST, MOST_MORE = 3, 2


def by_helper(part: Check, whole: Check) -> bool:
    old, new = _call(part.subject), _call(whole.subject)
    if old is None or new is None or old[0] != new[0] or new[2] or old[1] == new[1]:
        return False
    helper = HELPER.match(new[1])
    made = _call(new[1]) if helper is not None else None
    if made is None or made[2] or HELPER.match(old[1]) is not None:
        return False
    given, handed = CONSTANT.findall(old[1]), CONSTANT.findall(made[1])
    if len(given) < FEWEST or len(handed) - len(given) > MOST_MORE:
        return False
    places = range(len(handed) - len(given) + 1)
    wanted = frozenset(CONSTANT.findall(part.wanted))
    return any(handed[at : at + len(given)] == given for at in places) and wanted <= set(CONSTANT.findall(whole.wanted))


def _call(subject: str) -> tuple[str, str, str] | None:
    """The function, what it is given, and the way from its answer to a part."""
    function = FUNCTION.match(subject)
    if function is None:
        return None
    depth = 0
    for at in range(function.end(), len(subject)):
        depth += (subject[at] in "([{") - (subject[at] in ")]}")
        if depth == 0:
            way = subject[at + 1 :]
            return (function[0], subject[function.end() + 1 : at], way) if WAY.fullmatch(way) else None
    return None
