"""What was to run without a failure, and is run plainly (policy set v2, class G05).

Rule: that a call does not fail is not missed where the test now makes that call in a statement of its own, as it fails
if the call does; where that was waited for, the call is. One that is only written down, in a function that nothing
calls, is none, nor is one behind a condition, in a `try`, or behind the end of the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

LAST_CALL = later(r"([A-Za-z_]\w*\([^()]*\))[\s;})]*$")
MARK = later(r"([;{}])")
RUN = later(r"(?:(?:await ?)?(?:using|lock)\(.*)?", re.DOTALL)
"""What stands before a block that is run as often as what is around it."""
LEAVES = later(r"(?:return|throw)\b")
WAITS = later(r"\bawait")


def runs_plainly(check: Check, before: Facts, after: Facts) -> bool:
    call = LAST_CALL.search(check.subject)
    if check.relation != "not raises" or call is None:
        return False
    waits = "await ?" if WAITS.search(check.snippet) else "(?:await ?)?"
    statement = re.compile(rf"(?:(?:\w+ )?\w+=)?{waits}(?:[\w.]+\.)?{re.escape(call[1])}.*", re.DOTALL)
    old, new = (sum(statement.fullmatch(each) is not None for each in _run(side.body)) for side in (before, after))
    return new > old


def _run(body: str) -> Iterator[str]:
    """The statements of a test that are run in any case."""
    run: list[bool] = []
    head = ""
    for part in MARK.split(body):
        if part == "{":
            run.append(all(run) and RUN.fullmatch(head) is not None)
        elif part == "}" and run:
            run.pop()
        elif all(run) and LEAVES.match(part):
            return
        elif all(run) and part not in (";", "}"):
            yield part
        head = part if part not in (";", "{", "}") else ""
