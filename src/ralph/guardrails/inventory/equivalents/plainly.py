"""What was to run without a failure, and is run plainly (policy set v2, class G05).

Rules:

- That a call does not fail is not missed where the test now makes that call in a statement of its own, as it fails
  if the call does; where that was waited for, the call is. One that is only written down, in a function that nothing
  calls, is none, nor is one behind a condition, in a `try`, or behind the end of the test.
- It is the same call, whichever library's words were around it (`unwrapped`). Where nothing stands between two
  statements, as in Kotlin, Ruby and without semicolons, it has to stand behind what the assertion stood behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.inventory.equivalents.unwrapped import Wrapped, wrapped
from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

QUIET = frozenset(
    {
        "not raises",
        "assertDoesNotThrow",
        "doesNotThrowAnyException",
        "shouldNotThrow",
        "shouldNotThrowAny",
        "shouldNotThrowAnyUnit",
        "shouldNotThrowUnit",
        "not raise_error",
        "not raise_exception",
    }
)
LAST_CALL = later(r"([A-Za-z_]\w*\([^()]*\))[\s;})]*$")
MARK = later(r"([;{}])")
RUN = later(r"(?:(?:await ?)?(?:using|lock)\(.*)?", re.DOTALL)
"""What stands before a block that is run as often as what is around it."""
LEAVES = later(r"(?:return|throw)\b")
WAITS = later(r"\bawait")
GIVEN = r"(?:(?:\w+ )?\w+=)?"
AGAIN = later(r"\s*(?:rescue|if|unless|and|or|while|until|\?|&&|\|\||\.)")
"""What makes a call something else than a statement that fails if the call does."""
ENDS = later(r"return|throw|exit|abort|skip|pending")
"""Of text without blanks: what may come before the end of a test."""
NEAR = 12
"""So many characters tell what a statement stands behind."""


def runs_plainly(check: Check, before: Facts, after: Facts) -> bool:
    if check.relation not in QUIET:
        return False
    if _is_made(check, before, after):
        return True
    lost = list(_no_longer_wrapped(before, after))
    statements = list(_run(after.body)) if ";" in after.body else []
    return bool(lost) and all(
        _is_statement(each, statements) or _stands_there(each, before.body, after.body) for each in lost
    )


def _no_longer_wrapped(before: Facts, after: Facts) -> Iterator[Wrapped]:
    kept = Counter(each.call for each in wrapped(after.body))
    for each in wrapped(before.body):
        kept[each.call] -= 1
        if kept[each.call] < 0:
            yield each


def _is_made(check: Check, before: Facts, after: Facts) -> bool:
    """The last call of what it looked at is made in more statements than before."""
    call = LAST_CALL.search(check.subject)
    if call is None:
        return False
    waits = "await ?" if WAITS.search(check.snippet) else "(?:await ?)?"
    statement = re.compile(rf"{GIVEN}{waits}(?:[\w.]+\.)?{re.escape(call[1])}.*", re.DOTALL)
    old, new = (sum(statement.fullmatch(each) is not None for each in _run(side.body)) for side in (before, after))
    return new > old


def _is_statement(action: Wrapped, statements: list[str]) -> bool:
    waits = "await ?" if action.waits else "(?:await ?)?"
    statement = re.compile(rf"{GIVEN}{waits}{re.escape(action.call)}")
    found = next((each for each in statements if statement.fullmatch(each)), None)
    if found is not None:
        statements.remove(found)
    return found is not None


def _stands_there(action: Wrapped, before: str, after: str) -> bool:
    """It stands behind the same as before; at the beginning of the test, at the beginning."""
    if ";" in after:
        return False
    behind = before[max(action.start - NEAR, 0) : action.start]
    place = after.find(f"{behind}{action.call}")
    if place < 0 or (len(behind) < NEAR and place > 0):
        return False
    if len(ENDS.findall(after[:place])) > len(ENDS.findall(before[: action.start])):
        return False
    return AGAIN.match(after[place + len(behind) + len(action.call) :]) is None


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
